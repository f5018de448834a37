import type { Group } from "./problem.js";

export type TestStatus = "passed" | "failed" | "skipped" | "error";

/** Names one hidden test; (`checkpoint`, `id`) is unique within an evaluation. */
export interface TestIdentity {
  /** pytest's node id without the file part, for example `test_add[two items]`. */
  readonly id: string;
  /** Checkpoint whose test file holds the test. */
  readonly checkpoint: string;
  readonly group: Group;
  /** Test file name, for example `test_checkpoint_2.py`. */
  readonly file: string;
  /** 1-based line of the test function, where known. */
  readonly line: number | undefined;
}

export interface TestOutcome extends TestIdentity {
  readonly status: TestStatus;
  /** Sum of setup, call and teardown; undefined where a stored result does not tell. */
  readonly durationMs: number | undefined;
  /** pytest's words on a failure, shortened to 8,000 characters. */
  readonly message: string | undefined;
}

export interface GroupCount {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
}

export type GroupCounts = Readonly<Record<Group, GroupCount>>;

/**
 * passed: all tests passed. failed: at least one did not. agent-error, agent-timeout: the agent did not finish its
 * turn. infrastructure: the machinery failed, nothing is scored. not-reached, skipped: no turn was taken.
 */
export type Verdict =
  "passed" | "failed" | "agent-error" | "agent-timeout" | "infrastructure" | "not-reached" | "skipped";
