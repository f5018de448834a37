import type { RuleBody } from "./rule-file.js";

/** A rule rewritten so that it can share one ast-grep matcher with other rules. */
export interface IsolatedRule {
  /** Utility rules by their new names; the rule itself is one of them, under `key`. */
  readonly utils: Readonly<Record<string, unknown>>;
  readonly key: string;
  /** New name of one of the rule's own metavariables. */
  readonly rename: (metavariable: string) => string;
}

const METAVARIABLE = /(\$+)([A-Z][A-Z0-9_]*)/g;
const LITERAL_WITH_DOLLAR = /"[^"]*\$[^"]*"|'[^']*\$[^']*'/;

/**
 * Gives all metavariables and utilities of a rule names of its own. Rules in one matcher share one environment:
 * without this, `$A` of one rule would have to equal `$A` of the next.
 * @param index number that no other rule of the matcher has
 * @returns undefined when the names cannot be told apart from literal text with certainty
 */
export function isolateRule(body: RuleBody, index: number): IsolatedRule | undefined {
  const rename = (name: string): string => `${name}_R${index}`;
  const key = `r${index}`;
  const names = new Set(Object.keys(body.utils ?? {}));
  try {
    const rewrite = (value: unknown): unknown => rewriteRule(value, { rename, key, names });
    const utils = Object.fromEntries(
      Object.entries(body.utils ?? {}).map(([name, rule]) => [`${key}-${name}`, rewrite(rule)]),
    );
    return { utils: { ...utils, [key]: rewrite(body.rule) }, key, rename };
  } catch (error) {
    if (error instanceof NotIsolable) return undefined;
    throw error;
  }
}

class NotIsolable extends Error {}

interface Renaming {
  readonly rename: (name: string) => string;
  readonly key: string;
  readonly names: ReadonlySet<string>;
}

function rewriteRule(value: unknown, renaming: Renaming): unknown {
  if (Array.isArray(value)) return value.map((item) => rewriteRule(item, renaming));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([field, content]) => [field, rewriteField(field, content, renaming)]),
  );
}

function rewriteField(field: string, content: unknown, renaming: Renaming): unknown {
  if (field === "pattern") {
    if (typeof content === "string") return rewritePattern(content, renaming);
    if (typeof content === "object" && content !== null && "context" in content) {
      return { ...content, context: rewritePattern(String(content.context), renaming) };
    }
  }
  if (field === "matches") {
    if (typeof content !== "string") throw new NotIsolable();
    return renaming.names.has(content) ? `${renaming.key}-${content}` : content;
  }
  return rewriteRule(content, renaming);
}

function rewritePattern(pattern: string, { rename }: Renaming): string {
  if (LITERAL_WITH_DOLLAR.test(pattern)) throw new NotIsolable();
  return pattern.replace(METAVARIABLE, (_whole, dollars: string, name: string) => dollars + rename(name));
}
