import { basename } from "node:path";
import type { SgNode } from "@ast-grep/napi";
import picomatch from "picomatch";
import { SlopLensError } from "../../model/errors.js";
import type { ProductFiles } from "../../model/files.js";
import type { Fault } from "../../model/problem.js";
import type { LanguageId, RuleMatch, RuleSetInfo } from "../../model/quality.js";
import type { RuleChoice } from "../analysis.js";
import type { RuleMatcher, RuleReach, RuleScan, SyntaxNode } from "../measurer.js";
import { loadAstGrep, type AstGrep } from "../native.js";
import { Dispatcher, matcherOf, type Hit } from "./dispatch.js";
import { reachOf } from "./reach.js";
import { readRuleFile, type RuleSource } from "./rule-file.js";
import { hashOf, readRuleFolders, type RuleText } from "./rule-folders.js";
import { RULE_LANGUAGES } from "./rule-language.js";
import { readSuppressions } from "./suppression.js";

/** A set of rules, ready to be applied. */
export interface RuleEngine extends RuleMatcher {
  readonly info: RuleSetInfo;
  /** Rules and files that cannot be used; the others are. */
  readonly faults: readonly Fault[];
  /**
   * @param path is reported, and tested against the globs of rules that have some
   * @param look is shown the root that the rules were applied to, if there was one
   */
  scan(path: string, language: LanguageId, text: string, look?: (root: SyntaxNode) => void): RuleScan;
  reach(language: LanguageId): RuleReach;
}

/** Name of the shipped rule set in reports. */
const SHIPPED = "slop-lens";

/**
 * Loads rules from folders of ast-grep YAML.
 * @returns an engine without rules, and one fault that says so, where ast-grep cannot be loaded
 * @throws SlopLensError rules-invalid when a folder is missing or empty, or none of its rules can be used
 */
export async function loadRules(
  { folders, added, off }: RuleChoice,
  files: ProductFiles,
): Promise<RuleEngine> {
  const texts = await readRuleFolders([...(folders ?? [files.rules]), ...added]);
  const name = [...(folders ?? [SHIPPED]), ...added].join(", ");
  try {
    return requireRules(new AstGrepRules(name, texts, off, loadAstGrep(files.dist)));
  } catch (error) {
    if (!SlopLensError.is(error, "rules-unavailable")) throw error;
    return noRules(name, folders?.[0] ?? files.rules, error);
  }
}

/** Figures that no rule has a part in would look like those of clean code. */
function requireRules(engine: RuleEngine): RuleEngine {
  const [first, ...others] = engine.faults;
  if (engine.info.count > 0 || first === undefined) return engine;
  const place = [first.file, first.line, first.column].filter((part) => part !== undefined).join(":");
  const more = others.length > 0 ? ` (and ${others.length} more)` : "";
  throw new SlopLensError(
    "rules-invalid",
    `No rule can be used: ${place}: ${first.message}${more}`,
    "Correct the rules, or leave their folder out to use the shipped ones.",
  );
}

/** The rules of one language, ready to be applied. */
interface LanguageRules {
  readonly rules: readonly UsableRule[];
  readonly dispatcher: Dispatcher;
  readonly reach: RuleReach;
}

const NO_REACH: RuleReach = { statements: 0, far: new Set() };

class AstGrepRules implements RuleEngine {
  readonly info: RuleSetInfo;
  readonly faults: readonly Fault[];
  readonly #astGrep: AstGrep;
  readonly #languages = new Map<LanguageId, LanguageRules>();

