import path from "node:path";
import type { Fault } from "../../model/problem.js";
import { suggestion } from "../../problem/suggest.js";
import type { RuleSource } from "./rule-file.js";

/** Ids that are switched off and that no rule has: most likely misspelt. */
export function strayIds(off: readonly string[], rules: readonly RuleSource[]): Fault[] {
  const known = [...new Set(rules.map(({ id }) => id))];
  return off
    .filter((id) => !known.includes(id))
    .map((id) => ({
      file: path.dirname(rules[0]?.file ?? ""),
      line: undefined,
      column: undefined,
      message: `no rule has the id ${id}, which is to be switched off${suggestion(id, known)}`,
      severity: "warning",
    }));
}

/**
 * Rules that are switched on, the first of each id in a language; what is wrong with the others goes to `faults`.
 * Rules of one meaning share their id over languages, so that one word switches the pattern off in all of them.
 */
export function switchedOn(
  sources: readonly RuleSource[],
  off: readonly string[],
  faults: Fault[],
): RuleSource[] {
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

function duplicate(first: RuleSource): string {
  return `the id is used before, in ${path.basename(first.file)} line ${first.line}`;
}

/** Says what is wrong with a rule. */
export function ruleFault({ file, line, id }: RuleSource, trouble: string): Fault {
  return { file, line, column: 1, message: `rule ${id}: ${trouble}`, severity: "error" };
}
