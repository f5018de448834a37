import { open, readFile, rm, stat, unlink, utimes } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { SlopLensError } from "../model/errors.js";

const HEARTBEAT_MS = 15_000;
const STALE_MS = 4 * HEARTBEAT_MS;
const POLL_MS = 200;

/**
 * Does `action` while no other evaluation runs with plain processes on this machine, in this or another program: they
 * would share ports and slow each other down. The lock of a program that died is taken over.
 * @param onWait called once when somebody else has the turn
 * @param file the lock; exists while somebody has the turn
 * @throws SlopLensError cancelled while waiting, bad-input when a dead program's lock cannot be taken over, and whatever
 *   `action` throws
 */
export async function inLocalTurn<Result>(
  action: () => Promise<Result>,
  onWait: () => void,
  signal: AbortSignal,
  file = path.join(os.tmpdir(), "slop-lens-evaluation.lock"),
): Promise<Result> {
  for (let attempt = 0; !(await take(file)); attempt++) {
    if (attempt === 0) onWait();
    if (await isStale(file)) await drop(file);
    else await rest(signal);
  }
  const heartbeat = setInterval(() => {
    const now = new Date();
    utimes(file, now, now).catch(() => undefined);
  }, HEARTBEAT_MS).unref();
  try {
    return await action();
  } finally {
    clearInterval(heartbeat);
    await unlink(file).catch(() => undefined);
  }
}

/** Another user's file in the temporary folder cannot be removed, however dead its program is. */
async function drop(file: string): Promise<void> {
  try {
    await rm(file, { force: true });
  } catch (cause) {
    throw new SlopLensError(
      "bad-input",
      `${file}, left by an evaluation that has ended, cannot be removed`,
      "Remove it with the rights of its owner, or set TMPDIR to a folder of your own.",
      { cause },
    );
  }
}

async function rest(signal: AbortSignal): Promise<void> {
  try {
    await sleep(POLL_MS, undefined, { signal });
  } catch (error) {
    throw SlopLensError.from(error);
  }
}

async function take(file: string): Promise<boolean> {
  try {
    const handle = await open(file, "wx");
    await handle.writeFile(String(process.pid));
    await handle.close();
    return true;
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "EEXIST") return false;
    throw error;
  }
}

async function isStale(file: string): Promise<boolean> {
  try {
    const owner = Number(await readFile(file, "utf8"));
    if (Date.now() - (await stat(file)).mtimeMs > STALE_MS) return true;
    return Number.isInteger(owner) && owner > 0 && !isAlive(owner);
  } catch {
    return false;
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && "code" in error && error.code === "EPERM";
  }
}
