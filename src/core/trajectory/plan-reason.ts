import type { StopReason } from "./stop.js";

type None = object;
interface OfCheckpoint {
  readonly checkpoint: string;
}
/** What the turn's record tells of it, as it stands there; undefined where it tells nothing. */
interface Told {
  readonly told: string | undefined;
}
/** Variables. */
interface Names {
  readonly names: readonly string[];
}

/** Tries that cannot be compared with the others. */
export interface LostTries {
  /** Whether the chosen one is among them, whose number its place does not tell. */
  readonly chosen: boolean;
  /** Numbers of the others. */
  readonly numbers: readonly number[];
}

/** Every kind of reason with its values. */
interface ReasonValues {
  readonly stopped: { readonly stop: StopReason };
  readonly "depends-on": OfCheckpoint;
  readonly "not-reached": None;
  readonly "asked-for": None;
  readonly "tries-there": { readonly there: number; readonly of: number };
  readonly "tries-lost": LostTries;
  readonly "no-snapshot": Told;
  readonly infrastructure: Told;
  readonly "agent-error-retried": None;
  readonly "agent-error-kept": None;
  readonly "agent-timeout-retried": None;
  readonly "agent-timeout-kept": None;
  readonly "record-unreadable": None;
  readonly "record-missing": None;
  readonly "followed-gone": OfCheckpoint;
  readonly "followed-later": OfCheckpoint;
  readonly "spec-changed": None;
  readonly "prompt-changed": None;
  readonly "snapshot-changed": None;
  readonly "tests-changed": None;
  readonly "assets-changed": None;
  readonly "recording-changed": None;
  readonly "evaluation-changed": None;
  readonly "evaluation-secrets-changed": Names;
  readonly "agent-changed": None;
  readonly "agent-environment-changed": None;
  readonly "agent-secrets-changed": Names;
  readonly "start-changed": None;
  readonly "start-gone": None;
}

/** Every kind of note with its values. */
interface NoteValues {
  /** The pack is now called `pack`; the run goes on under the name `run`. */
  readonly "pack-renamed": { readonly pack: string; readonly run: string };
  readonly "checkpoint-gone": OfCheckpoint;
  /** A run beside this one, by the name of its folder. */
  readonly "run-unreadable": { readonly run: string };
}

type OneOf<Values, Kind extends keyof Values> = {
  [Own in Kind]: { readonly kind: Own } & Values[Own];
}[Kind];

/**
 * Why a plan does with a checkpoint what it does, as a kind and its values. Hosts word it in their language
 * (`src/core/report/plan-words.ts`); checkpoints are named as their folders are.
 */
export type PlanReason<Kind extends keyof ReasonValues = keyof ReasonValues> = OneOf<ReasonValues, Kind>;

/** What a plan says that belongs to no checkpoint that it takes. */
export type PlanNote<Kind extends keyof NoteValues = keyof NoteValues> = OneOf<NoteValues, Kind>;

export type ReasonKind = keyof ReasonValues;
export type NoteKind = keyof NoteValues;