  constructor(name: string, texts: readonly RuleText[], off: readonly string[], astGrep: AstGrep) {
    const readings = texts.map(({ file, text }) => readRuleFile(file, text));
    const faults = readings.flatMap((reading) => reading.faults);
    const all = readings.flatMap((reading) => reading.rules);
    const sources = switchedOn(all, off, faults);
    for (const language of RULE_LANGUAGES) {
      const own = sources.filter(({ languages }) => languages.includes(language));
      const rules = own.length > 0 ? usableRules(own, language, astGrep, faults) : [];
      if (rules.length === 0) continue;
      this.#languages.set(language, { rules, dispatcher: new Dispatcher(rules), reach: reachOf(rules) });
    }
    const usable = new Set([...this.#languages.values()].flatMap(({ rules }) => rules.map(placeOf)));
    this.#astGrep = astGrep;
    this.faults = faults;
    this.info = { name, count: usable.size, hash: hashOf(texts, off), ...(faults.length > 0 && { faults }) };
  }

  reach(language: LanguageId): RuleReach {
    return this.#languages.get(language)?.reach ?? NO_REACH;
  }

  scan(path: string, language: LanguageId, text: string, look?: (root: SyntaxNode) => void): RuleScan {
    const own = this.#languages.get(language);
    if (own === undefined) return { matches: [], suppressed: [] };
    const root = this.#astGrep.parse(language, text).root();
    look?.(root);
    const isSuppressed = readSuppressions(root, text);
    const matches: RuleMatch[] = [];
    const suppressed: RuleMatch[] = [];
    for (const hit of own.dispatcher.run(root)) {
      const rule = own.rules[hit.index];
      if (rule?.appliesTo(path) !== true) continue;
      const match = toMatch(path, rule, hit);
      (isSuppressed(match.start, rule.id) ? suppressed : matches).push(match);
    }
    return { matches: matches.sort(bySource), suppressed: suppressed.sort(bySource) };
  }
}

interface UsableRule extends RuleSource {
  readonly appliesTo: (path: string) => boolean;
}

/**
 * Rules that are switched on, the first of each id in a language; what is wrong with the others goes to `faults`.
 * Rules of one meaning share their id over languages, so that one word switches the pattern off in all of them.
 */
function switchedOn(sources: readonly RuleSource[], off: readonly string[], faults: Fault[]): RuleSource[] {
  const seen = new Map<string, RuleSource>();
  return sources.filter((rule) => {
    if (rule.severity === "off" || off.includes(rule.id)) return false;
    const names = rule.languages.map((language) => `${language} ${rule.id}`);
    const first = names.map((name) => seen.get(name)).find((earlier) => earlier !== undefined);
    if (first !== undefined) faults.push(ruleFault(rule, duplicate(first)));
    else for (const name of names) seen.set(name, rule);
    return first === undefined;
  });
}

/** Where a rule is written; tells rules apart that share an id. */
function placeOf({ file, line }: RuleSource): string {
  return `${file}:${line}`;
}

/** Rules that ast-grep accepts for a language; what is wrong with the others goes to `faults`. */
function usableRules(
  sources: readonly RuleSource[],
  language: LanguageId,
  astGrep: AstGrep,
  faults: Fault[],
): UsableRule[] {
  const probe = astGrep.parse(language, "").root();
  return sources.flatMap((rule) => {
    const trouble = refusal(rule, probe);
    if (trouble === undefined) return [{ ...rule, appliesTo: pathTest(rule) }];
    faults.push(ruleFault(rule, language === rule.languages[0] ? trouble : `${language}: ${trouble}`));
    return [];
  });
}

function ruleFault({ file, line, id }: RuleSource, trouble: string): Fault {
  return { file, line, column: 1, message: `rule ${id}: ${trouble}`, severity: "error" };
}

function duplicate(first: RuleSource): string {
  return `the id is used before, in ${basename(first.file)} line ${first.line}`;
}

/** ast-grep's words on why it refuses a rule, in one line. */
function refusal(rule: RuleSource, probe: SgNode): string | undefined {
  try {
    probe.findAll(matcherOf(rule));
    return undefined;
  } catch (error) {
    const words = error instanceof Error ? error.message : String(error);
    return words.replace(/\s*\n\s*(\|->)?/g, " ").trim();
  }
}

function pathTest({ files, ignores }: RuleSource): (path: string) => boolean {
  if (files === undefined && ignores === undefined) return () => true;
  const isIncluded = files === undefined ? () => true : picomatch([...files]);
  const isIgnored = ignores === undefined ? () => false : picomatch([...ignores]);
  return (path) => isIncluded(path) && !isIgnored(path);
}

function toMatch(path: string, rule: RuleSource, hit: Hit): RuleMatch {
  const { start, end } = hit.node.range();
  return {
    path,
    start: start.line + 1,
    end: end.line + 1,
    startColumn: start.column + 1,
    endColumn: end.column + 1,
    rule: rule.id,
    message: fillIn(rule.message, hit),
    note: rule.note,
  };
}

/** Replaces `$NAME` in a message by the text that the metavariable matched. */
function fillIn(message: string, hit: Hit): string {
  if (!message.includes("$")) return message;
  return message.replace(
    /\$([A-Z_][A-Z0-9_]*)/g,
    (whole, name: string) => hit.variable(name)?.text() ?? whole,
  );
}

function bySource(a: RuleMatch, b: RuleMatch): number {
  return (
    a.start - b.start ||
    a.startColumn - b.startColumn ||
    a.end - b.end ||
    a.endColumn - b.endColumn ||
    (a.rule < b.rule ? -1 : Number(a.rule > b.rule))
  );
}

function noRules(name: string, file: string, reason: SlopLensError): RuleEngine {
  const message = `${reason.message}. ${reason.hint}`;
  const faults: Fault[] = [{ file, line: undefined, column: undefined, message, severity: "warning" }];
  return {
    info: { name, count: 0, hash: "none", faults },
    faults,
    scan: () => ({ matches: [], suppressed: [] }),
    reach: () => NO_REACH,
  };
}
