import path from "node:path";
import type { AttemptOf } from "../model/policy.js";
import type { Problem } from "../model/problem.js";
import type { Run } from "../model/run.js";
import { attemptFolders, type AttemptFolder } from "../store/attempt-group.js";
import { readRun } from "../store/read-run.js";
import { isUnfinished, waiting, type ItemStatus, type QueueItem } from "./item.js";
import { QueueFile } from "./queue-file.js";
import { itemsOf, type PlannedRun, type QueuePlan } from "./queue-plan.js";
import type { StoredItem, StoredQueue } from "./queue-record.js";
import { attemptOf } from "./take-planned.js";

/** A queue that is ready to begin. */
export interface QueueStart {
  readonly plan: QueuePlan;
  readonly items: readonly QueueItem<PlannedRun>[];
  /** Where items stand that an earlier process had begun; empty for a new queue. */
  readonly earlier: readonly ItemStatus<PlannedRun>[];
  /** Made when the queue begins, so that nothing is left of one that cannot. */
  readonly file: () => Promise<QueueFile>;
}

/**
 * A queue that nobody has begun.
 * @param problems those of the plan, in its order
 * @throws SlopLensError bad-input as {@link itemsOf}
 */
export function newQueue(plan: QueuePlan, problems: readonly Problem[]): QueueStart {
  return { plan, items: itemsOf(plan, problems), earlier: [], file: () => QueueFile.create(plan) };
}

/**
 * A queue that an earlier process left, with where its items stand.
 * @param file the queue's file, whose folder holds its runs
 * @param problems those of the stored plan, in its order
 * @throws SlopLensError bad-input as {@link itemsOf}
 */
export async function resumedQueue(
  file: string,
  stored: StoredQueue,
  problems: readonly Problem[],
): Promise<QueueStart> {
  const { plan } = stored;
  const items = itemsOf(plan, problems);
  const known = new Map(stored.items.map((item) => [item.id, item]));
  const begun = await attemptFolders(path.dirname(file));
  const earlier = await Promise.all(
    items.map((item) => {
      const folder = begunFolder(begun, attemptOf(item, path.basename(file)));
      return standing(item, known.get(item.id), folder);
    }),
  );
  return { plan, items, earlier, file: () => QueueFile.continue(file, stored) };
}

/** The folder of an attempt, by what the folders tell. */
function begunFolder(folders: readonly AttemptFolder[], wanted: AttemptOf): string | undefined {
  const isWanted = ({ attempt: { group, index } }: AttemptFolder): boolean =>
    group === wanted.group && index === wanted.index;
  return folders.find(isWanted)?.folder;
}

/**
 * Where an item stands by what was stored and by its run folder, which may know more after a crash.
 * @param begun a folder that is its own, should the queue's file have been cut off before it could tell of it
 */
async function standing(
  item: QueueItem<PlannedRun>,
  stored: StoredItem | undefined,
  begun: string | undefined,
): Promise<ItemStatus<PlannedRun>> {
  const blank = waiting(item);
  if (stored === undefined) return blank;
  const { left, reason, folder = begun } = stored;
  const run = folder === undefined ? undefined : await readRun(folder).catch(() => undefined);
  const known = { ...blank, folder, left, run };
  if (!isUnfinished(stored)) return { ...known, state: stored.state, reason };
  // What trouble ended is closed as finished, too; its run is gone on with.
  const isOpen = stored.state === "running" || stored.folder === undefined;
  const isDone = run?.state === "finished" && isOpen && !isSpoiled(run);
  return isDone ? { ...known, state: "finished" } : known;
}

/** Whether trouble of the machinery ended a turn of a run. */
export function isSpoiled({ problems }: Run): boolean {
  return problems.some(({ turns }) => turns.some(({ verdict }) => verdict === "infrastructure"));
}
