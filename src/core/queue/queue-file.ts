import { readdir, writeFile } from "node:fs/promises";
import path from "node:path";
import { SlopLensError } from "../model/errors.js";
import type { AttemptOf } from "../model/policy.js";
import { readText } from "../model/read-text.js";
import { makeFolder, writeDurably } from "../store/durable.js";
import { Redactor } from "../store/redact.js";
import { isAlive, thisRunner, type Runner } from "../store/run-record.js";
import { timeStamp } from "../store/stamp.js";
import type { StoredSetting } from "../store/stored-setting.js";
import { missingAttempts } from "../trajectory/attempts.js";
import type { QueueAgent, QueuePlan } from "./queue-plan.js";
import { isUnfinished } from "./item.js";
import { queueDocument, readQueueDocument, type KeptItem, type StoredQueue } from "./queue-record.js";

declare global {
  var slopLensHeldQueues: Set<string> | undefined;
}

/**
 * Queues that this process works on; its number alone says nothing, because an editor's lives long. Global, because the
 * bundles of one process have each their own copy of this file.
 */
const heldHere = (globalThis.slopLensHeldQueues ??= new Set());

const NAME = /^queue-\d{8}T\d{6}(?:-\d+)?\.json$/u;

/**
 * Keeps a queue's file up to date. Each writing is whole, so that a crash at any moment leaves the plan and what was
 * known of each item.
 */
export class QueueFile {
  #writing: Promise<void> = Promise.resolve();
  #next: readonly KeptItem[] | undefined;
  #last = "";

  private constructor(
    readonly file: string,
    private readonly plan: QueuePlan,
    private readonly runner: Runner,
  ) {}

  /**
   * Makes the file of a new queue, `queue-<time>.json` in the folder of its runs.
   * @throws SlopLensError run-folder when it cannot be written; bad-input when a command holds what looks like a key
   */
  static async create(plan: QueuePlan): Promise<QueueFile> {
    refuseKeys(plan.agents);
    const name = `queue-${timeStamp(new Date())}`;
    await makeFolder(plan.runs);
    for (let number = 1; ; number += 1) {
      const file = path.join(plan.runs, `${name}${number === 1 ? "" : `-${number}`}.json`);
      if (await claim(file)) return new QueueFile(file, plan, await thisRunner());
    }
  }

  /** Goes on with a file that {@link readQueueFile} has read. */
  static async continue(file: string, { plan }: StoredQueue): Promise<QueueFile> {
    return new QueueFile(file, plan, await thisRunner());
  }

  /** Tells that this process works on the queue: attempts that wait in it are its own. @returns what ends it */
  hold(): () => void {
    const file = path.resolve(this.file);
    heldHere.add(file);
    return () => {
      heldHere.delete(file);
    };
  }

  /** Writes where the items stand; calls during a writing are one. Trouble is told by {@link flush}. */
  keep(items: readonly KeptItem[]): void {
    const isWriting = this.#next !== undefined;
    this.#next = items;
    if (isWriting) return;
    // What could not be written before, on a full disk for example, is written now.
    this.#writing = this.#writing.catch(() => undefined).then(() => this.#write());
    this.#writing.catch(() => undefined);
  }

  /** Settles when all is written. @throws SlopLensError disk-full, internal */
  async flush(): Promise<void> {
    try {
      await this.#writing;
    } catch (error) {
      throw SlopLensError.from(error);
    }
  }

  async #write(): Promise<void> {
    const items = this.#next ?? [];
    this.#next = undefined;
    const text = `${JSON.stringify(queueDocument(this.file, this.plan, items, this.runner), null, 2)}\n`;
    if (text === this.#last) return;
    await writeDurably(this.file, text);
    this.#last = text;
  }
}

/** A name that nobody has: two queues may begin in the same second. */
async function claim(file: string): Promise<boolean> {
  try {
    await writeFile(file, "", { flag: "wx" });
    return true;
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "EEXIST") return false;
    throw new SlopLensError(
      "run-folder",
      `No queue can be kept at ${file}`,
      "Choose another folder for runs.",
      {
        cause: error,
      },
    );
  }
}

