import { lstat, readdir, rename, rm } from "node:fs/promises";
import path from "node:path";
import { draftName, makeFolder } from "./durable.js";
import { timeStamp } from "./stamp.js";

/** What SCB has no place for: hidden, so that its readers pass over it, as ours do. */
export const OWN_FOLDER = ".slop-lens";
/** The staged snapshot of a turn that was cut short, under a name that tells so. */
const UNFINISHED = "unfinished-snapshot";

/**
 * Moves a turn's folder, or a file of it, to `.slop-lens/aside/<time>/` of its run, out of the readers' sight. Nothing
 * is deleted: a turn may have cost money. Does nothing when it is not there.
 */
export async function setAside(runFolder: string, place: string, time = new Date()): Promise<void> {
  const stats = await lstat(place).catch(() => undefined);
  if (stats === undefined) return;
  if (stats.isDirectory()) await settle(place);
  const aside = path.join(runFolder, OWN_FOLDER, "aside", timeStamp(time));
  // Dots in place of separators: no name of SCB's is found, however deep its readers look.
  const name = path.relative(runFolder, place).split(path.sep).join(".");
  await makeFolder(aside);
  await moveTo(place, path.join(aside, name));
}

/** Moves a file or folder to a place, or to the next free one beside it; nothing happens when it is gone. */
export async function moveTo(from: string, to: string): Promise<string> {
  for (let number = 1; number < 1000; number += 1) {
    const target = number === 1 ? to : `${to}_${number}`;
    // A rename replaces a file, and an empty folder, without a word.
    const isFree = (await lstat(target).catch(() => undefined)) === undefined;
    if (isFree && (await hasMoved(from, target))) return target;
  }
  throw new Error(`no free name beside ${to}`);
}

/** @returns false when somebody else took the place meanwhile */
async function hasMoved(from: string, to: string): Promise<boolean> {
  try {
    await rename(from, to);
    return true;
  } catch (error) {
    const code = error instanceof Error && "code" in error ? error.code : undefined;
    if (code === "ENOENT") return true;
    if (code === "ENOTEMPTY" || code === "EEXIST" || code === "EPERM") return false;
    throw error;
  }
}

/**
 * Leaves nothing unfinished in a turn's folder: drafts of files and the agent's scratch folder, a copy of what lies
 * elsewhere, go; what an agent wrote and was not yet kept stays under a name of its own.
 */
export async function settle(turnFolder: string): Promise<void> {
  const staged = path.join(turnFolder, draftName("snapshot"));
  const written = await readdir(staged).catch(() => []);
  if (written.length > 0) await moveTo(staged, path.join(turnFolder, UNFINISHED));
  await removeDrafts(turnFolder);
}

/** Removes what a process that was killed left half written directly in a folder. */
export async function removeDrafts(folder: string): Promise<void> {
  const names = await readdir(folder).catch(() => []);
  const drafts = names.filter((name) => /^\.(?:.*\.tmp|workspace-\w+)$/u.test(name));
  for (const name of drafts) await rm(path.join(folder, name), { recursive: true, force: true });
}
