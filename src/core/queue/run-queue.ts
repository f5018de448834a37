import { sentencesOf, SlopLensError, type ErrorCode } from "../model/errors.js";
import { interruption } from "../model/interruption.js";
import type { Run, RunEvent } from "../model/run.js";
import { fits } from "./capacity.js";
import { nextInTurn } from "./fair-order.js";
import {
  isOver,
  waiting,
  type ItemState,
  type ItemStatus,
  type QueueItem,
  type QueuePause,
  type QueueStatus,
  type Recover,
  type TakeItem,
} from "./item.js";

/** Troubles of the place where code runs: the next item would meet the same. */
const PLACE_TROUBLE: ReadonlySet<ErrorCode> = new Set([
  "engine-missing",
  "engine-denied",
  "engine-lost",
  "disk-full",
]);

/** An item that meets such trouble so often is itself at fault. */
const MOST_TRIES = 3;

export interface QueueOptions<Plan> {
  readonly take: TakeItem<Plan>;
  /** How many run at once at most, at least 1. */
  readonly jobs: number;
  /** Memory of the place where containers run, 0 when it is not known. */
  readonly memoryBytes: number;
  readonly recover?: Recover | undefined;
}

interface Entry<Plan> {
  status: ItemStatus<Plan>;
  readonly abort: AbortController;
  /** How an abort is to be told. */
  wanted: Extract<ItemState, "cancelled" | "interrupted"> | undefined;
}

/**
 * Takes many trajectories, a bounded number at once, in an order that lets all agents and problems move. Trouble of one
 * ends no other; trouble that all would meet pauses the queue.
 */
export class RunQueue<Plan> {
  readonly #entries = new Map<string, Entry<Plan>>();
  readonly #listeners = new Set<(changed: ItemStatus<Plan> | undefined) => void>();
  readonly #whenGoingOn = new Set<() => void>();
  readonly #whenSettled = new Set<() => void>();
  readonly #recovery = new AbortController();
  #pause: QueuePause | undefined;
  #jobs: number;
  #memoryBytes: number;
  #isRecovering = false;

  constructor(private readonly options: QueueOptions<Plan>) {
    this.#jobs = options.jobs;
    this.#memoryBytes = options.memoryBytes;
  }

