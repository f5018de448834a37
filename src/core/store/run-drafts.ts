import { randomUUID } from "node:crypto";
import { readdir, rm } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { isDead, ownStamp } from "../sandbox/process-stamp.js";
import { draftName } from "./durable.js";

/** A run folder that is being made carries the process that makes it in its name. */
const DRAFT = /^\..*_(?<pid>\d+)-(?<started>\d*)@(?<host>[\w.-]+)_[\da-f-]{36}\.tmp$/u;

/** Name of a run folder until it has its first files. */
export function runDraftName(name: string): string {
  const { pid, started, host } = ownStamp();
  return draftName(`${name}_${pid}-${started}@${fileName(host)}_${randomUUID()}`);
}

/** Removes what processes of this machine that were killed left of run folders that never came to be. */
export async function removeRunDrafts(runsFolder: string): Promise<void> {
  for (const name of await readdir(runsFolder).catch(() => [])) {
    const maker = DRAFT.exec(name)?.groups;
    if (maker?.["host"] !== fileName(os.hostname())) continue;
    const stamp = { host: os.hostname(), pid: Number(maker["pid"]), started: maker["started"] ?? "" };
    if (isDead(stamp)) await rm(path.join(runsFolder, name), { recursive: true, force: true });
  }
}

/** A word with nothing in it that a file name may not hold. */
export function fileName(word: string): string {
  return word.replaceAll(/[^\w.-]+/gu, "-");
}
