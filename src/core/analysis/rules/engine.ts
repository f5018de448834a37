import { SlopLensError } from "../../model/errors.js";
import type { ProductFiles } from "../../model/files.js";
import type { Fault } from "../../model/problem.js";
import type { LanguageId, RuleSetInfo } from "../../model/quality.js";
import type { RuleChoice } from "../analysis.js";
import { LANGUAGES } from "../languages/languages.js";
import type { Keep, RuleMatcher } from "../measurer.js";
import { loadAstGrep, type AstGrep } from "../native.js";
import { Parsers } from "../tree/parsers.js";
import { LanguageRules, type UsableRule } from "./language-rules.js";
import { compileRule } from "./match/compile.js";
import type { Matcher } from "./match/matcher.js";
import { PatternParser } from "./match/pattern-parser.js";
import { RuleTrouble } from "./match/trouble.js";
import { refusal } from "./native-rules.js";
import type { RuleFileReading, RuleSource } from "./rule-file.js";
import { hashOf, readRuleFolders, type RuleText } from "./rule-folders.js";
import { expandoOf, languagesIn } from "./rule-language.js";
import { duplicate, isOn, ruleFault, strayIds } from "./selection.js";

/** Name of the shipped rule set in reports. */
const SHIPPED = "slop-lens";

/**
 * Loads rules from folders of ast-grep YAML. The rules of a language are compiled when it is first met.
 * @param parsers of the trees that the rules will be applied to
 * @param keep keeps what was read, since YAML takes longer to read than a small tree to measure
 * @throws SlopLensError rules-invalid when a folder is missing or empty
 */
export async function loadRules(
  choice: RuleChoice,
  files: ProductFiles,
  parsers: Parsers = new Parsers(files.dist),
  keep: Keep = (_name, _parts, make) => make(),
): Promise<RuleEngine> {
  const { texts, faults } = await readRuleFolders(choice, files.rules);
  return new RuleEngine({ choice, texts, faults }, { dist: files.dist, parsers, keep });
}

/** Rules as they were chosen. */
interface ChosenTexts {
  readonly choice: RuleChoice;
  readonly texts: readonly RuleText[];
  /** What is wrong with the folders themselves. */
  readonly faults: readonly Fault[];
}

/** What reading and compiling need of their surroundings. */
interface RuleTools {
  /** Folder of the product's compiled parts. */
  readonly dist: string;
  readonly parsers: Parsers;
  readonly keep: Keep;
}

/** The rules of one language, and what is wrong with the others that it should have. */
interface CompiledLanguage {
  readonly rules: LanguageRules | undefined;
  readonly refused: readonly RuleSource[];
  readonly faults: readonly Fault[];
}

/** A set of rules. A file is read, and a language compiled, when it is first asked for. */
export class RuleEngine implements RuleMatcher {
  readonly hash: string;
  readonly #readings = new Map<RuleText, Promise<RuleFileReading>>();
  readonly #languages = new Map<LanguageId, Promise<CompiledLanguage>>();

  constructor(
    private readonly chosen: ChosenTexts,
    private readonly tools: RuleTools,
  ) {
    this.hash = hashOf(chosen.texts, chosen.choice.off);
  }

  /** What is wrong with the rules of these languages, with files and with what was chosen. */
  async faultsIn(languages: readonly LanguageId[]): Promise<readonly Fault[]> {
    const { choice, texts, faults } = this.chosen;
    const readings = await this.#read(texts);
    const compiled = await this.#compiledAll(languages);
    const rules = readings.flatMap((reading) => reading.rules);
    return [
      ...faults,
      ...readings.flatMap((reading) => reading.faults),
      ...strayIds(choice.off, rules),
      ...compiled.flatMap((one) => one.faults),
    ];
  }

