import type { GroupCounts, TestIdentity, TestOutcome, Verdict } from "./outcome.js";
import type { CallableMetrics, Profile, QualityTotals, RuleSetInfo } from "./quality.js";
import type { TurnInputs } from "./turn-inputs.js";

export type TurnOrigin = "agent" | "reference" | "replay" | "commit" | "import";
export type SessionMode = "fresh" | "continued";

/** Steps of a turn in their order; the last one reached is what a live view shows. */
export const PHASES = ["preparing", "agent", "snapshot", "testing", "measuring"] as const;
export type TurnPhase = (typeof PHASES)[number];

export interface Usage {
  readonly costUsd: number | undefined;
  readonly steps: number | undefined;
  readonly inputTokens: number | undefined;
  readonly outputTokens: number | undefined;
  readonly cacheReadTokens: number | undefined;
  readonly cacheWriteTokens: number | undefined;
  readonly reasoningTokens: number | undefined;
  /** Wall time of the agent. */
  readonly agentSeconds: number | undefined;
  /** Wall time of the hidden tests. */
  readonly testSeconds: number | undefined;
}

/** The quality of a snapshot, small enough to be kept in a turn record. */
export interface TurnQuality {
  readonly profile: Profile;
  readonly rules: RuleSetInfo;
  readonly totals: QualityTotals;
  /** At most 12 callables with the largest mass, largest first. */
  readonly heaviest: readonly CallableMetrics[];
}

/** Figures that the files of an imported run tell. Other tools measured them, so ours may differ a little. */
export interface RecordedQuality {
  readonly erosion: number | undefined;
  readonly verbosity: number | undefined;
}

/** One of several tries at a checkpoint, of which some are gone on from. */
export interface Candidate {
  /** 1-based, over all tries of the round. */
  readonly index: number;
  /** How many tries the round has. */
  readonly of: number;
}

/** The atom of the product: one checkpoint, tried once, from one parent. */
export interface Turn {
  /** Stable within its run: `<problem>/<checkpoint>`. */
  readonly id: string;
  readonly problem: string;
  readonly checkpoint: string;
  readonly order: number;
  /** Id of the turn whose snapshot this one began from; null for an empty workspace. */
  readonly parent: string | null;
  /** Where the parent lies when it is no turn of this run: the pack's own solutions, or another run's folder. */
  readonly parentIn?: "reference" | { readonly run: string } | undefined;
  /** Which of a round's tries it is; absent where a checkpoint is tried once. */
  readonly candidate?: Candidate | undefined;
  readonly origin: TurnOrigin;
  readonly session: SessionMode;
  /** Hash over paths, modes and contents of the snapshot; null while there is none. */
  readonly snapshotHash: string | null;
  /** Undefined while the turn is in progress. */
  readonly verdict: Verdict | undefined;
  /** Why, in one line, where the verdict alone does not tell. */
  readonly reason: string | undefined;
  readonly counts: GroupCounts;
  readonly outcomes: readonly TestOutcome[];
  /** Hash over the hidden tests as they were run; absent where it is not known. */
  readonly testsHash?: string | undefined;
  /** What else it was made with; absent where it is not known. */
  readonly inputs?: TurnInputs | undefined;
  readonly quality: TurnQuality | undefined;
  /** Stands in for `quality` until the snapshot is measured; imported runs only. */
  readonly recorded?: RecordedQuality | undefined;
  readonly usage: Usage;
  /** Absolute path of the checkpoint's folder in the run folder. */
  readonly folder: string;
  /** ISO 8601. */
  readonly startedAt: string | undefined;
  readonly finishedAt: string | undefined;
}

/** What a live turn adds: shown by views, never stored. */
export interface TurnProgress {
  readonly phase: TurnPhase;
  /** For example the image that is pulled, with its share done. */
  readonly detail: string | undefined;
  /** Tests that are collected but not finished, in pytest's order. */
  readonly queued: readonly TestIdentity[];
  readonly running: TestIdentity | undefined;
}
