import type { AttemptOf, RunPolicy } from "./policy.js";
import type { Fault } from "./problem.js";
import type { Turn, TurnProgress } from "./turn.js";

/** How the code of a run was kept apart from the machine. */
export type Isolation = "docker" | "local" | "unknown";

export interface RunAgent {
  /** `replay`, `command`, or an SCB agent type. */
  readonly type: string;
  /** What the user calls it, where that is a name of its own, as in a queue. */
  readonly name?: string | undefined;
  readonly version: string | undefined;
  readonly model: string | undefined;
  /** What the user gave: the command, or the folder that is replayed; what else the agent was set to. */
  readonly detail: string | undefined;
}

/** The part of a run that belongs to one problem. */
export interface ProblemRun {
  readonly problem: string;
  readonly folder: string;
  /** In checkpoint order; checkpoints without a folder appear with verdict `not-reached`. */
  readonly turns: readonly Turn[];
}

/** A run folder, read in whatever state it is: live, finished, interrupted, imported. */
export interface Run {
  /** Absolute path of the run folder; the id of a run. */
  readonly folder: string;
  readonly agent: RunAgent;
  /** Name of the prompt template. */
  readonly prompt: string | undefined;
  /** Hash of the prompt template's text, where the run keeps it. */
  readonly promptHash?: string | undefined;
  readonly environment: string | undefined;
  readonly isolation: Isolation;
  readonly startedAt: string | undefined;
  /** Absent where the run does not tell, as imported ones. */
  readonly policy?: RunPolicy | undefined;
  /** Absent for a run that stands alone; one of a queue is told by it also where there is one attempt. */
  readonly attempt?: AttemptOf | undefined;
  /** `interrupted`: neither running here nor closed by its runner. */
  readonly state: "running" | "finished" | "cancelled" | "interrupted";
  readonly problems: readonly ProblemRun[];
  /** Files that could not be read; the rest of the run is shown all the same. */
  readonly faults: readonly Fault[];
}

/** What the loop tells while it works. Every consumer (store, CLI, tests) hears the same events in the same order. */
export type RunEvent =
  | { readonly type: "run-started"; readonly run: Run }
  | {
      readonly type: "turn-progress";
      readonly folder: string;
      readonly turn: Turn;
      readonly progress: TurnProgress;
    }
  | {
      readonly type: "turn-finished";
      readonly folder: string;
      readonly turn: Turn;
      /** Wall time of what was done now: of a turn that is only evaluated again, without what its agent had taken. */
      readonly seconds?: number | undefined;
    }
  | { readonly type: "run-finished"; readonly run: Run }
  | { readonly type: "log"; readonly level: "debug" | "info" | "warn" | "error"; readonly message: string };

export type RunListener = (event: RunEvent) => void;