  async describe(languages: readonly LanguageId[]): Promise<RuleSetInfo> {
    const { choice, texts } = this.chosen;
    const faults = await this.faultsIn(languages);
    const refused = (await this.#compiledAll(languages)).flatMap((one) => one.refused);
    const rules = (await this.#read(texts)).flatMap((reading) => reading.rules);
    const isUsable = (rule: RuleSource) =>
      isOn(rule, choice.off) && refused.filter((one) => one === rule).length < rule.languages.length;
    const usable = rules.filter(isUsable);
    requireRules(usable.length, faults);
    // Rules of languages that are not there can match nothing, and would only make the set look larger.
    const count = usable.filter((rule) => rule.languages.some((one) => languages.includes(one))).length;
    const { folders = [SHIPPED], added } = choice;
    const name = [...folders, ...added].join(", ") || "none";
    return { name, count, hash: this.hash, ...(faults.length > 0 && { faults }) };
  }

  async rulesFor(language: LanguageId): Promise<LanguageRules | undefined> {
    return (await this.#compiled(language)).rules;
  }

  #compiledAll(languages: readonly LanguageId[]): Promise<readonly CompiledLanguage[]> {
    return Promise.all(languages.map((language) => this.#compiled(language)));
  }

  #compiled(language: LanguageId): Promise<CompiledLanguage> {
    let compiling = this.#languages.get(language);
    if (compiling === undefined) {
      compiling = this.#rulesNaming(language).then((sources) =>
        compileLanguage(language, sources, this.tools),
      );
      this.#languages.set(language, compiling);
    }
    return compiling;
  }

  async #rulesNaming(language: LanguageId): Promise<readonly RuleSource[]> {
    const { texts, choice } = this.chosen;
    const readings = await this.#read(texts.filter(({ text }) => languagesIn(text).includes(language)));
    const rules = readings.flatMap((reading) => reading.rules);
    return rules.filter((rule) => rule.languages.includes(language) && isOn(rule, choice.off));
  }

  #read(texts: readonly RuleText[]): Promise<readonly RuleFileReading[]> {
    return Promise.all(
      texts.map((source) => {
        const reading =
          this.#readings.get(source) ??
          this.tools.keep("rules", [source.file, source.text], () => readRules(source));
        this.#readings.set(source, reading);
        return reading;
      }),
    );
  }
}

/** What reads YAML is only brought into memory when there is something to read. */
async function readRules({ file, text }: RuleText): Promise<RuleFileReading> {
  const { readRuleFile } = await import("./rule-file.js");
  return readRuleFile(file, text);
}

async function compileLanguage(
  language: LanguageId,
  sources: readonly RuleSource[],
  { dist, parsers }: Omit<RuleTools, "keep">,
): Promise<CompiledLanguage> {
  const measured = LANGUAGES.find(({ id }) => id === language);
  if (sources.length === 0 || measured === undefined) return { rules: undefined, refused: [], faults: [] };
  const { parser, grammar } = await parsers.ready(measured);
  const patterns = new PatternParser(parser, grammar.source, expandoOf(language));
  const usable: UsableRule[] = [];
  const refused: Refusal[] = [];
  const seen = new Map<string, RuleSource>();
  for (const source of sources) {
    const first = seen.get(source.id);
    seen.set(source.id, first ?? source);
    const result =
      first === undefined
        ? compile(source, language, patterns, dist)
        : { source, why: duplicate(first), isWrong: true };
    if ("why" in result) refused.push(result);
    else usable.push({ source, matcher: result });
  }
  const isWhole = refused.every(({ isWrong }) => isWrong);
  return {
    rules: new LanguageRules(language, usable, isWhole),
    refused: refused.map(({ source }) => source),
    faults: refused.map(({ source, why }) =>
      ruleFault(source, language === source.languages[0] ? why : `${language}: ${why}`),
    ),
  };
}

/** A rule that cannot be applied. */
interface Refusal {
  readonly source: RuleSource;
  readonly why: string;
  /** False when another installation might apply it. */
  readonly isWrong: boolean;
}

/** Compiles a rule, or leaves it to ast-grep's own library when it says something that only that understands. */
function compile(
  source: RuleSource,
  language: LanguageId,
  patterns: PatternParser,
  dist: string,
): Matcher | AstGrep | Refusal {
  try {
    if (!needsTransform(source)) return compileRule(source, patterns, new Map());
    return native(source, language, dist, "the message names a transformed variable");
  } catch (error) {
    if (!(error instanceof RuleTrouble)) throw error;
    return native(source, language, dist, error.message);
  }
}

function native(source: RuleSource, language: LanguageId, dist: string, trouble: string): AstGrep | Refusal {
  try {
    const astGrep = loadAstGrep(dist);
    const why = refusal(source, language, astGrep);
    return why === undefined ? astGrep : { source, why, isWrong: true };
  } catch (error) {
    if (!SlopLensError.is(error, "rules-unavailable")) throw error;
    return { source, why: `${trouble} (${error.message})`, isWrong: false };
  }
}

/** Whether the rule's message names a variable that is made of others. */
function needsTransform({ transform = {}, message }: RuleSource): boolean {
  return Object.keys(transform).some((name) => message.includes(`$${name}`));
}

/** Figures that no rule has a part in would look like those of clean code. */
function requireRules(count: number, faults: readonly Fault[]): void {
  const [first, ...others] = faults.filter(({ severity }) => severity === "error");
  if (count > 0 || first === undefined) return;
  const place = [first.file, first.line, first.column].filter((part) => part !== undefined).join(":");
  const more = others.length > 0 ? ` (and ${others.length} more)` : "";
  throw new SlopLensError(
    "rules-invalid",
    `No rule can be used: ${place}: ${first.message}${more}`,
    "Correct the rules, or leave their folder out to use the shipped ones.",
  );
}
