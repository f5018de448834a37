import path from "node:path";
import { SlopLensError } from "../../core/model/errors.js";
import type { Run, RunListener } from "../../core/model/run.js";
import { CONTAINER_MEMORY, defaultJobs, machineCapacity, type Capacity } from "../../core/queue/capacity.js";
import {
  isOver,
  type ItemStatus,
  type QueueItem,
  type QueueStatus,
  type Taking,
} from "../../core/queue/item.js";
import { RunQueue } from "../../core/queue/run-queue.js";
import type { PlannedRun } from "../../core/queue/queue-plan.js";
import type { QueueFile } from "../../core/queue/queue-file.js";
import type { QueueStart } from "../../core/queue/queue-start.js";
import type { QueuedRun, RunPlan } from "./plan.js";

/** Runs a plan, all its attempts; the core's loop in the product. */
export type Engine = (
  plan: RunPlan,
  listener: RunListener,
  signal: AbortSignal,
  mayGoOn: (signal: AbortSignal) => Promise<void>,
) => Promise<Run[]>;

export interface RunMeans {
  readonly engine: Engine;
  /** What the place has where a plan runs. */
  readonly capacity: (plan: RunPlan, signal: AbortSignal) => Promise<Capacity>;
}

/** A queue that is ready to begin and has its file. */
export interface OpenQueue {
  readonly start: QueueStart;
  readonly file: QueueFile;
  readonly planOf: (item: QueueItem<PlannedRun>) => RunPlan;
}

export interface QueueBounds {
  /** How many run at once at most. */
  readonly jobs: number;
  readonly memoryBytes: number;
}

/** A run that is waited for by itself. */
interface Ticket {
  readonly plan: RunPlan;
  /** Hears the run besides the queue. */
  readonly listener: RunListener;
  readonly settle: {
    readonly done: (runs: readonly Run[]) => void;
    readonly failed: (error: unknown) => void;
  };
}

/** All runs of a window: those that were started alone, and those that were chosen together. */
export class WindowQueue {
  private readonly queue: RunQueue<Ticket>;
  private readonly kept = new Map<string, Omit<QueuedRun, "before">>();
  private readonly files = new Set<QueueFile>();
  private readonly worked = new Set<string>();
  private number = 0;

  constructor(private readonly means: RunMeans) {
    const { memoryBytes } = machineCapacity();
    const take = (item: QueueItem<Ticket>, taking: Taking): Promise<Run> => this.take(item, taking);
    this.queue = new RunQueue<Ticket>({ take, jobs: defaultJobs(machineCapacity()), memoryBytes });
    this.queue.onDidChange((changed) => {
      if (changed === undefined || !isOver(changed) || changed.tries > 0) return;
      changed.item.plan.settle.failed(new SlopLensError("cancelled", "Cancelled"));
    });
  }

  get isBusy(): boolean {
    return this.queue.status.items.some((item) => !isOver(item));
  }

  /** The runs that were chosen together. */
  get several(): QueueStatus {
    const { items, ...rest } = this.queue.status;
    return { ...rest, items: items.filter(({ item }) => item.standsAlone !== true) };
  }

  readonly onDidChange = (listener: () => void): (() => void) => this.queue.onDidChange(listener);
  readonly pause = (): void => {
    this.queue.pause();
  };
  readonly resume = (): void => {
    this.queue.resume();
  };
  readonly cancel = (id: string): void => {
    this.queue.cancel(id);
  };
  readonly cancelAll = (): void => {
    this.queue.cancelAll();
  };

  /** Whether this window works on the queue of a file. */
  keeps(file: string): boolean {
    return [...this.files].some((own) => own.file === file);
  }

  /** Whether it does, or did. */
  hasKept(file: string): boolean {
    return this.worked.has(file);
  }

  /** Whether a run waits for a place. */
  isWaiting(id: string): boolean {
    return this.queue.status.items.some(({ item, state }) => item.id === id && state === "waiting");
  }

  /** Ends the run of a folder that is gone. @returns whether it was chosen together with others */
  drop(folder: string): boolean {
    const { items } = this.queue.status;
    const found = items.find((status) => !isOver(status) && status.run?.folder === folder);
    if (found === undefined) return false;
    this.queue.cancel(found.item.id);
    return found.item.standsAlone !== true;
  }

