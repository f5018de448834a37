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
import type { SeveralRuns } from "./choose-several.js";
import type { RunPlan } from "./plan.js";

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

/** A run that is waited for by itself. */
interface Ticket {
  readonly plan: RunPlan;
  /** Hears the run besides the queue. */
  readonly listener: RunListener;
  readonly settle: { readonly done: (run: Run) => void; readonly failed: (error: unknown) => void };
}

/** All runs of a window: those that were started alone, and those that were chosen together. */
export class WindowQueue {
  private readonly queue: RunQueue<Ticket>;
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

  /** Whether a run waits for a place. */
  isWaiting(id: string): boolean {
    return this.queue.status.items.some(({ item, state }) => item.id === id && state === "waiting");
  }

  /** Ends everything and waits until its containers are gone. */
  async stop(): Promise<void> {
    this.queue.interrupt();
    await this.queue.settled();
  }

  /** Takes one run, at once if there is a place. @returns its id, and the run as it ends */
  one(plan: RunPlan, listener: RunListener): { readonly id: string; readonly run: Promise<Run> } {
    let settle: Ticket["settle"] | undefined;
    const run = new Promise<Run>((done, failed) => {
      settle = { done, failed };
    });
    const item = this.itemOf(plan, "", listener, true, settle);
    if (!this.isBusy) this.queue.forget();
    this.queue.add([item]);
    return { id: item.id, run };
  }

  /** Takes runs that were chosen together. @returns their end, as they stand then */
  async many(runs: SeveralRuns, listener: RunListener): Promise<readonly ItemStatus[]> {
    if (!this.isBusy) this.queue.forget();
    this.queue.setBounds(runs.jobs, runs.capacity.memoryBytes);
    const items = runs.plans.map(({ plan, agent }) => this.itemOf(plan, agent, listener, false, undefined));
    this.queue.add(items);
    const own = new Set(items.map(({ id }) => id));
    const standing = (): ItemStatus[] => this.queue.status.items.filter(({ item }) => own.has(item.id));
    await new Promise<void>((resolve) => {
      const stop = this.queue.onDidChange(() => {
        if (!standing().every(isOver)) return;
        stop();
        resolve();
      });
    });
    return standing();
  }

  private async take({ plan: ticket }: QueueItem<Ticket>, taking: Taking): Promise<Run> {
    const { plan, settle } = ticket;
    const listener: RunListener = (event) => {
      taking.listener(event);
      ticket.listener(event);
    };
    try {
      const runs = await this.means.engine(plan, listener, taking.signal, taking.mayGoOn);
      const run = runs.at(-1);
      if (run === undefined) throw new SlopLensError("internal", "The loop took no run");
      settle.done(run);
      return run;
    } catch (error) {
      settle.failed(error);
      throw error;
    }
  }

  private itemOf(
    plan: RunPlan,
    agent: string,
    listener: RunListener,
    standsAlone: boolean,
    settle: Ticket["settle"] = { done: () => undefined, failed: () => undefined },
  ): QueueItem<Ticket> {
    this.number += 1;
    return {
      id: String(this.number),
      problem: plan.problem.name,
      agent,
      attempt: 1,
      attempts: 1,
      checkpoints: plan.problem.checkpoints.length,
      memoryBytes: CONTAINER_MEMORY,
      standsAlone,
      plan: { plan, listener, settle },
    };
  }
}
