import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { languageById } from "../../../src/core/analysis/languages/languages.js";
import type { RuleScan } from "../../../src/core/analysis/measurer.js";
import { loadAstGrep } from "../../../src/core/analysis/native.js";
import type { RuleEngine } from "../../../src/core/analysis/rules/engine.js";
import { NativeText } from "../../../src/core/analysis/rules/native-rules.js";
import { readRuleFile, type RuleSource } from "../../../src/core/analysis/rules/rule-file.js";
import type { FlatTree } from "../../../src/core/analysis/tree/flat-tree.js";
import { Parsers } from "../../../src/core/analysis/tree/parsers.js";
import type { LanguageId } from "../../../src/core/model/quality.js";
import { productFiles } from "./product-files.js";

const parsers = new Parsers(productFiles.dist);

/** The tree of a text, which must have no syntax error. */
export async function parse(language: LanguageId, text: string): Promise<FlatTree> {
  const tree = (await parsers.load(languageById(language)))(text);
  if (tree === undefined) throw new Error(`syntax error in ${text}`);
  return tree;
}

/** What gives the tree of a text, and undefined for one with syntax errors in a language that skips them. */
export function tryParse(language: LanguageId): Promise<(text: string) => FlatTree | undefined> {
  return parsers.load(languageById(language));
}

/** The matches of an engine's rules in a text, which must have no syntax error. */
export async function scan(
  engine: RuleEngine,
  file: string,
  language: LanguageId,
  text: string,
): Promise<RuleScan> {
  const tree = await parse(language, text);
  return (await engine.rulesFor(language))?.scan(file, tree) ?? { matches: [], suppressed: [] };
}

/** All matches of rules as ast-grep's own library finds them, one rule after the other: `rule line:column-line:column`. */
export function nativeMatches(rules: readonly RuleSource[], language: LanguageId, text: string): string[] {
  const parsed = new NativeText(loadAstGrep(productFiles.dist), language, text.replace(/\r\n?/g, "\n"));
  const own = rules.filter(({ languages }) => languages.includes(language));
  return own
    .flatMap((rule) => parsed.find(rule, rule.message).map((hit) => placeOf({ ...hit, rule: rule.id })))
    .sort();
}

interface Place {
  readonly rule: string;
  readonly start: number;
  readonly startColumn: number;
  readonly end: number;
  readonly endColumn: number;
  readonly message: string;
}

export function placeOf({ rule, start, startColumn, end, endColumn, message }: Place): string {
  return `${rule} ${start}:${startColumn}-${end}:${endColumn} ${message}`;
}

/** All rules that lie below a folder. */
export function rulesIn(folder: string): RuleSource[] {
  const names = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((name) =>
    name.endsWith(".yaml"),
  );
  return names.flatMap((name) => {
    const file = path.join(folder, name);
    return [...readRuleFile(file, readFileSync(file, "utf8")).rules];
  });
}
