import type { TestOutcome, TestStatus } from "../model/outcome.js";

/** One test that does not end alike in two evaluations of the same snapshot. */
export interface OutcomeDifference {
  /** Checkpoint whose test file holds the test. */
  readonly checkpoint: string;
  readonly id: string;
  /** Undefined where the test is not in the stored evaluation. */
  readonly stored: TestStatus | undefined;
  /** Undefined where the test is not in the new evaluation. */
  readonly now: TestStatus | undefined;
  /** Why it failed now, where it did. */
  readonly message: string | undefined;
}

/**
 * Compares two evaluations test by test. Stored SCB results know only passed, failed and skipped, so an error counts
 * as failed here.
 * @returns only tests that differ, in the order of `now`, then those that are no longer there
 */
export function outcomeDifferences(
  stored: readonly TestOutcome[],
  now: readonly TestOutcome[],
): OutcomeDifference[] {
  const before = new Map(stored.map((outcome) => [keyOf(outcome), outcome]));
  const after = new Set(now.map(keyOf));
  const changed = now
    .filter((outcome) => !isAlike(before.get(keyOf(outcome)), outcome))
    .map((outcome) =>
      difference(outcome, before.get(keyOf(outcome))?.status, outcome.status, outcome.message),
    );
  const gone = stored
    .filter((outcome) => !after.has(keyOf(outcome)))
    .map((outcome) => difference(outcome, outcome.status, undefined, undefined));
  return [...changed, ...gone];
}

function difference(
  { checkpoint, id }: TestOutcome,
  stored: TestStatus | undefined,
  now: TestStatus | undefined,
  message: string | undefined,
): OutcomeDifference {
  return { checkpoint, id, stored, now, message };
}

function isAlike(stored: TestOutcome | undefined, now: TestOutcome): boolean {
  return stored !== undefined && coarse(stored.status) === coarse(now.status);
}

function coarse(status: TestStatus): TestStatus {
  return status === "error" ? "failed" : status;
}

function keyOf({ checkpoint, id }: TestOutcome): string {
  return `${checkpoint}\0${id}`;
}
