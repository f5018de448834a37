import type { Environment } from "../model/environment.js";
import type { GroupCounts, TestIdentity, TestOutcome } from "../model/outcome.js";
import type { Checkpoint, Problem } from "../model/problem.js";
import type { Sandbox, SessionLimits } from "../sandbox/sandbox.js";

export interface EvaluationRequest {
  readonly problem: Problem;
  readonly checkpoint: Checkpoint;
  readonly environment: Environment;
  readonly sandbox: Sandbox;
  /** Host folder of the snapshot; never written. */
  readonly snapshot: string;
  readonly owner: { readonly run: string; readonly turn: string };
  /** What the container may take besides the sandbox's own limits; undefined entries count as not named. */
  readonly limits?: Pick<SessionLimits, "memoryBytes" | "cpus" | "pids"> & Pick<SessionLimits, "diskBytes">;
}

/** Hears pytest live. */
export interface EvaluationListener {
  onPreparing(line: string): void;
  onCollected(tests: readonly TestIdentity[]): void;
  onStarted(test: TestIdentity): void;
  onFinished(outcome: TestOutcome): void;
}

export interface Evaluation {
  /** False when the machinery or the tests themselves failed: then nothing may be scored. */
  readonly valid: boolean;
  /** pytest's or our words on why it is not valid, or a warning on a valid one. */
  readonly reason: string | undefined;
  readonly outcomes: readonly TestOutcome[];
  readonly counts: GroupCounts;
  readonly pytestExitCode: number | undefined;
  readonly collected: number;
  readonly seconds: number;
  readonly entrypoint: string;
  readonly pythonVersion: string | undefined;
  readonly warnings: readonly string[];
  readonly stdout: string;
  readonly stderr: string;
}
