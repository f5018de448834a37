import type { GroupCount, GroupCounts, TestOutcome, TestStatus } from "../model/outcome.js";

/** Counts outcomes by group; an error counts as failed. */
export function countOutcomes(outcomes: readonly Pick<TestOutcome, "group" | "status">[]): GroupCounts {
  const none = (): Record<keyof GroupCount, number> => ({ passed: 0, failed: 0, skipped: 0 });
  const counts = { Core: none(), Functionality: none(), Error: none(), Regression: none() };
  for (const { group, status } of outcomes) counts[group][coarse(status)] += 1;
  return counts;
}

/** The three states that SCB's evaluation.json tells apart. */
export function coarse(status: TestStatus): keyof GroupCount {
  return status === "error" ? "failed" : status;
}