  /** Ends everything and waits until its containers are gone. */
  async stop(): Promise<void> {
    this.queue.interrupt();
    await this.queue.settled();
    await Promise.all([...this.files].map((file) => file.flush()));
  }

  /** Takes one run, at once if there is a place. @returns its id, and all its attempts as they end */
  one(plan: RunPlan, listener: RunListener): { readonly id: string; readonly runs: Promise<readonly Run[]> } {
    let settle: Ticket["settle"] | undefined;
    const runs = new Promise<readonly Run[]>((done, failed) => {
      settle = { done, failed };
    });
    const item = { ...this.itemOf(plan, listener, settle), standsAlone: true };
    if (!this.isBusy) this.queue.forget();
    this.queue.add([item]);
    return { id: item.id, runs };
  }

  /** Takes queues to their end, keeping their files. @returns how their items ended */
  async many(
    queues: readonly OpenQueue[],
    bounds: QueueBounds,
    listener: RunListener,
  ): Promise<readonly ItemStatus[]> {
    if (!this.isBusy) this.queue.forget();
    this.queue.setBounds(bounds.jobs, bounds.memoryBytes);
    const ends = queues.map((open) => this.toItsEnd(open, listener));
    return (await Promise.all(ends)).flat();
  }

  private async toItsEnd({ start, file, planOf }: OpenQueue, listener: RunListener): Promise<ItemStatus[]> {
    const name = path.basename(file.file);
    const items = start.items.map((item) => ({
      ...this.itemOf(planOf(item), listener),
      ...{ problem: item.problem, agent: item.agent, attempt: item.attempt, attempts: item.attempts },
      ...{ checkpoints: item.checkpoints, memoryBytes: item.memoryBytes },
    }));
    for (const [index, item] of items.entries()) {
      const kept = start.items[index];
      if (kept !== undefined) this.kept.set(item.id, { item: kept, plan: start.plan, queue: name });
    }
    const statuses = (): ItemStatus[] =>
      this.queue.status.items.filter(({ item }) => items.some(({ id }) => id === item.id));
    const release = file.hold();
    this.files.add(file);
    this.worked.add(file.file);
    const ended = new Promise<void>((resolve) => {
      const stop = this.queue.onDidChange(() => {
        const now = statuses();
        file.keep(
          now.map((status) => ({ ...status, item: this.kept.get(status.item.id)?.item ?? status.item })),
        );
        if (now.length < items.length || !now.every(isOver)) return;
        stop();
        resolve();
      });
    });
    this.queue.add(items, earlierOf(items, start));
    try {
      await ended;
      await file.flush();
    } finally {
      release();
    }
    this.files.delete(file);
    return statuses();
  }

  private async take({ id, plan: ticket }: QueueItem<Ticket>, taking: Taking): Promise<Run> {
    const { plan, settle } = ticket;
    const kept = this.kept.get(id);
    const listener: RunListener = (event) => {
      taking.listener(event);
      ticket.listener(event);
    };
    try {
      const own = kept === undefined ? plan : { ...plan, queued: { ...kept, before: taking.before } };
      const runs = await this.means.engine(own, listener, taking.signal, taking.mayGoOn);
      const last = runs.at(-1);
      if (last === undefined) throw new SlopLensError("internal", "The loop took no run");
      settle.done(runs);
      return last;
    } catch (error) {
      settle.failed(error);
      throw error;
    }
  }

  private itemOf(
    plan: RunPlan,
    listener: RunListener,
    settle: Ticket["settle"] = { done: () => undefined, failed: () => undefined },
  ): QueueItem<Ticket> {
    this.number += 1;
    return {
      id: String(this.number),
      problem: plan.problem.name,
      agent: "",
      attempt: 1,
      attempts: 1,
      checkpoints: plan.problem.checkpoints.length,
      memoryBytes: CONTAINER_MEMORY,
      plan: { plan, listener, settle },
    };
  }
}

/** Where items stand, by the items of this window. */
function earlierOf(
  items: readonly QueueItem<Ticket>[],
  { items: planned, earlier }: QueueStart,
): ItemStatus<Ticket>[] {
  return items.flatMap((item, index) => {
    const known = earlier.find((status) => status.item.id === planned[index]?.id);
    return known === undefined ? [] : [{ ...known, item }];
  });
}
