import { randomUUID } from "node:crypto";
import { link, readFile, rename, rm, writeFile } from "node:fs/promises";

import { pause } from "../deadline.js";
import { formatStamp, isDead, ownStamp, parseStamp } from "../process-stamp.js";

/** How often a taken lock is looked at, in milliseconds. */
const LOOK_AGAIN = 200;

/**
 * Runs `work` while no other process of this machine, and nobody else in this one, holds the lock file.
 * A lock whose process is gone is taken over.
 * @throws SlopLensError cancelled while waiting, and whatever `work` throws
 */
export async function withLock<T>(file: string, signal: AbortSignal, work: () => Promise<T>): Promise<T> {
  const own = `${file}.${randomUUID()}`;
  await writeFile(own, `${formatStamp(ownStamp())}\n`);
  try {
    while (!(await takeLock(own, file))) await pause(LOOK_AGAIN, signal);
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
async function takeLock(own: string, file: string): Promise<boolean> {
  try {
    await link(own, file);
    return true;
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "EEXIST")) throw error;
  }
  await dropIfDead(own, file);
  return false;
}

async function dropIfDead(own: string, file: string): Promise<void> {
  const text = await readFile(file, "utf8").catch(() => "");
  const holder = parseStamp(text.trim());
  if (holder === undefined || !isDead(holder)) return;
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
