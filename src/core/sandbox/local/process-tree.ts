import { readdir, readFile } from "node:fs/promises";
import process from "node:process";

/** Name of the variable that marks every process of a session, also those that left the process group. */
export const SESSION_VARIABLE = "SLOP_LENS_SESSION";

/**
 * Kills a process group and, where /proc tells the environment (Linux), every process that carries the session's
 * mark. Repeats until nothing is found, because a process may fork while it is looked for.
 */
export async function killTree(groupLeader: number | undefined, mark: string): Promise<void> {
  if (groupLeader !== undefined) killQuietly(-groupLeader);
  for (let round = 0; round < 5; round++) {
    const marked = await findMarked(mark);
    if (marked.length === 0) return;
    for (const pid of marked) killQuietly(pid);
  }
}

/** Ids of living processes whose environment carries the mark. */
export async function findMarked(mark: string): Promise<number[]> {
  const names = await readdir("/proc").catch(() => []);
  const ids = names.filter((name) => /^\d+$/u.test(name)).map(Number);
  const needle = Buffer.from(`${SESSION_VARIABLE}=${mark}\0`);
  const found = await Promise.all(
    ids.map(async (pid) => {
      const environment = await readFile(`/proc/${pid}/environ`).catch(() => undefined);
      return environment?.includes(needle) === true ? pid : undefined;
    }),
  );
  return found.filter((pid): pid is number => pid !== undefined && pid !== process.pid);
}

function killQuietly(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch {
    // It has ended already.
  }
}
