import { readFile } from "node:fs/promises";
import type { ProductFiles } from "../model/files.js";
import type { LanguageId, RuleMatch, RuleSetInfo } from "../model/quality.js";
import type { AnalysisOptions, RuleChoice } from "./analysis.js";
import { codeOf } from "./discovery.js";
import { languageById } from "./languages/languages.js";
import { faultOf, measureTree, type FileMeasures } from "./measure.js";
import { decode } from "./source.js";
import type { FlatTree } from "./tree/flat-tree.js";
import { Parsers } from "./tree/parsers.js";

/** What the measurer needs of a set of rules. */
export interface RuleMatcher {
  /**
   * @param languages the rules of these are compiled, so that it is known which of them cannot be used
   * @throws SlopLensError rules-invalid when none can
   */
  describe(languages: readonly LanguageId[]): Promise<RuleSetInfo>;
  /** The rules of a language, compiled; undefined when there are none. */
  rulesFor(language: LanguageId): Promise<RuleScanner | undefined>;
}

/** The rules of one language. */
export interface RuleScanner {
  /** @param path is reported, and tested against the globs of rules that have some */
  scan(path: string, tree: FlatTree): RuleScan;
}

/** Matches of one file, in source order. */
export interface RuleScan {
  readonly matches: readonly RuleMatch[];
  /** Matches that a comment in the file suppresses. */
  readonly suppressed: readonly RuleMatch[];
}

/** @param parsers of the trees that the rules are applied to */
export type RuleLoader = (choice: RuleChoice, files: ProductFiles, parsers: Parsers) => Promise<RuleMatcher>;

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

  /**
   * Describes a set of rules, and what of it cannot be used for these languages.
   * @throws SlopLensError rules-invalid when the rule folders cannot be used
   */
  async ruleSet(choice: RuleChoice, languages: readonly LanguageId[]): Promise<RuleSetInfo> {
    return (await this.#ruleMatcher(choice)).describe(languages);
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
      this.#ruleMatcher(options.rules).then((rules) => rules.rulesFor(language)),
    ]);
    return (path, text) => {
      const tree = parse(text);
      if (tree === undefined) return { skipped: "syntax error" };
      const measures = measureTree(tree);
      const fault = faultOf(measures);
      if (fault !== undefined) return { skipped: fault };
      return { measures: { ...measures, ...rules?.scan(path, tree) } };
    };
  }

  #ruleMatcher(choice: RuleChoice): Promise<RuleMatcher> {
    const key = JSON.stringify([choice.folders ?? null, choice.added, choice.off]);
    let loading = this.#rules.get(key);
    if (loading === undefined) {
      loading = this.loadRules(choice, this.files, this.#parsers);
      this.#rules.set(key, loading);
      // A folder that was broken may be mended by the next call.
      loading.catch(() => this.#rules.delete(key));
    }
    return loading;
  }
}
