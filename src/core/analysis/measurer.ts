import { readFileSync } from "node:fs";
import type { ProductFiles } from "../model/files.js";
import type { Fault } from "../model/problem.js";
import type { LanguageId, RuleMatch, RuleSetInfo } from "../model/quality.js";
import type { RuleChoice } from "./analysis.js";
import { chooseRules, type ChosenRules } from "./cache/chosen-rules.js";
import type { MeasureCache } from "./cache/measure-cache.js";
import { readBytes } from "./file-bytes.js";
import { foreignText } from "./foreign-code.js";
import { languageById } from "./languages/languages.js";
import { faultOf, measureTree, type FileMeasures } from "./measure.js";
import type { Fix } from "./rules/fix.js";
import { decode } from "./source.js";
import type { FlatTree } from "./tree/flat-tree.js";
import type { Progress } from "./threads/progress.js";
import { PythonOutlines } from "./python-outline.js";
import { Parsers, type ReadyGrammar } from "./tree/parsers.js";

/** What the measurer needs of a set of rules. */
export interface RuleMatcher {
  /** Hash over all rule texts. */
  readonly hash: string;
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
  /** False when this installation lacks something that one of the rules needs. */
  readonly isWhole: boolean;
  /**
   * @param path is reported, and tested against the globs of rules that have some
   * @param progress is told of each rule before it is tried
   */
  scan(path: string, tree: FlatTree, progress?: Progress): RuleScan;
  /** What a rule proposes instead of one of its matches; undefined when it proposes nothing. */
  fixOf?(match: RuleMatch, tree: FlatTree): Fix | undefined;
  /** The rule of a number that `progress` is told; absent when it is told none. */
  ruleAt?(number: number): RulePlace | undefined;
}

/** What a document that stays open is measured with. */
export interface DocumentTools {
  readonly grammar: ReadyGrammar;
  /** Undefined when the language has no rules. */
  readonly rules: RuleScanner | undefined;
  readonly ruleSet: RuleSetInfo;
}

/** A rule with the place of its text. */
export interface RulePlace {
  readonly id: string;
  readonly file: string;
  readonly line: number;
}

/** Matches of one file, in source order. */
export interface RuleScan {
  readonly matches: readonly RuleMatch[];
  /** Matches that a comment in the file suppresses. */
  readonly suppressed: readonly RuleMatch[];
}

/**
 * Makes a value that depends on its parts only, or gives the one that was made before, perhaps by another process.
 * The value is plain JSON.
 */
export type Keep = <Value>(
  name: string,
  parts: readonly string[],
  make: () => Promise<Value>,
) => Promise<Value>;

/** @param parsers of the trees that the rules are applied to */
export type RuleLoader = (
  choice: RuleChoice,
  files: ProductFiles,
  parsers: Parsers,
  keep: Keep | undefined,
) => Promise<RuleMatcher>;

/** A file to be measured. */
export interface FileJob {
  /** Absolute path. */
  readonly file: string;
  /** Name in the report. */
  readonly path: string;
  readonly language: LanguageId;
  /** Size of the file. */
  readonly bytes: number;
}

export type FileResult =
  | {
      readonly measures: FileMeasures;
      /** Rules that were left out on this file, each with the reason. */
      readonly faults?: readonly Fault[];
    }
  | { readonly skipped: string };

/** Measures files and texts in the thread it lives in. Keeps parsers and rule sets ready between calls. */
export class Measurer {
  readonly outlines: PythonOutlines;
  readonly #parsers: Parsers;
  readonly #matchers = new Map<string, { readonly hash: string; readonly loading: Promise<RuleMatcher> }>();

