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
      file: commonFolder(rules),
      line: undefined,
      column: undefined,
      message: `no rule has the id ${id}, which is to be switched off${suggestion(id, known)}`,
      severity: "warning",
    }));
}

/** The folder that holds all rules, however deep. */
function commonFolder(rules: readonly RuleSource[]): string {
  const [first = [], ...others] = rules.map(({ file }) => path.dirname(file).split(path.sep));
  const isShared = (part: string, at: number): boolean => others.every((parts) => parts[at] === part);
  const end = first.findIndex((part, at) => !isShared(part, at));
  return (end < 0 ? first : first.slice(0, end)).join(path.sep);
}

/** Whether a rule is switched on. */
export function isOn({ id, severity }: RuleSource, off: readonly string[]): boolean {
  return severity !== "off" && !off.includes(id);
}

/** Why a rule is not applied to a language that has one of its id. */
export function duplicate(first: RuleSource): string {
  return `the id is used before, in ${path.basename(first.file)} line ${first.line}`;
}

/** Says what is wrong with a rule. */
export function ruleFault({ file, line, id }: RuleSource, trouble: string): Fault {
  return { file, line, column: 1, message: `rule ${id}: ${trouble}`, severity: "error" };
}