/** A command is stored as it is, because it is to be run again; so it must hold nothing that is not for others. */
function refuseKeys(agents: readonly QueueAgent[]): void {
  const redactor = new Redactor();
  const bad = agents.find(
    ({ source }) => source.kind === "command" && redactor.command(source.command) !== source.command,
  );
  if (bad === undefined) return;
  throw new SlopLensError(
    "bad-input",
    `The command of the agent ${bad.name} holds what looks like a key, and a queue is stored`,
    "Set it in the environment and pass it by name.",
  );
}

/**
 * Reads a queue's file.
 * @throws SlopLensError bad-input when it is none
 */
export async function readQueueFile(file: string): Promise<StoredQueue> {
  const text = await readText(file).catch(() => "");
  const queue = readQueueDocument(parsed(text), path.dirname(file));
  if (queue !== undefined) return queue;
  throw new SlopLensError(
    "bad-input",
    `${file} is not the file of a queue`,
    "Name a queue-….json beside the runs.",
  );
}

/** A queue in a folder of runs of which something is left to do. */
export interface UnfinishedQueue {
  readonly file: string;
  readonly queue: StoredQueue;
  /** Whether a living process works on it. */
  readonly isAtWork: boolean;
}

/** The queues in a folder of runs that did not finish, newest first; files that do not read are passed over. */
export async function unfinishedQueues(runs: string): Promise<UnfinishedQueue[]> {
  const names = (await readdir(runs).catch(() => [])).filter((name) => NAME.test(name)).sort();
  const found = names.reverse().map(async (name): Promise<UnfinishedQueue[]> => {
    const file = path.join(runs, name);
    const queue = await readQueueFile(file).catch(() => undefined);
    if (queue?.items.some(isUnfinished) !== true) return [];
    return [{ file, queue, isAtWork: await isAtWork(file, queue) }];
  });
  return (await Promise.all(found)).flat();
}

/**
 * The newest queue in a folder of runs that did not finish and that no process works on.
 * @throws SlopLensError bad-input when there is none
 */
export async function findUnfinished(runs: string): Promise<string> {
  const free = (await unfinishedQueues(runs)).find((queue) => !queue.isAtWork);
  if (free !== undefined) return free.file;
  throw new SlopLensError("bad-input", `No queue in ${runs} is left to go on with`, "Name its file.");
}

/**
 * The attempts of a run's group that never began and that nobody is going to take. None while a living process works on a
 * queue beside the run: attempts that wait are then its own.
 */
export async function attemptsLeft(
  setting: Pick<StoredSetting, "run" | "part" | "attempt">,
): Promise<AttemptOf[]> {
  const runs = path.dirname(path.resolve(setting.run.folder));
  // One that begins has written nothing yet.
  if ([...heldHere].some((file) => path.dirname(file) === runs)) return [];
  const queues = await unfinishedQueues(runs);
  return queues.some((queue) => queue.isAtWork) ? [] : missingAttempts(setting);
}

/** Marks all that is left of a queue as cancelled, so that nobody goes on with it; its runs stay. */
export async function cancelUnfinished({ file, queue }: UnfinishedQueue): Promise<void> {
  const items = queue.items.map((item) =>
    isUnfinished(item) ? { ...item, state: "cancelled" as const } : item,
  );
  const kept = await QueueFile.continue(file, queue);
  kept.keep(items.map(({ id, ...rest }) => ({ ...rest, item: { id } })));
  await kept.flush();
}

/** Whether a living process works on the queue, this one included. */
export async function isAtWork(file: string, { runner }: StoredQueue): Promise<boolean> {
  if (heldHere.has(path.resolve(file))) return true;
  return runner !== undefined && runner.pid !== process.pid && (await isAlive(runner));
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
