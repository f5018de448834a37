import { checkpointsDone, checkpointsTaken, isOver, type ItemStatus } from "./item.js";

/** How far a queue is. */
export interface QueueCount {
  readonly running: number;
  readonly waiting: number;
  /** Items that are over, however they ended. */
  readonly over: number;
  readonly items: number;
  readonly checkpointsDone: number;
  /** Those of them that took time: what a run that failed or was cancelled did not come to is left out. */
  readonly checkpointsTaken: number;
  readonly checkpoints: number;
}

export function countQueue(items: readonly ItemStatus[]): QueueCount {
  const count = (wanted: (status: ItemStatus) => boolean): number => items.filter(wanted).length;
  return {
    running: count(({ state }) => state === "running"),
    waiting: count(({ state }) => state === "waiting"),
    over: count(isOver),
    items: items.length,
    checkpointsDone: items.reduce((sum, status) => sum + checkpointsDone(status), 0),
    checkpointsTaken: items.reduce((sum, status) => sum + checkpointsTaken(status), 0),
    checkpoints: items.reduce((sum, { item }) => sum + item.checkpoints, 0),
  };
}

/**
 * Seconds until all is done if the rest goes as what is done did, checkpoint by checkpoint.
 * @param done checkpoints that were taken in `seconds`
 * @returns undefined as long as nothing is done
 */
export function remainingSeconds(done: number, left: number, seconds: number): number | undefined {
  return done === 0 ? undefined : (seconds / done) * left;
}
