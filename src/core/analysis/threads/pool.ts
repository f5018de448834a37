import { availableParallelism } from "node:os";
import { setTimeout as delay } from "node:timers/promises";
import type { Fault } from "../../model/problem.js";
import type { LanguageId, RuleSetInfo } from "../../model/quality.js";
import type { ChosenRules } from "../cache/chosen-rules.js";
import { storedResult } from "../cache/encode.js";
import type { Batch } from "../engine.js";
import type { FileJob, FileResult, RulePlace } from "../measurer.js";
import { Progress } from "./progress.js";
import type { MeasurerCalls, WorkerStart } from "./protocol.js";
import { Thread, ThreadLost, type ThreadLimits } from "./thread.js";

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
/** A thread costs about as much to start as it takes to measure so much, in bytes. */
const BYTES_PER_THREAD = 512 * 1024;
/**
 * A thread that needs more memory is ended, which costs the file that it was at. Little of what measuring makes is
 * still needed after the file, so that a larger young generation costs memory and saves no time.
 */
const LIMITS: ThreadLimits = { mostMemory: 1024, youngMemory: 12 };
const IDLE_MS = 30_000;
/** So many bytes, measured together, fill the threads' memory, and take so long that starting threads anew is nothing. */
const LARGE_BATCH = 16 * 1024 * 1024;
const STUCK_MS = 1000;

/**
 * Measures files on worker threads. A thread that dies or hangs costs the file it was at; it is found by measuring
 * what was open in that thread again, one by one.
 */
export class Pool implements Batch {
  readonly #threads = new Set<MeasurerThread>();
  readonly #most: number;
  readonly #limitMs: number;
  readonly #progress = new WeakMap<MeasurerThread, Progress>();
  /** Numbers by which threads tell what file they are at. */
  readonly #numbers = new WeakMap<FileJob, number>();
  #lastNumber = 0;
  #alone: Promise<unknown> = Promise.resolve();
  #running = 0;
  #idle: NodeJS.Timeout | undefined;

  constructor(private readonly options: PoolOptions) {
    this.#most = options.threads ?? availableParallelism();
    this.#limitMs = (options.secondsPerFile ?? 60) * 1000;
  }

