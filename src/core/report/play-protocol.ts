/** What the Play view shows as plain data, and the messages between its page and its host. Types only. */
import type { Verdict } from "../model/outcome.js";
import type { Reference } from "./plot-protocol.js";

/** The followed callable at one checkpoint. */
export interface PlayedCallable {
  /** Qualified name. */
  readonly name: string;
  readonly cc: number;
  readonly mass: number;
  /** Of the snapshot's mass, 0 to 1. */
  readonly share: number;
}

export interface PlayStep {
  readonly order: number;
  readonly checkpoint: string;
  readonly verdict: Verdict | undefined;
  readonly erosion: number | null;
  /** Null where it does not exist or the snapshot is missing. */
  readonly followed: PlayedCallable | null;
  /** What is to be said of this step, one sentence each: no snapshot, renamed, does not exist. */
  readonly notes: readonly string[];
}

export interface PlayChoice {
  readonly id: string;
  readonly name: string;
}

export type PlayMode = "changes" | "file";

export interface PlayData {
  /** For example `shelf · replay: rotting`. */
  readonly title: string;
  /** In checkpoint order; at least one. */
  readonly steps: readonly PlayStep[];
  /** Index of the step that the editor shows. */
  readonly at: number;
  readonly mode: PlayMode;
  /** Name and id of the followed callable; undefined while none is known. */
  readonly followed: PlayChoice | undefined;
  /** The callables that can be followed, heaviest first. */
  readonly choices: readonly PlayChoice[];
  readonly human: Reference | undefined;
  /** The run goes on, so steps may come. */
  readonly live: boolean;
  /** How many of the snapshots have been read; the growth is shown when all are. */
  readonly read: number;
}

export interface ToPlayPage {
  readonly type: "data";
  readonly data: PlayData;
}

export type ToPlayHost =
  | { readonly type: "ready" }
  /** Shows the step of this index. */
  | { readonly type: "step"; readonly index: number }
  | { readonly type: "follow"; readonly id: string }
  | { readonly type: "mode"; readonly mode: PlayMode };
