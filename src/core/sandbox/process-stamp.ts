import { readFileSync } from "node:fs";
import { hostname } from "node:os";
import process from "node:process";

/**
 * Names a process so that another one can tell later whether it still lives: host, process id, and where the system
 * tells it (Linux) the start time, because ids are used again.
 */
export interface ProcessStamp {
  readonly host: string;
  readonly pid: number;
  readonly started: string;
}

/** The stamp of this process. */
export function ownStamp(): ProcessStamp {
  return { host: hostname(), pid: process.pid, started: startTime(process.pid) };
}

export function formatStamp(stamp: ProcessStamp): string {
  return `${stamp.pid}/${stamp.started}@${stamp.host}`;
}

/** The stamp that {@link formatStamp} wrote; undefined for anything else. */
export function parseStamp(text: string | undefined): ProcessStamp | undefined {
  const match = /^(\d+)\/(\d*)@(.*)$/su.exec(text ?? "");
  const [, pid, started, host] = match ?? [];
  if (pid === undefined || started === undefined || host === undefined) return undefined;
  return { host, pid: Number(pid), started };
}

/** Whether the process can be seen from here. */
export function isOfThisMachine({ host }: ProcessStamp): boolean {
  return host === hostname();
}

/** Whether the process is surely gone. One of another host is never surely gone. */
export function isDead(stamp: ProcessStamp): boolean {
  if (!isOfThisMachine(stamp)) return false;
  try {
    process.kill(stamp.pid, 0);
  } catch (error) {
    return error instanceof Error && "code" in error && error.code === "ESRCH";
  }
  const started = startTime(stamp.pid);
  return started !== "" && stamp.started !== "" && started !== stamp.started;
}

/** Clock ticks since boot, field 22 of proc(5)'s stat; empty where there is no /proc. */
function startTime(pid: number): string {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    return stat.slice(stat.lastIndexOf(")") + 2).split(" ")[19] ?? "";
  } catch {
    return "";
  }
}