  ruleSet(rules: ChosenRules, languages: readonly LanguageId[], signal: AbortSignal): Promise<RuleSetInfo> {
    const question = { rules, languages };
    return this.#whileAwake(async () => {
      try {
        return await this.#askRuleSet(question, signal);
      } catch (error) {
        if (!(error instanceof ThreadLost)) throw error;
        // The thread may have been lost over a file that it measured beside.
        return this.#askRuleSet(question, signal);
      }
    });
  }

  async measure(
    jobs: readonly FileJob[],
    rules: ChosenRules,
    signal: AbortSignal,
  ): Promise<readonly FileResult[]> {
    const results = await this.#whileAwake(() => this.#measure(jobs, rules, signal));
    // What is put together of so much takes its own room.
    if (this.#running === 0 && sizeOf(jobs) > LARGE_BATCH) await this[Symbol.asyncDispose]();
    return results;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    clearTimeout(this.#idle);
    const threads = [...this.#threads];
    this.#threads.clear();
    await Promise.all(threads.map((thread) => thread.close()));
  }

  /** Keeps the threads while work is done, and for a while after it. */
  async #whileAwake<Value>(work: () => Promise<Value>): Promise<Value> {
    clearTimeout(this.#idle);
    this.#running++;
    try {
      return await work();
    } finally {
      this.#running--;
      this.#idle = setTimeout(() => {
        if (this.#running === 0) void this[Symbol.asyncDispose]();
      }, IDLE_MS);
      this.#idle.unref();
    }
  }

  #askRuleSet(question: MeasurerCalls["ruleSet"]["args"], signal: AbortSignal): Promise<RuleSetInfo> {
    const thread = [...this.#threads].find(({ isLost }) => !isLost) ?? this.#start();
    return thread.call("ruleSet", question, signal);
  }

  async #measure(
    jobs: readonly FileJob[],
    rules: ChosenRules,
    signal: AbortSignal,
  ): Promise<readonly FileResult[]> {
    const results: FileResult[] = [];
    // The largest first, so that no thread is left with one when the others have nothing to do.
    const queue = [...jobs.entries()].sort(([, a], [, b]) => b.bytes - a.bytes).values();
    const failed = new AbortController();
    const either = AbortSignal.any([signal, failed.signal]);
    const work = async (slot: Slot) => {
      for (const [index, job] of queue) {
        results[index] = await this.#measureIn(slot, job, rules, either);
      }
    };
    const worth = Math.round(sizeOf(jobs) / BYTES_PER_THREAD);
    const count = Math.max(1, Math.min(this.#most, jobs.length, worth));
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

  async #measureIn(slot: Slot, job: FileJob, rules: ChosenRules, signal: AbortSignal): Promise<FileResult> {
    if (slot.thread.isLost) slot.thread = this.#start();
    const { thread } = slot;
    try {
      return await this.#call(thread, job, rules, signal);
    } catch (error) {
      if (!(error instanceof ThreadLost)) throw error;
      return this.#measureAlone({ job, rules, faults: [], lost: { thread, error } }, signal);
    }
  }

  /** Measures one file with nothing beside it, so that a lost thread tells on this file. */
  #measureAlone(trial: Trial, signal: AbortSignal): Promise<FileResult> {
    const result = this.#alone.then(() => this.#tryAgain(trial, signal));
    this.#alone = result.catch(() => undefined);
    return result;
  }

  /** Measures a file without the rule that the thread was lost over, if it was one, and tells that. */
  async #tryAgain({ job, rules, faults, lost }: Trial, signal: AbortSignal): Promise<FileResult> {
    const stuck = this.#progress.get(lost.thread)?.ruleOn(this.#numberOf(job));
    const thread = this.#start();
    let next: Trial = { job, rules, faults, lost };
    try {
      if (stuck !== undefined) {
        const question = { rules, language: job.language, number: stuck };
        const rule = await thread.call("ruleAt", question, signal);
        if (rule !== undefined) {
          next = { job, rules: without(rules, rule.id), faults: [...faults, leftOut(rule, job, lost)], lost };
        }
      }
      const result = await this.#call(thread, job, next.rules, signal);
      return "skipped" in result ? result : { ...result, faults: next.faults };
    } catch (error) {
      if (!(error instanceof ThreadLost)) throw error;
      if (next.faults.length === faults.length) return { skipped: `analysis failed: ${error.message}` };
      next = { ...next, lost: { thread, error } };
    } finally {
      this.#threads.delete(thread);
      await thread.close();
    }
    return this.#tryAgain(next, signal);
  }

  #numberOf(job: FileJob): number {
    const number = this.#numbers.get(job) ?? ++this.#lastNumber;
    this.#numbers.set(job, number);
    return number;
  }

  async #call(
    thread: MeasurerThread,
    job: FileJob,
    rules: ChosenRules,
    signal: AbortSignal,
  ): Promise<FileResult> {
    const watch = setTimeout(() => {
      void thread.close(`took longer than ${this.#limitMs / 1000} s`);
    }, this.#limitMs);
    watch.unref();
    try {
      return storedResult(await thread.call("measure", { job, rules, number: this.#numberOf(job) }, signal));
    } finally {
      clearTimeout(watch);
    }
  }

  #start(): MeasurerThread {
    for (const thread of this.#threads) if (thread.isLost) this.#threads.delete(thread);
    const progress = new Progress();
    const start: WorkerStart = { ...this.options.start, role: "measurer", progress: progress.memory };
    const thread: MeasurerThread = new Thread(start.workerFile, start, LIMITS);
    this.#progress.set(thread, progress);
    this.#threads.add(thread);
    return thread;
  }
}

/** A file that a thread was lost over, with what was left out before. */
interface Trial {
  readonly job: FileJob;
  readonly rules: ChosenRules;
  readonly faults: readonly Fault[];
  readonly lost: { readonly thread: MeasurerThread; readonly error: ThreadLost };
}

/** Results by these rules are not kept: no set of texts has such a hash. */
function without({ choice, hash, byPath }: ChosenRules, id: string): ChosenRules {
  return { choice: { ...choice, off: [...choice.off, id] }, hash: `${hash} without ${id}`, byPath };
}

function leftOut({ id, file, line }: RulePlace, { path }: FileJob, { error }: Trial["lost"]): Fault {
  const message = `rule ${id}: ${error.message} on ${path}, which was measured without it`;
  return { file, line, column: 1, message, severity: "error" };
}

function sizeOf(jobs: readonly FileJob[]): number {
  return jobs.reduce((sum, { bytes }) => sum + bytes, 0);
}

/** A place for a thread, which is replaced when it is lost. */
interface Slot {
  thread: MeasurerThread;
}
