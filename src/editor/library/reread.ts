import path from "node:path";
import { SlopLensError } from "../../core/model/errors.js";
import { pathBelow } from "../../core/model/paths.js";
import type { PackReading } from "../../core/model/problem.js";
import type { Run } from "../../core/model/run.js";
import { staleAfter } from "./disk-changes.js";

/** Where packs and runs are found; the core's readers in the product. */
export interface LibraryReaders {
  /** Packs in and below a folder. */
  readonly packs: (folder: string) => Promise<readonly PackReading[]>;
  /** Runs in and below a folder; `tell` is given each as soon as it is read. */
  readonly runs: (folder: string, tell: (run: Run) => void) => Promise<readonly Run[]>;
  /** Folders of the runs in and below a folder; none of them is read. */
  readonly runFolders: (folder: string) => Promise<readonly string[]>;
  readonly run: (folder: string) => Promise<Run>;
  /** Whether something lies at a path. */
  readonly isThere: (place: string) => Promise<boolean>;
}

/** What is known of the disk: as it is told, before what is live or measured here is added. */
export interface OnDisk {
  readonly packs: readonly PackReading[];
  readonly runs: readonly Run[];
}

/**
 * What is on the disk after some files changed. Only what they belong to is read; everything else stays the same object.
 * @param changed absolute paths
 * @param folders of the workspace
 * @param live folders of runs that tell themselves what they do
 */
export async function reread(
  changed: ReadonlySet<string>,
  known: OnDisk,
  readers: LibraryReaders,
  folders: readonly string[],
  live: ReadonlySet<string>,
): Promise<OnDisk> {
  const stale = staleAfter(changed, known, live);
  const places = folders.filter((folder) => holdsAny(folder, stale.unknown));
  const found = (await Promise.all(places.map(readers.runFolders))).flat();
  const fresh = found.filter((folder) => !known.runs.some((run) => run.folder === folder));
  const ofPacks = stale.unknown.filter((place) => !found.some((run) => pathBelow(run, place) !== undefined));
  const packs = await packsAfter(stale.packs, ofPacks, known.packs, readers, folders);
  const asked = [...stale.runs, ...fresh];
  const read = await Promise.all(asked.map((folder) => readRunIfThere(folder, readers)));
  const runs = new Map(known.runs.map((run) => [run.folder, run]));
  for (const [index, folder] of asked.entries()) {
    const run = read[index];
    if (run === undefined) runs.delete(folder);
    else runs.set(folder, run);
  }
  return { packs, runs: [...runs.values()] };
}

function holdsAny(folder: string, places: readonly string[]): boolean {
  return places.some((place) => pathBelow(folder, place) !== undefined);
}

/** The packs; the same array when none was read. */
async function packsAfter(
  stale: readonly string[],
  unknown: readonly string[],
  known: readonly PackReading[],
  readers: LibraryReaders,
  folders: readonly string[],
): Promise<readonly PackReading[]> {
  const places = folders.filter((folder) => holdsAny(folder, unknown));
  if (stale.length === 0 && places.length === 0) return known;
  const all = (await Promise.all(places.map((place) => packsIfThere(place, readers)))).flat();
  const anew = new Set([...stale, ...all.map(({ folder }) => folder)]);
  const read = (await Promise.all(stale.map((folder) => packsIfThere(folder, readers)))).flat();
  const own = read.filter(
    ({ folder }) => stale.includes(folder) && !all.some((pack) => pack.folder === folder),
  );
  return [...known.filter(({ folder }) => !anew.has(folder)), ...all, ...own];
}

async function packsIfThere(
  folder: string,
  { packs, isThere }: LibraryReaders,
): Promise<readonly PackReading[]> {
  return packs(folder).catch(async (error: unknown) => {
    if (await isThere(folder)) throw error;
    return [];
  });
}

/** A run; one that cannot be read has the reason as its fault. @returns undefined when its folder is gone */
export async function readRunIfThere(
  folder: string,
  { run, isThere }: Pick<LibraryReaders, "run" | "isThere">,
): Promise<Run | undefined> {
  try {
    return await run(folder);
  } catch (error) {
    return (await isThere(folder)) ? unreadable(folder, error) : undefined;
  }
}

/** A run folder that cannot be read, with the reason. */
export function unreadable(folder: string, error: unknown): Run {
  const { message } = SlopLensError.from(error);
  return {
    folder,
    agent: { type: "unknown", version: undefined, model: undefined, detail: undefined },
    prompt: undefined,
    environment: undefined,
    isolation: "unknown",
    startedAt: undefined,
    state: "interrupted",
    problems: [],
    faults: [{ file: folder, line: undefined, column: undefined, message, severity: "warning" }],
  };
}

/** Runs without a time of their own are ordered by their folder's name, which usually begins with one. */
export function startKey(run: Run): string {
  return run.startedAt ?? path.basename(run.folder);
}
