import { readdir, readFile, stat } from "node:fs/promises";
import path from "node:path";
import type { TestIdentity, TestOutcome } from "../../core/model/outcome.js";
import type { Turn } from "../../core/model/turn.js";

export interface SnapshotFile {
  /** POSIX, relative to the snapshot. */
  readonly path: string;
  readonly absolute: string;
  /** Against the checkpoint before; empty when equal, or when there is none. */
  readonly change: "new" | "changed" | "";
}

/** A file that was changed, added (no `before`) or deleted (no `now`); absolute paths. */
export type FileChange =
  | { readonly before: string; readonly now: string }
  | { readonly before: undefined; readonly now: string }
  | { readonly before: string; readonly now: undefined };

export interface SnapshotListing {
  readonly files: readonly SnapshotFile[];
  /** Files beyond the limit. */
  readonly left: number;
}

const MOST_FILES = 500;
/** Files that are held open together. */
const AT_ONCE = 64;

/** Where a turn's snapshot lies. */
export function snapshotFolder(turn: Turn): string {
  return path.join(turn.folder, "snapshot");
}

/** Where a turn's prompt lies. */
export function promptFile(turn: Turn): string {
  return path.join(turn.folder, "prompt.txt");
}

/** Looks into the folders of turns; what cannot be read counts as not there. */
export class TurnFiles {
  /** Turns are immutable, so that each is read once; a turn that was read anew is another object. */
  private readonly detailed = new WeakMap<Turn, Promise<readonly TestOutcome[]>>();
  private readonly prompts = new WeakMap<Turn, Promise<number | undefined>>();
  private readonly listings = new WeakMap<Turn, Promise<SnapshotListing>>();

  /** @param readOutcomes the core's reader of a turn's outcomes with all their details */
  constructor(private readonly readOutcomes: (turn: Turn) => Promise<readonly TestOutcome[]>) {}

  /** Files that differ between the snapshots of two turns, in order of their paths. */
  async changes(before: Turn, now: Turn): Promise<FileChange[]> {
    const [left, right] = [snapshotFolder(before), snapshotFolder(now)];
    const [earlier, later] = [new Set(await listFiles(left)), new Set(await listFiles(right))];
    const names = [...new Set([...earlier, ...later])].sort();
    const changes: FileChange[] = [];
    for (let at = 0; at < names.length; at += AT_ONCE) {
      const compared = names.slice(at, at + AT_ONCE).map(async (name): Promise<FileChange | undefined> => {
        const [from, to] = [path.join(left, name), path.join(right, name)];
        if (!earlier.has(name)) return { before: undefined, now: to };
        if (!later.has(name)) return { before: from, now: undefined };
        return (await compare(to, from)) === "" ? undefined : { before: from, now: to };
      });
      changes.push(...(await Promise.all(compared)).filter((change) => change !== undefined));
    }
    return changes;
  }

  /** A turn's outcomes with the messages and durations that its folder holds. A turn in progress has told them itself. */
  async outcomes(turn: Turn): Promise<readonly TestOutcome[]> {
    if (turn.verdict === undefined || turn.outcomes.every(isDetailed)) return turn.outcomes;
    const known = this.detailed.get(turn);
    if (known !== undefined) return known;
    const read = this.readOutcomes(turn);
    this.detailed.set(turn, read);
    return read;
  }

  /** One of a turn's outcomes, with its details. */
  async outcome(turn: Turn, { checkpoint, id }: TestIdentity): Promise<TestOutcome | undefined> {
    const all = await this.outcomes(turn);
    return all.find((outcome) => outcome.checkpoint === checkpoint && outcome.id === id);
  }

  /** Size of the prompt; undefined when there is none. */
  promptBytes(turn: Turn): Promise<number | undefined> {
    return onceDone(this.prompts, turn, async () => {
      const file = await stat(promptFile(turn)).catch(() => undefined);
      return file?.isFile() === true ? file.size : undefined;
    });
  }

  /** The snapshot's files in order of their paths, those of `previous`, the turn before, compared by content. */
  snapshot(turn: Turn, previous: Turn | undefined): Promise<SnapshotListing> {
    return onceDone(this.listings, turn, () => this.list(turn, previous));
  }

  private async list(turn: Turn, previous: Turn | undefined): Promise<SnapshotListing> {
    const root = snapshotFolder(turn);
    const all = await listFiles(root);
    const before = previous === undefined ? undefined : snapshotFolder(previous);
    const files = all.slice(0, MOST_FILES).map(async (file) => ({
      path: file,
      absolute: path.join(root, file),
      change:
        before === undefined ? ("" as const) : await compare(path.join(root, file), path.join(before, file)),
    }));
    return { files: await Promise.all(files), left: Math.max(0, all.length - MOST_FILES) };
  }
}

/** Looks into the folder of a finished turn once; that of a turn in progress still changes. */
function onceDone<T>(known: WeakMap<Turn, Promise<T>>, turn: Turn, look: () => Promise<T>): Promise<T> {
  if (turn.verdict === undefined) return look();
  const found = known.get(turn) ?? look();
  known.set(turn, found);
  return found;
}

function isDetailed({ status, message, durationMs }: TestOutcome): boolean {
  return durationMs !== undefined && (status === "passed" || message !== undefined);
}

/** POSIX paths of all regular files below a folder, sorted; empty when there is no such folder. */
export async function listFiles(root: string): Promise<string[]> {
  const entries = await readdir(root, { recursive: true, withFileTypes: true }).catch(() => []);
  return entries
    .filter((entry) => entry.isFile() && !entry.parentPath.split(path.sep).includes("__pycache__"))
    .map((entry) => path.relative(root, path.join(entry.parentPath, entry.name)).split(path.sep).join("/"))
    .sort();
}

async function compare(now: string, before: string): Promise<SnapshotFile["change"]> {
  const [a, b] = await Promise.all([now, before].map((file) => stat(file).catch(() => undefined)));
  if (b === undefined) return "new";
  if (a?.size !== b.size) return "changed";
  const [left, right] = await Promise.all([readFile(now), readFile(before)]);
  return left.equals(right) ? "" : "changed";
}
