import type { GroupCount, GroupCounts, TestOutcome, TestStatus } from "../model/outcome.js";

const NONE: GroupCount = { passed: 0, failed: 0, skipped: 0 };

/** No test in any group. */
export const NO_COUNTS: GroupCounts = { Core: NONE, Functionality: NONE, Error: NONE, Regression: NONE };

/** Counts outcomes by group; an error counts as failed. */
export function countOutcomes(outcomes: readonly Pick<TestOutcome, "group" | "status">[]): GroupCounts {
  const counts = {
    Core: { ...NONE },
    Functionality: { ...NONE },
    Error: { ...NONE },
    Regression: { ...NONE },
  };
  for (const { group, status } of outcomes) counts[group][coarse(status)] += 1;
  return counts;
}

/** The three states that SCB's evaluation.json tells apart. */
export function coarse(status: TestStatus): keyof GroupCount {
  return status === "error" ? "failed" : status;
}
