import { readFile } from "node:fs/promises";
import type { ProductFiles } from "../model/files.js";
import type { LanguageId, RuleMatch, RuleSetInfo } from "../model/quality.js";
import type { AnalysisOptions, RuleChoice } from "./analysis.js";
import { codeOf } from "./discovery.js";
import { languageById } from "./languages/languages.js";
import { faultOf, measureTree, type FileMeasures } from "./measure.js";
import { decode } from "./source.js";
import { Parsers } from "./tree/parsers.js";

/** What the measurer needs of a rule engine. */
export interface RuleMatcher {
  readonly info: RuleSetInfo;
  /** @param look is shown the root that the rules were applied to, if there was one */
  scan(path: string, language: LanguageId, text: string, look?: (root: SyntaxNode) => void): RuleScan;
  /** How far the rules of a language look; where it is missing, any rule may look anywhere. */
  reach?(language: LanguageId): RuleReach;
}

/** What a caller may ask of the tree that rules are applied to. */
export interface SyntaxNode {
  /** Rows and columns are 0-based, columns in UTF-16 units. */
  range(): { readonly start: SyntaxPoint; readonly end: SyntaxPoint };
  children(): readonly SyntaxNode[];
  find(kind: { readonly rule: { readonly kind: string } }): SyntaxNode | null;
}

export interface SyntaxPoint {
  readonly line: number;
  readonly column: number;
}

/** How far rules look beyond the top-level statement that holds a match. */
export interface RuleReach {
  /** Statements before and behind, on the same level, that decide about a match. */
  readonly statements: number;
  /** Ids of rules that may look further: only a scan of the whole text tells their matches. */
  readonly far: ReadonlySet<string>;
}

/** Matches of one file, in source order. */
export interface RuleScan {
  readonly matches: readonly RuleMatch[];
  /** Matches that a comment in the file suppresses. */
  readonly suppressed: readonly RuleMatch[];
}

export type RuleLoader = (choice: RuleChoice, files: ProductFiles) => Promise<RuleMatcher>;

/** A file to be measured. */
export interface FileJob {
  /** Absolute path. */
  readonly file: string;
  /** Name in the report. */
  readonly path: string;
  readonly language: LanguageId;
}

export type FileResult = { readonly measures: FileMeasures } | { readonly skipped: string };

/** Bytes that are looked at to tell binary files. */
const SNIFFED_BYTES = 8192;

/** Measures files and texts in the thread it lives in. Keeps parsers and rule sets ready between calls. */
export class Measurer {
  readonly #parsers: Parsers;
  readonly #rules = new Map<string, Promise<RuleMatcher>>();

  constructor(
    private readonly files: ProductFiles,
    private readonly loadRules: RuleLoader,
  ) {
    this.#parsers = new Parsers(files.dist);
  }

  /** @throws SlopLensError rules-invalid when the rule folders cannot be used */
  async ruleSet(choice: RuleChoice): Promise<RuleSetInfo> {
    return (await this.#ruleMatcher(choice)).info;
  }

  /**
   * Reads and measures a file. Trouble with the file itself is a result, not an error.
   * @throws SlopLensError when rules or grammar cannot be loaded
   */
  async measureFile(job: FileJob, options: AnalysisOptions): Promise<FileResult> {
    let bytes: Uint8Array;
    try {
      bytes = await readFile(job.file);
    } catch (error) {
      return { skipped: `unreadable (${codeOf(error)})` };
    }
    if (bytes.subarray(0, SNIFFED_BYTES).includes(0)) return { skipped: "binary" };
    const measure = await this.#measurerOf(job.language, options);
    try {
      return measure(job.path, decode(bytes));
    } catch (error) {
      return { skipped: `analysis failed: ${error instanceof Error ? error.message : String(error)}` };
    }
  }

  /** @returns undefined when syntax errors keep the text from being measured */
  async measureText(
    language: LanguageId,
    path: string,
    text: string,
    options: AnalysisOptions,
  ): Promise<FileMeasures | undefined> {
    const result = (await this.#measurerOf(language, options))(path, text);
    return "measures" in result ? result.measures : undefined;
  }

  async #measurerOf(
    language: LanguageId,
    options: AnalysisOptions,
  ): Promise<(path: string, text: string) => FileResult> {
    const [parse, rules] = await Promise.all([
      this.#parsers.load(languageById(language)),
      this.#ruleMatcher(options.rules),
    ]);
    return (path, text) => {
      const tree = parse(text);
      if (tree === undefined) return { skipped: "syntax error" };
      const measures = measureTree(tree);
      const fault = faultOf(measures);
      if (fault !== undefined) return { skipped: fault };
      // Rules parse the text once more, with ast-grep's own parser; without rules that is saved.
      const scan = rules.info.count === 0 ? undefined : rules.scan(path, language, tree.source.text);
      return { measures: { ...measures, ...scan } };
    };
  }

  #ruleMatcher(choice: RuleChoice): Promise<RuleMatcher> {
    const key = JSON.stringify([choice.folders ?? null, choice.added, choice.off]);
    let loading = this.#rules.get(key);
    if (loading === undefined) {
      loading = this.loadRules(choice, this.files);
      this.#rules.set(key, loading);
      // A folder that was broken may be mended by the next call.
      loading.catch(() => this.#rules.delete(key));
    }
    return loading;
  }
}
