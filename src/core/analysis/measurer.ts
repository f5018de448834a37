import { readFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import type { ProductFiles } from "../model/files.js";
import type { LanguageId, RuleMatch, RuleSetInfo } from "../model/quality.js";
import type { AnalysisOptions, RuleChoice } from "./analysis.js";
import { chooseRules, type ChosenRules } from "./cache/chosen-rules.js";
import type { MeasureCache } from "./cache/measure-cache.js";
import { codeOf } from "./discovery.js";
import { languageById } from "./languages/languages.js";
import { faultOf, measureTree, type FileMeasures } from "./measure.js";
import { decode } from "./source.js";
import { Parsers, type ReadyGrammar } from "./tree/parsers.js";

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
  /** Size of the file. */
  readonly bytes: number;
}

export type FileResult = { readonly measures: FileMeasures } | { readonly skipped: string };

/** Bytes that are looked at to tell binary files. */
const SNIFFED_BYTES = 8192;

/** Measures files and texts in the thread it lives in. Keeps parsers and rule sets ready between calls. */
export class Measurer {
  readonly #parsers: Parsers;
  readonly #chosen = new Map<string, Promise<ChosenRules>>();
  readonly #matchers = new Map<string, { readonly hash: string; readonly loading: Promise<RuleMatcher> }>();

  /** @param cache where results are kept; none by default */
  constructor(
    private readonly files: ProductFiles,
    private readonly loadRules: RuleLoader,
    private readonly cache?: MeasureCache,
  ) {
    this.#parsers = new Parsers(files.dist);
  }

  /**
   * Reads which rules a choice stands for now.
   * @throws SlopLensError rules-invalid when a folder cannot be used
   */
  chooseRules(choice: RuleChoice): Promise<ChosenRules> {
    const chosen = chooseRules(choice, this.files);
    this.#chosen.set(keyOf(choice), chosen);
    return chosen;
  }

  /** @throws SlopLensError rules-invalid when the rule folders cannot be used */
  async ruleSet(rules: ChosenRules): Promise<RuleSetInfo> {
    const known = this.knownRuleSet(rules);
    if (known !== undefined) return known;
    const { info } = await this.#ruleMatcher(rules);
    this.cache?.keepRuleSet(rules, info);
    return info;
  }

  /** The rule set as far as it can be told without making it ready. */
  knownRuleSet(rules: ChosenRules): RuleSetInfo | undefined {
    return this.cache?.ruleSet(rules);
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
   * @throws SlopLensError when rules or grammar cannot be loaded
   */
  async measureFile(job: FileJob, rules: ChosenRules): Promise<FileResult> {
    let bytes: Uint8Array;
    try {
      bytes = await readFile(job.file);
    } catch (error) {
      return { skipped: `unreadable (${codeOf(error)})` };
    }
    if (bytes.subarray(0, SNIFFED_BYTES).includes(0)) return { skipped: "binary" };
    const context = { ...job, rules };
    const known = this.cache?.find(context, bytes);
    if (known !== undefined) return known;
    const { measure, isAsChosen } = await this.#measurerOf(job.language, rules);
    try {
      const result = measure(job.path, decode(bytes));
      if (isAsChosen) this.cache?.keep(context, bytes, result);
      return result;
    } catch (error) {
      return { skipped: `analysis failed: ${error instanceof Error ? error.message : String(error)}` };
    }
  }

  /**
   * Measures a text with the rules as they were when they were last chosen.
   * @returns undefined when syntax errors keep the text from being measured
   */
  async measureText(
    language: LanguageId,
    path: string,
    text: string,
    options: AnalysisOptions,
  ): Promise<FileMeasures | undefined> {
    const rules = await this.#lastChosen(options.rules);
    const known = this.cache?.find({ language, path, rules }, Buffer.from(text));
    const result = known ?? (await this.#measurerOf(language, rules)).measure(path, text);
    return "measures" in result ? result.measures : undefined;
  }

  /** The rule set that `measureText` applies. */
  async textRuleSet(choice: RuleChoice): Promise<RuleSetInfo> {
    return this.ruleSet(await this.#lastChosen(choice));
  }

  #lastChosen(choice: RuleChoice): Promise<ChosenRules> {
    return this.#chosen.get(keyOf(choice)) ?? this.chooseRules(choice);
  }

  /** What a document that stays open is measured with. @throws SlopLensError when grammar or rules cannot be loaded */
  async toolsFor(
    language: LanguageId,
    choice: RuleChoice,
  ): Promise<{ readonly grammar: ReadyGrammar; readonly rules: RuleMatcher }> {
    const [grammar, rules] = await Promise.all([
      this.#parsers.ready(languageById(language)),
      this.chooseRules(choice).then((chosen) => this.#ruleMatcher(chosen)),
    ]);
    return { grammar, rules };
  }

  async #measurerOf(
    language: LanguageId,
    rules: ChosenRules,
  ): Promise<{ measure: (path: string, text: string) => FileResult; isAsChosen: boolean }> {
    const [parse, matcher] = await Promise.all([
      this.#parsers.load(languageById(language)),
      this.#ruleMatcher(rules),
    ]);
    const measure = (path: string, text: string): FileResult => {
      const tree = parse(text);
      if (tree === undefined) return { skipped: "syntax error" };
      const measures = measureTree(tree);
      const fault = faultOf(measures);
      if (fault !== undefined) return { skipped: fault };
      // Rules parse the text once more, with ast-grep's own parser; without rules that is saved.
      const scan = matcher.info.count === 0 ? undefined : matcher.scan(path, language, tree.source.text);
      return { measures: { ...measures, ...scan } };
    };
    // Rules that could not be loaded, or were changed meanwhile, are others than the key would tell.
    return { measure, isAsChosen: matcher.info.hash === rules.hash };
  }

  #ruleMatcher({ choice, hash }: ChosenRules): Promise<RuleMatcher> {
    const key = keyOf(choice);
    const ready = this.#matchers.get(key);
    if (ready?.hash === hash) return ready.loading;
    const loading = this.loadRules(choice, this.files);
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
