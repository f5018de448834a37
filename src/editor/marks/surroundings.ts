import * as vscode from "vscode";
import { NO_RULES, type Analyzer } from "../../core/analysis/analysis.js";
import { profileChoice } from "../settings.js";
import { programFolder } from "./clone-root.js";

/** A larger workspace is not read only because one of its files was opened. */
const MOST_FILES = 300;
/** What was learned is good for this long; edits in open documents are known at once. */
const FRESH_MS = 60_000;

/** Makes the analyzer know the files around a document, so that its clones in other files are found too. */
export class Surroundings implements vscode.Disposable {
  private readonly learned = new Map<string, number>();
  private readonly abort = new AbortController();

  constructor(private readonly analyzer: () => Promise<Analyzer>) {}

  /**
   * Has the program or the small workspace that a document belongs to analysed, without rules.
   * @returns whether something was learned, so that the document should be analysed again
   */
  async learn(document: vscode.TextDocument): Promise<boolean> {
    const root = await rootOf(document);
    if (root === undefined || Date.now() - (this.learned.get(root) ?? 0) < FRESH_MS) return false;
    this.learned.set(root, Date.now());
    const analyzer = await this.analyzer();
    await analyzer.analyzePaths(
      [root],
      { profile: profileChoice(document), rules: NO_RULES },
      this.abort.signal,
    );
    return true;
  }

  dispose(): void {
    this.abort.abort();
  }
}

async function rootOf({ uri }: vscode.TextDocument): Promise<string | undefined> {
  if (uri.scheme !== "file") return undefined;
  const program = programFolder(uri.fsPath);
  if (program !== undefined) return program;
  const folder = vscode.workspace.getWorkspaceFolder(uri);
  if (folder === undefined) return undefined;
  const pattern = new vscode.RelativePattern(folder, "**/*.py");
  const files = await vscode.workspace.findFiles(pattern, undefined, MOST_FILES + 1);
  return files.length > MOST_FILES ? undefined : folder.uri.fsPath;
}
