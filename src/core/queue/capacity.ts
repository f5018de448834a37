import os from "node:os";
import { DEFAULT_MEMORY } from "../sandbox/docker/container-options.js";

/** What a container of a run may take where no limit is set. */
export const CONTAINER_MEMORY = DEFAULT_MEMORY;

/** What the place where code runs has: of the engine's machine, which need not be this one. */
export interface Capacity {
  readonly cpus: number;
  /** 0 when it does not tell. */
  readonly memoryBytes: number;
}

/** This machine. */
export function machineCapacity(): Capacity {
  return { cpus: os.availableParallelism(), memoryBytes: os.totalmem() };
}

/**
 * How many trajectories run at once when the user does not say:
 * `max(1, min(cores, floor(memory / memory of a container)))`. A trajectory has one container at a time, which mostly
 * waits for a model or runs one test after the other.
 */
export function defaultJobs({ cpus, memoryBytes }: Capacity, containerBytes = CONTAINER_MEMORY): number {
  const byMemory = memoryBytes > 0 ? Math.floor(memoryBytes / containerBytes) : Infinity;
  return Math.max(1, Math.min(cpus, byMemory));
}

/**
 * Whether one more fits: what all containers may take together stays within the memory that there is. One alone always
 * does, as a sandbox cuts its limit down to what the machine has.
 * @param memoryBytes of the place; 0 for unknown, which is no bound
 */
export function fits(next: number, running: readonly number[], memoryBytes: number): boolean {
  if (running.length === 0 || memoryBytes === 0) return true;
  return running.reduce((sum, bytes) => sum + bytes, next) <= memoryBytes;
}
