import * as vscode from "vscode";
import { NO_RULES, type Analyzer } from "../../core/analysis/analysis.js";
import { pathBelow } from "../../core/model/paths.js";
import { profileChoice } from "../settings.js";
import { MEASURED_FILES, passedOver } from "./counted-files.js";
import { scopeOf, type CodeScope, type KnownRuns } from "./scope.js";

/** A larger workspace is not read only because one of its files was opened. */
const MOST_FILES = 300;
/** What was learned is good for this long; edits in open documents are known at once. */
const FRESH_MS = 60_000;

/** Makes the analyzer know the files around a document, so that its clones in other files are found too. */
export class Surroundings implements vscode.Disposable {
  private readonly learned = new Map<string, number>();
  private readonly abort = new AbortController();

  constructor(
    private readonly analyzer: () => Promise<Analyzer>,
    private readonly library: KnownRuns,
  ) {}

  /**
   * Has the program or the small workspace that a document belongs to analysed, without rules.
   * @returns whether something was learned, so that the document should be analysed again
   */
  async learn(document: vscode.TextDocument): Promise<boolean> {
    const scope = await scopeOf(document, this.library);
    if (scope === undefined || this.isFresh(scope) || !(await isSmall(scope))) return false;
    const { root, without } = scope;
    this.learned.set(root, Date.now());
    const analyzer = await this.analyzer();
    await analyzer.learnPaths(
      [root],
      { profile: profileChoice(document), rules: NO_RULES, without },
      this.abort.signal,
    );
    return true;
  }

  private isFresh({ root }: CodeScope): boolean {
    return Date.now() - (this.learned.get(root) ?? 0) < FRESH_MS;
  }

  dispose(): void {
    this.abort.abort();
  }
}

/** A program is; of a workspace the files are counted. */
async function isSmall({ root, without, isProgram }: CodeScope): Promise<boolean> {
  if (isProgram) return true;
  const all = new vscode.RelativePattern(vscode.Uri.file(root), MEASURED_FILES);
  const runs = without.flatMap((folder) => pathBelow(root, folder) ?? []);
  const found = await vscode.workspace.findFiles(all, passedOver(runs), MOST_FILES + 1);
  return found.length <= MOST_FILES;
}