  /**
   * @param cache where results are kept; none by default
   * @param progress is told which rule is tried
   */
  constructor(
    private readonly files: ProductFiles,
    private readonly loadRules: RuleLoader,
    private readonly cache?: MeasureCache,
    private readonly progress?: Progress,
  ) {
    this.#parsers = new Parsers(files.dist);
    this.outlines = new PythonOutlines(this.#parsers);
  }

  /**
   * Reads which rules a choice stands for now.
   * @throws SlopLensError rules-invalid when a folder cannot be used
   */
  chooseRules(choice: RuleChoice): Promise<ChosenRules> {
    return chooseRules(choice, this.files);
  }

  /**
   * Describes a set of rules, and what of it cannot be used for these languages.
   * @throws SlopLensError rules-invalid when the rule folders cannot be used
   */
  async ruleSet(rules: ChosenRules, languages: readonly LanguageId[]): Promise<RuleSetInfo> {
    const known = this.knownRuleSet(rules, languages);
    if (known !== undefined) return known;
    const info = await (await this.#ruleMatcher(rules)).describe(languages);
    this.cache?.keepRuleSet(rules, languages, info);
    return info;
  }

  /** The rule set as far as it can be told without making it ready. */
  knownRuleSet(rules: ChosenRules, languages: readonly LanguageId[]): RuleSetInfo | undefined {
    return this.cache?.ruleSet(rules, languages);
  }

  /** The result of a file whose content was measured before, by whomever; undefined when it was not. */
  knownResult(job: FileJob, rules: ChosenRules): FileResult | undefined {
    if (this.cache === undefined) return undefined;
    try {
      return this.cache.find({ ...job, rules }, readFileSync(job.file));
    } catch {
      // What is wrong with the file is told when it is measured.
      return undefined;
    }
  }

  /**
   * Reads and measures a file. Trouble with the file itself is a result, not an error.
   * @param number of the file, by which its progress is told
   * @throws SlopLensError when rules or grammar cannot be loaded
   */
  async measureFile(job: FileJob, rules: ChosenRules, number = 0): Promise<FileResult> {
    const read = readBytes(job.file);
    if ("skipped" in read) return read;
    const { bytes } = read;
    const context = { ...job, rules };
    const known = this.cache?.find(context, bytes);
    if (known !== undefined) return known;
    const text = decode(bytes);
    const foreign = foreignText(text, job.language);
    if (foreign !== undefined) return { skipped: foreign };
    const { measure, isAsChosen } = await this.#measurerOf(job.language, rules);
    try {
      const result = measure(job.path, text, number);
      if (isAsChosen) this.cache?.keep(context, bytes, result);
      return result;
    } catch (error) {
      return { skipped: `analysis failed: ${error instanceof Error ? error.message : String(error)}` };
    }
  }

  /** The rule that progress was told of by a number. */
  async ruleAt(rules: ChosenRules, language: LanguageId, number: number): Promise<RulePlace | undefined> {
    const scanner = await (await this.#ruleMatcher(rules)).rulesFor(language);
    return scanner?.ruleAt?.(number);
  }

  /** What a document that stays open is measured with. @throws SlopLensError when grammar or rules cannot be loaded */
  async toolsFor(language: LanguageId, choice: RuleChoice): Promise<DocumentTools> {
    const [grammar, matcher] = await Promise.all([
      this.#parsers.ready(languageById(language)),
      this.chooseRules(choice).then((chosen) => this.#ruleMatcher(chosen)),
    ]);
    return { grammar, rules: await matcher.rulesFor(language), ruleSet: await matcher.describe([language]) };
  }

  async #measurerOf(
    language: LanguageId,
    rules: ChosenRules,
  ): Promise<{ measure: (path: string, text: string, number: number) => FileResult; isAsChosen: boolean }> {
    const [parse, matcher] = await Promise.all([
      this.#parsers.load(languageById(language)),
      this.#ruleMatcher(rules),
    ]);
    const scanner = await matcher.rulesFor(language);
    const measure = (path: string, text: string, number: number): FileResult => {
      this.progress?.beginFile(number);
      const tree = parse(text);
      if (tree === undefined) return { skipped: "syntax error" };
      const measures = measureTree(tree);
      const fault = faultOf(measures);
      if (fault !== undefined) return { skipped: fault };
      return { measures: { ...measures, ...scanner?.scan(path, tree, this.progress) } };
    };
    // Rules that were changed meanwhile, or cannot be applied here, are others than the key would tell.
    return { measure, isAsChosen: matcher.hash === rules.hash && scanner?.isWhole !== false };
  }

  #ruleMatcher({ choice, hash }: ChosenRules): Promise<RuleMatcher> {
    const key = keyOf(choice);
    const ready = this.#matchers.get(key);
    if (ready?.hash === hash) return ready.loading;
    const loading = this.loadRules(choice, this.files, this.#parsers, this.cache?.made);
    this.#matchers.set(key, { hash, loading });
    // A folder that was broken may be mended by the next call.
    loading.catch(() => {
      if (this.#matchers.get(key)?.loading === loading) this.#matchers.delete(key);
    });
    return loading;
  }
}

function keyOf({ folders, added, off }: RuleChoice): string {
  return JSON.stringify([folders ?? null, added, off]);
}
