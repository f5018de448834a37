import { randomUUID } from "node:crypto";
import { link, readFile, rename, rm, stat, utimes, writeFile } from "node:fs/promises";

import { pause } from "../deadline.js";
import { formatStamp, isDead, isOfThisMachine, ownStamp, parseStamp } from "../process-stamp.js";

/** How often a taken lock is looked at, in milliseconds. */
const LOOK_AGAIN = 200;

/**
 * Runs `work` while no other process of this machine, and nobody else in this one, holds the lock file.
 * A lock whose process is gone is taken over.
 * @param longest how long `work` takes at the most, in milliseconds: a lock of another machine, whose processes cannot be
 *   seen, is taken over when it is older; default never
 * @throws SlopLensError cancelled while waiting, and whatever `work` throws
 */
export async function withLock<T>(
  file: string,
  signal: AbortSignal,
  work: () => Promise<T>,
  longest = Infinity,
): Promise<T> {
  const own = `${file}.${randomUUID()}`;
  await writeFile(own, `${formatStamp(ownStamp())}\n`);
  try {
    while (!(await takeLock(own, file, longest))) await pause(LOOK_AGAIN, signal);
  } finally {
    await rm(own, { force: true });
  }
  try {
    return await work();
  } finally {
    await rm(file, { force: true });
  }
}

/** A hard link appears with its content or not at all, so nobody ever reads half a stamp. */
async function takeLock(own: string, file: string, longest: number): Promise<boolean> {
  try {
    const now = new Date();
    await utimes(own, now, now);
    await link(own, file);
    return true;
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "EEXIST")) throw error;
  }
  await dropIfDead(own, file, longest);
  return false;
}

async function dropIfDead(own: string, file: string, longest: number): Promise<void> {
  const text = await readFile(file, "utf8").catch(() => "");
  const holder = parseStamp(text.trim());
  if (holder === undefined) return;
  if (!isDead(holder) && (isOfThisMachine(holder) || !(await isOlder(file, longest)))) return;
  const aside = `${own}.dead`;
  try {
    await rename(file, aside);
    // Somebody else may have dropped the dead lock and taken a new one in between: then that one is put back.
    if ((await readFile(aside, "utf8")) !== text) await link(aside, file);
  } catch {
    return;
  } finally {
    await rm(aside, { force: true });
  }
}

async function isOlder(file: string, age: number): Promise<boolean> {
  const stats = await stat(file).catch(() => undefined);
  return stats !== undefined && Date.now() - stats.mtimeMs > age;
}
