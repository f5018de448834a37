import { NO_COUNTS } from "../model/blank-turn.js";
import type { GroupCount, GroupCounts, TestOutcome, TestStatus } from "../model/outcome.js";
import type { Group } from "../model/problem.js";

/** Counts outcomes by group; an error counts as failed. */
export function countOutcomes(outcomes: readonly Pick<TestOutcome, "group" | "status">[]): GroupCounts {
  const counts = structuredClone(NO_COUNTS) as Record<Group, Record<keyof GroupCount, number>>;
  for (const { group, status } of outcomes) counts[group][coarse(status)] += 1;
  return counts;
}

/** The three states that SCB's evaluation.json tells apart. */
export function coarse(status: TestStatus): keyof GroupCount {
  return status === "error" ? "failed" : status;
}
