import type { SlopLensError } from "../model/errors.js";
import type { Run, RunListener } from "../model/run.js";
import type { Turn, TurnProgress } from "../model/turn.js";

/** One trajectory to be taken: a problem, who solves it, and which try it is. */
export interface QueueItem<Plan = unknown> {
  /** Stable within its queue. */
  readonly id: string;
  readonly problem: string;
  /** How the user calls who takes the turns; the same word is the same agent. */
  readonly agent: string;
  /** 1-based, and of how many. */
  readonly attempt: number;
  readonly attempts: number;
  readonly checkpoints: number;
  /** What its containers may take at most at any moment. */
  readonly memoryBytes: number;
  /** Whether its trouble is told with it alone: it pauses nothing and is not taken again. Default false. */
  readonly standsAlone?: boolean;
  /** What the host needs to take it. */
  readonly plan: Plan;
}

/**
 * `failed`: the machinery met trouble, whatever the tests would have said. `cancelled`: the user took it out of the
 * queue. `interrupted`: the queue was ended before it was done, and can be gone on with.
 */
export const ITEM_STATES = ["waiting", "running", "finished", "failed", "cancelled", "interrupted"] as const;
export type ItemState = (typeof ITEM_STATES)[number];

/** Where an item stands. An immutable value; each change makes a new one. */
export interface ItemStatus<Plan = unknown> {
  readonly item: QueueItem<Plan>;
  readonly state: ItemState;
  /** Run folder of the newest try that has one; the next goes on in it, or takes another. */
  readonly folder: string | undefined;
  /** Run folders of tries before, which trouble ended. */
  readonly left: readonly string[];
  /** Why it failed, or waits again. */
  readonly reason: string | undefined;
  /** The run as it was told last. */
  readonly run: Run | undefined;
  /** The turn that was told last, and what it does; undefined between turns. */
  readonly turn: Turn | undefined;
  readonly progress: TurnProgress | undefined;
  /** Before its first turn: what is being made ready. */
  readonly preparing: string | undefined;
  /** How often it was begun. */
  readonly tries: number;
}

/** A status of an item that has not begun. */
export function waiting<Plan>(item: QueueItem<Plan>): ItemStatus<Plan> {
  return {
    item,
    state: "waiting",
    folder: undefined,
    left: [],
    reason: undefined,
    run: undefined,
    turn: undefined,
    progress: undefined,
    preparing: undefined,
    tries: 0,
  };
}

/** Whether nothing will happen to an item any more. */
export function isOver({ state }: Pick<ItemStatus, "state">): boolean {
  return state !== "waiting" && state !== "running";
}

/** Whether going on with its queue takes an item anew; what the user cancelled stays so. */
export function isUnfinished({ state }: Pick<ItemStatus, "state">): boolean {
  return state !== "finished" && state !== "cancelled";
}

/** Number of checkpoints that an item has behind it; all of them once it is over. */
export function checkpointsDone(status: ItemStatus): number {
  return isOver(status) ? status.item.checkpoints : checkpointsTaken(status);
}

/** Number of checkpoints that an item took; of one that failed or was cancelled those before its end. */
export function checkpointsTaken(status: ItemStatus): number {
  if (status.state === "finished") return status.item.checkpoints;
  if (status.turn === undefined) return 0;
  const isTaken = status.progress === undefined && status.turn.verdict !== undefined;
  return isTaken ? status.turn.order : status.turn.order - 1;
}

/** Why nothing new is begun. */
export interface QueuePause {
  /** `user`: asked for. `trouble`: the place where code runs is gone, and every item would fail. */
  readonly by: "user" | "trouble";
  readonly reason: string;
}

/** `paused`, or why it is. */
export function pauseWords({ by, reason }: QueuePause): string {
  return by === "user" ? "paused" : `paused: ${reason}`;
}

/** A queue at one moment. */
export interface QueueStatus<Plan = unknown> {
  /** In the order in which they were added. */
  readonly items: readonly ItemStatus<Plan>[];
  readonly pause: QueuePause | undefined;
  /** How many run at once at most. */
  readonly jobs: number;
}

/** What an item is taken with. */
export interface Taking {
  readonly listener: RunListener;
  /** Settles when the next turn may begin: at once, or when a queue that is paused goes on. Rejects on abort. */
  readonly mayGoOn: (signal: AbortSignal) => Promise<void>;
  readonly signal: AbortSignal;
  /** Where the item stands as it begins: tells of tries before. */
  readonly before: ItemStatus;
}

/**
 * Takes an item to its end: the loop in the product.
 * @throws SlopLensError trouble of the machinery
 */
export type TakeItem<Plan> = (item: QueueItem<Plan>, taking: Taking) => Promise<Run>;

/** Settles when the place where code runs answers again; undefined when nobody looks. Rejects to give up or on abort. */
export type Recover = (trouble: SlopLensError, signal: AbortSignal) => Promise<void>;