  get status(): QueueStatus<Plan> {
    return { items: this.#statuses(), pause: this.#pause, jobs: this.#jobs };
  }

  /** @param listener called after each change, with the item that changed if it was one @returns ends the listening */
  onDidChange(listener: (changed: ItemStatus<Plan> | undefined) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /**
   * Adds items and begins as many as may run.
   * @param earlier where items stand that an earlier process had begun
   */
  add(items: readonly QueueItem<Plan>[], earlier: readonly ItemStatus<Plan>[] = []): void {
    const known = new Map(earlier.map((status) => [status.item.id, status]));
    for (const item of items) {
      const status = known.get(item.id) ?? waiting(item);
      this.#entries.set(item.id, { status, abort: new AbortController(), wanted: undefined });
    }
    this.#tell(undefined);
    this.#fill();
  }

  /** Changes the bounds; what runs already goes on. */
  setBounds(jobs: number, memoryBytes: number): void {
    this.#jobs = jobs;
    this.#memoryBytes = memoryBytes;
    this.#tell(undefined);
    this.#fill();
  }

  /** Turns in progress go on to their end; no other one begins until {@link resume}. */
  pause(): void {
    this.#setPause({ by: "user", reason: "paused" });
  }

  resume(): void {
    if (this.#pause === undefined) return;
    this.#setPause(undefined);
    for (const goOn of [...this.#whenGoingOn]) goOn();
    this.#fill();
  }

  /** Ends an item, or takes it out before it begins. What it has finished is kept. */
  cancel(id: string): void {
    const entry = this.#entries.get(id);
    if (entry !== undefined) this.#end(entry, "cancelled");
  }

  cancelAll(): void {
    for (const entry of this.#entries.values()) this.#end(entry, "cancelled");
  }

  /** Ends everything so that it can be gone on with later. */
  interrupt(): void {
    this.#recovery.abort();
    for (const entry of this.#entries.values()) this.#end(entry, "interrupted");
  }

  /** Forgets the items that are over. */
  forget(): void {
    for (const [id, { status }] of this.#entries) if (isOver(status)) this.#entries.delete(id);
    this.#tell(undefined);
  }

  /** Settles when nothing waits and nothing runs. Never rejects. */
  async settled(): Promise<void> {
    if (this.#isSettled()) return;
    await new Promise<void>((resolve) => {
      this.#whenSettled.add(resolve);
    });
  }

  #statuses(): ItemStatus<Plan>[] {
    return Array.from(this.#entries.values(), ({ status }) => status);
  }

  #isSettled(): boolean {
    return this.#statuses().every(isOver);
  }

  #fill(): void {
    for (;;) {
      const running = this.#statuses().filter(({ state }) => state === "running");
      if (this.#pause !== undefined || running.length >= this.#jobs) break;
      const next = nextInTurn(this.#statuses());
      const entry = next === undefined ? undefined : this.#entries.get(next.item.id);
      if (entry === undefined) break;
      const taken = running.map(({ item }) => item.memoryBytes);
      // The one whose turn it is waits for its place: were it overtaken, it might wait for ever.
      if (!fits(entry.status.item.memoryBytes, taken, this.#memoryBytes)) break;
      void this.#take(entry);
    }
    if (!this.#isSettled()) return;
    if (this.#pause !== undefined) this.#setPause(undefined);
    for (const resolve of [...this.#whenSettled]) resolve();
    this.#whenSettled.clear();
  }

  async #take(entry: Entry<Plan>): Promise<void> {
    const before = entry.status;
    this.#update(entry, {
      ...{ state: "running", reason: undefined, tries: before.tries + 1 },
      ...{ run: undefined, turn: undefined, progress: undefined, preparing: undefined },
    });
    try {
      const run = await this.options.take(before.item, {
        listener: (event) => {
          this.#hear(entry, event);
        },
        mayGoOn: this.#mayGoOn,
        signal: entry.abort.signal,
        before,
      });
      const state = run.state === "finished" ? "finished" : (entry.wanted ?? "cancelled");
      this.#update(entry, { state, run, folder: run.folder, progress: undefined });
    } catch (error) {
      this.#fail(entry, SlopLensError.from(error));
    }
    this.#fill();
  }

  #fail(entry: Entry<Plan>, trouble: SlopLensError): void {
    const reason = sentencesOf(trouble);
    const progress = undefined;
    if (entry.wanted !== undefined || trouble.code === "cancelled") {
      this.#update(entry, { state: entry.wanted ?? "cancelled", progress });
      return;
    }
    const isOfAll = entry.status.item.standsAlone !== true && PLACE_TROUBLE.has(trouble.code);
    const state = isOfAll && entry.status.tries < MOST_TRIES ? "waiting" : "failed";
    this.#update(entry, { state, reason, progress });
    if (isOfAll && state === "waiting") this.#stopFor(trouble, reason);
  }

  /** Pauses, and looks whether the trouble passes. */
  #stopFor(trouble: SlopLensError, reason: string): void {
    this.#setPause({ by: "trouble", reason });
    const { recover } = this.options;
    if (recover === undefined || this.#isRecovering) return;
    this.#isRecovering = true;
    recover(trouble, this.#recovery.signal).then(
      () => {
        this.#isRecovering = false;
        // A pause that the user asked for meanwhile stays.
        if (this.#pause?.by === "trouble") this.resume();
      },
      () => {
        this.#isRecovering = false;
        if (this.#pause?.by === "trouble") this.interrupt();
      },
    );
  }

  #hear(entry: Entry<Plan>, event: RunEvent): void {
    switch (event.type) {
      case "run-started":
        this.#update(entry, { ...placeOf(entry.status, event.run), run: event.run, preparing: undefined });
        break;
      case "turn-progress":
        this.#update(entry, { turn: event.turn, progress: event.progress });
        break;
      case "turn-finished":
        this.#update(entry, { turn: event.turn, progress: undefined });
        break;
      case "run-finished":
        this.#update(entry, { run: event.run });
        break;
      case "log":
        if (event.level === "info" && entry.status.run === undefined)
          this.#update(entry, { preparing: event.message.trim() });
        break;
    }
  }

  readonly #mayGoOn = async (signal: AbortSignal): Promise<void> => {
    while (this.#pause !== undefined && !signal.aborted) {
      await new Promise<void>((resolve) => {
        const goOn = (): void => {
          this.#whenGoingOn.delete(goOn);
          signal.removeEventListener("abort", goOn);
          resolve();
        };
        this.#whenGoingOn.add(goOn);
        signal.addEventListener("abort", goOn, { once: true });
      });
    }
    if (signal.aborted) throw new SlopLensError("cancelled", "Cancelled");
  };

  #end(entry: Entry<Plan>, wanted: "cancelled" | "interrupted"): void {
    if (isOver(entry.status)) return;
    entry.wanted ??= wanted;
    entry.abort.abort(wanted === "interrupted" ? interruption() : undefined);
    if (entry.status.state !== "waiting") return;
    this.#update(entry, { state: wanted });
    this.#fill();
  }

  #setPause(pause: QueuePause | undefined): void {
    this.#pause = pause;
    this.#tell(undefined);
  }

  #update(entry: Entry<Plan>, part: Partial<ItemStatus<Plan>>): void {
    entry.status = { ...entry.status, ...part };
    this.#tell(entry.status);
  }

  #tell(changed: ItemStatus<Plan> | undefined): void {
    for (const listener of [...this.#listeners]) listener(changed);
  }
}

/** A try that goes on in the folder of the one before leaves none. */
function placeOf({ folder, left }: ItemStatus, run: Run): Pick<ItemStatus, "folder" | "left"> {
  const isLeft = folder !== undefined && folder !== run.folder;
  return { folder: run.folder, left: isLeft ? [...left, folder] : left };
}
