import { setImmediate } from "node:timers/promises";
import type { RunListener } from "../../../src/core/model/run.js";
import { SlopLensError } from "../../../src/core/model/errors.js";
import type { Run } from "../../../src/core/model/run.js";
import type { QueueItem, Taking } from "../../../src/core/queue/item.js";
import { RunQueue, type QueueOptions } from "../../../src/core/queue/run-queue.js";
import { aRun, aTurn } from "../trajectory/samples.js";

export const GIB = 1024 ** 3;

/** Items of `problems` × `agents`, as a plan lists them. */
export function items(problems: number, agents: number, attempts = 1): QueueItem<undefined>[] {
  const numbers = (count: number): number[] => Array.from({ length: count }, (_, index) => index + 1);
  return numbers(attempts).flatMap((attempt) =>
    numbers(problems).flatMap((problem) =>
      numbers(agents).map((agent) => ({
        id: `p${problem}/a${agent}/${attempt}`,
        problem: `p${problem}`,
        agent: `a${agent}`,
        attempt,
        attempts,
        checkpoints: 2,
        memoryBytes: GIB,
        plan: undefined,
      })),
    ),
  );
}

/** A loop without agents and tests: each item runs until the test lets its turns end. */
export class FakeLoop {
  /** Ids in the order in which they were begun. */
  readonly begun: string[] = [];
  readonly running = new Map<string, { readonly taking: Taking; readonly step: () => void }>();
  mostAtOnce = 0;
  /** Thrown instead of a run, by id; once each. */
  readonly troubles = new Map<string, Error[]>();

  readonly take = async (item: QueueItem<undefined>, taking: Taking): Promise<Run> => {
    this.begun.push(item.id);
    const trouble = this.troubles.get(item.id)?.shift();
    const folder = `/runs/${item.id.replaceAll("/", "-")}-${this.begun.length}`;
    taking.listener({ type: "run-started", run: aRun([], { folder, state: "running" }) });
    try {
      for (const order of [1, 2]) await this.turn(item.id, order, folder, taking);
      if (trouble !== undefined) throw trouble;
      return aRun([aTurn(1, {}), aTurn(2, {})], { folder, state: "finished" });
    } catch (error) {
      if (!SlopLensError.is(error, "cancelled")) throw error;
      return aRun([aTurn(1, {})], { folder, state: "cancelled" });
    } finally {
      this.running.delete(item.id);
    }
  };

  private async turn(id: string, order: number, folder: string, taking: Taking): Promise<void> {
    await taking.mayGoOn(taking.signal);
    tellProgress(taking.listener, folder, order);
    await new Promise<void>((resolve, reject) => {
      this.running.set(id, { taking, step: resolve });
      this.mostAtOnce = Math.max(this.mostAtOnce, this.running.size);
      taking.signal.addEventListener("abort", () => {
        reject(new SlopLensError("cancelled", "Cancelled"));
      });
    });
    taking.listener({ type: "turn-finished", folder, turn: aTurn(order, {}) });
  }

  /** Ends the turn that an item is at. */
  async step(id: string): Promise<void> {
    this.running.get(id)?.step();
    await settle();
  }

  /** Ends turns, those of the first item first, until nothing runs. */
  async drain(): Promise<void> {
    await settle();
    for (let [id] = this.running.keys(); id !== undefined; [id] = this.running.keys()) await this.step(id);
  }
}

function tellProgress(listener: RunListener, folder: string, order: number): void {
  const progress = { phase: "agent", detail: undefined, queued: [], running: undefined } as const;
  listener({ type: "turn-progress", folder, turn: aTurn(order, { verdict: undefined }), progress });
}

/** Lets everything run that can. */
export async function settle(): Promise<void> {
  for (let turn = 0; turn < 5; turn += 1) await setImmediate();
}

export function queueOf(loop: FakeLoop, part: Partial<QueueOptions<undefined>> = {}): RunQueue<undefined> {
  return new RunQueue({ take: loop.take, jobs: 2, memoryBytes: 0, ...part });
}

export function states(queue: RunQueue<undefined>): Record<string, string> {
  return Object.fromEntries(queue.status.items.map(({ item, state }) => [item.id, state]));
}

/** Something that is waited for until the test opens it. */
export class Gate {
  open: () => void = () => undefined;
  private readonly opened = new Promise<void>((resolve) => {
    this.open = resolve;
  });
  readonly wait = (): Promise<void> => this.opened;
}
