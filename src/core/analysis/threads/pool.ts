import { availableParallelism } from "node:os";
import { setTimeout as delay } from "node:timers/promises";
import type { AnalysisOptions } from "../analysis.js";
import type { Batch } from "../engine.js";
import type { FileJob, FileResult } from "../measurer.js";
import type { MeasurerCalls, WorkerStart } from "./protocol.js";
import { Thread, ThreadLost } from "./thread.js";

export interface PoolOptions {
  readonly start: Omit<WorkerStart, "role">;
  /** Most threads; default as many as cores. */
  readonly threads?: number;
  /** After this time on one file its thread is given up; default 60. */
  readonly secondsPerFile?: number;
}

type MeasurerThread = Thread<MeasurerCalls>;

/** Calls that wait in a thread, so that it reads the next file while it measures one. */
const CALLS_PER_THREAD = 2;
/** A thread costs about as much to start as it takes to measure so much. */
const FILES_PER_THREAD = 12;
const IDLE_MS = 30_000;
const STUCK_MS = 1000;

/**
 * Measures files on worker threads. A thread that dies or hangs costs the file it was at; it is found by measuring
 * what was open in that thread again, one by one.
 */
export class Pool implements Batch {
  readonly #threads = new Set<MeasurerThread>();
  readonly #most: number;
  readonly #limitMs: number;
  #alone: Promise<unknown> = Promise.resolve();
  #running = 0;
  #idle: NodeJS.Timeout | undefined;

  constructor(private readonly options: PoolOptions) {
    this.#most = options.threads ?? availableParallelism();
    this.#limitMs = (options.secondsPerFile ?? 60) * 1000;
  }

  async measure(
    jobs: readonly FileJob[],
    options: AnalysisOptions,
    signal: AbortSignal,
  ): Promise<readonly FileResult[]> {
    clearTimeout(this.#idle);
    this.#running++;
    try {
      return await this.#measure(jobs, options, signal);
    } finally {
      this.#running--;
      this.#idle = setTimeout(() => {
        if (this.#running === 0) void this[Symbol.asyncDispose]();
      }, IDLE_MS);
      this.#idle.unref();
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    clearTimeout(this.#idle);
    const threads = [...this.#threads];
    this.#threads.clear();
    await Promise.all(threads.map((thread) => thread.close()));
  }

  async #measure(
    jobs: readonly FileJob[],
    options: AnalysisOptions,
    signal: AbortSignal,
  ): Promise<readonly FileResult[]> {
    const results: FileResult[] = [];
    const queue = jobs.entries();
    const failed = new AbortController();
    const either = AbortSignal.any([signal, failed.signal]);
    const work = async (slot: Slot) => {
      for (const [index, job] of queue) {
        results[index] = await this.#measureIn(slot, job, options, either);
      }
    };
    const count = Math.min(this.#most, Math.ceil(jobs.length / FILES_PER_THREAD));
    const slots = this.#slots(count);
    try {
      await Promise.all(slots.flatMap((slot) => Array.from({ length: CALLS_PER_THREAD }, () => work(slot))));
    } catch (error) {
      failed.abort();
      for (const { thread } of slots) void this.#closeIfStuck(thread);
      throw error;
    }
    return results;
  }

  /** Gives a thread up that does not come back from a file whose result nobody waits for any more. */
  async #closeIfStuck(thread: MeasurerThread): Promise<void> {
    const answered = thread.call("ping", null).then(
      () => true,
      () => true,
    );
    const isFree = await Promise.race([answered, delay(STUCK_MS, false, { ref: false })]);
    if (!isFree) await thread.close("gave no answer after its work was cancelled");
  }

  #slots(count: number): Slot[] {
    const living = [...this.#threads].filter((thread) => !thread.isLost).slice(0, count);
    while (living.length < count) living.push(this.#start());
    return living.map((thread) => ({ thread }));
  }

  async #measureIn(
    slot: Slot,
    job: FileJob,
    options: AnalysisOptions,
    signal: AbortSignal,
  ): Promise<FileResult> {
    if (slot.thread.isLost) slot.thread = this.#start();
    try {
      return await this.#call(slot.thread, job, options, signal);
    } catch (error) {
      if (!(error instanceof ThreadLost)) throw error;
      return this.#measureAlone(job, options, signal);
    }
  }

  /** Measures one file with nothing beside it, so that a lost thread tells on this file. */
  #measureAlone(job: FileJob, options: AnalysisOptions, signal: AbortSignal): Promise<FileResult> {
    const result = this.#alone.then(async (): Promise<FileResult> => {
      const thread = this.#start();
      try {
        return await this.#call(thread, job, options, signal);
      } catch (error) {
        if (!(error instanceof ThreadLost)) throw error;
        return { skipped: `analysis failed: ${error.message}` };
      } finally {
        this.#threads.delete(thread);
        await thread.close();
      }
    });
    this.#alone = result.catch(() => undefined);
    return result;
  }

  async #call(
    thread: MeasurerThread,
    job: FileJob,
    options: AnalysisOptions,
    signal: AbortSignal,
  ): Promise<FileResult> {
    const settled = new AbortController();
    const watch = delay(this.#limitMs, undefined, { ref: false, signal: settled.signal });
    watch.then(
      () => thread.close(`took longer than ${this.#limitMs / 1000} s`),
      () => undefined,
    );
    try {
      return await thread.call("measure", { job, options }, signal);
    } finally {
      settled.abort();
    }
  }

  #start(): MeasurerThread {
    for (const thread of this.#threads) if (thread.isLost) this.#threads.delete(thread);
    const start: WorkerStart = { ...this.options.start, role: "measurer" };
    const thread: MeasurerThread = new Thread(start.workerFile, start);
    this.#threads.add(thread);
    return thread;
  }
}

/** A place for a thread, which is replaced when it is lost. */
interface Slot {
  thread: MeasurerThread;
}
