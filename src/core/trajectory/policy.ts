import type { GroupCount, GroupCounts } from "../model/outcome.js";
import type { PassPolicy } from "../model/policy.js";
import { GROUPS, type Group } from "../model/problem.js";

const NON_ERROR: readonly Group[] = ["Core", "Functionality", "Regression"];

type Rule = (counts: GroupCounts) => boolean;

const RULES: Readonly<Record<PassPolicy, Rule>> = {
  any: () => true,
  "any-case": (counts) => GROUPS.some((group) => counts[group].passed > 0),
  "all-cases": (counts) => GROUPS.every((group) => allPassed(counts[group])),
  "all-non-error-cases": (counts) => NON_ERROR.every((group) => allPassed(counts[group])),
  "core-cases": (counts) => allPassed(counts.Core),
  "any-core-cases": (counts) => counts.Core.passed > 0,
  "all-core-cases": (counts) => allPassed(counts.Core),
};

/** Whether outcomes meet a policy. Skipped tests do not count; a group without tests is passed as a whole. */
export function meetsPolicy(policy: PassPolicy, counts: GroupCounts): boolean {
  return RULES[policy](counts);
}

function allPassed(count: GroupCount): boolean {
  return count.failed === 0;
}
