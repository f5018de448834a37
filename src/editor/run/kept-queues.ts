/** Queues that an earlier window, or the command, left beside the runs before they were done. */
import type { Problem } from "../../core/model/problem.js";
import type { UnfinishedQueue } from "../../core/queue/queue-file.js";
import type { QueuePlan } from "../../core/queue/queue-plan.js";
import type { QueueStart } from "../../core/queue/queue-start.js";

/** How queues are made, found and given up; the core's in the product. */
export interface QueueMeans {
  readonly begin: (plan: QueuePlan, problems: readonly Problem[]) => Promise<QueueStart>;
  readonly goOn: (found: UnfinishedQueue, problems: readonly Problem[]) => Promise<QueueStart>;
  readonly cancel: (found: UnfinishedQueue) => Promise<void>;
  /** Those in a folder of runs, newest first. */
  readonly unfinished: (runs: string) => Promise<readonly UnfinishedQueue[]>;
}

/** A window that is loaded anew may start while the one before ends: how often, and after how many milliseconds, to look again. */
const LOOKS = 6;
const LOOK_AGAIN = 2500;

/** The newest unfinished queue of each folder of runs, as far as nobody works on it. */
export class KeptQueues {
  private shown: readonly UnfinishedQueue[] = [];
  private readonly listeners = new Set<() => void>();
  private timer: NodeJS.Timeout | undefined;

  /** @param isOwn whether this window works on the queue of a file */
  constructor(
    private readonly means: Pick<QueueMeans, "unfinished">,
    private readonly isOwn: (file: string) => boolean,
  ) {}

  get queues(): readonly UnfinishedQueue[] {
    return this.shown;
  }

  /** Calls `listener` after each change. @returns a function that ends it */
  onDidChange(listener: () => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  /** Looks beside the runs of these folders, and once more where a process that may be about to end works on a queue. */
  async look(runsFolders: readonly string[], looks = LOOKS): Promise<void> {
    this.dispose();
    const found = await Promise.all([...new Set(runsFolders)].map(this.means.unfinished));
    const others = found.map((queues) => queues.filter(({ file }) => !this.isOwn(file)));
    this.show(others.flatMap((queues) => queues.filter(({ isAtWork }) => !isAtWork).slice(0, 1)));
    if (looks <= 1 || !others.flat().some(({ isAtWork }) => isAtWork)) return;
    this.timer = setTimeout(() => void this.look(runsFolders, looks - 1), LOOK_AGAIN);
  }

  dispose(): void {
    clearTimeout(this.timer);
  }

  private show(queues: readonly UnfinishedQueue[]): void {
    if (queues.length === 0 && this.shown.length === 0) return;
    this.shown = queues;
    for (const listener of [...this.listeners]) listener();
  }
}
