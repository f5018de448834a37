import type { LanguageId } from "../../model/quality.js";

/** Names of languages that rules may be written for, in lower case, as ast-grep spells them. */
const NAMES: Readonly<Record<string, LanguageId>> = {
  py: "python",
  python: "python",
  js: "javascript",
  jsx: "javascript",
  javascript: "javascript",
  ts: "typescript",
  typescript: "typescript",
  tsx: "tsx",
  go: "go",
  golang: "go",
  rs: "rust",
  rust: "rust",
  java: "java",
};

/** What ast-grep takes for `$` in patterns of languages in which no name may begin with it. */
const EXPANDO = "µ";
const DOLLAR_NAMES: ReadonlySet<LanguageId> = new Set(["javascript", "typescript", "tsx", "java"]);

/** What stands for `$` in patterns of a language. */
export function expandoOf(language: LanguageId): string {
  return DOLLAR_NAMES.has(language) ? "$" : EXPANDO;
}

/** Languages that rules are applied to. */
export const RULE_LANGUAGES: readonly LanguageId[] = [...new Set(Object.values(NAMES))];

/** The language that a rule file means; upper and lower case are one, as in ast-grep. */
export function ruleLanguage(name: string): LanguageId | undefined {
  const key = name.toLowerCase();
  return Object.hasOwn(NAMES, key) ? NAMES[key] : undefined;
}

/** Languages whose rules may hold for each other. */
const RELATED: readonly LanguageId[] = ["javascript", "typescript", "tsx"];

/** Languages that a rule file may be for: those whose name is a word of it, wherever that stands. */
export function languagesIn(text: string): readonly LanguageId[] {
  const named = new Set([...text.matchAll(/\w+/g)].flatMap(([word]) => ruleLanguage(word) ?? []));
  if (named.size === 0) return RULE_LANGUAGES;
  return RELATED.some((language) => named.has(language)) ? [...named, ...RELATED] : [...named];
}
