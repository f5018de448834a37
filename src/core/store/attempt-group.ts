import { readdir, stat } from "node:fs/promises";
import path from "node:path";
import type { AttemptOf } from "../model/policy.js";
import { Fields } from "../model/fields.js";
import { DocumentReader } from "./documents.js";
import { hasLostRecord } from "./lost-record.js";
import { isHeld } from "./run-hold.js";
import { readRunRecord, RUN_RECORD, type Runner } from "./run-record.js";

/** A run folder of an attempt. */
export interface AttemptFolder {
  readonly folder: string;
  readonly attempt: AttemptOf;
  /** Whether a living process works on it. */
  readonly isAtWork: boolean;
  /** The process that works on it, or did so last. */
  readonly runner: Runner | undefined;
}

/** The run folders directly in a folder that are attempts of some group; folders that do not read are passed over. */
export async function attemptFolders(runsFolder: string): Promise<AttemptFolder[]> {
  const entries = await readdir(runsFolder, { withFileTypes: true }).catch(() => []);
  const folders = entries.filter((entry) => entry.isDirectory() && !entry.name.startsWith("."));
  const found = await Promise.all(folders.map(({ name }) => attemptIn(path.join(runsFolder, name))));
  return found.flat();
}

async function attemptIn(folder: string): Promise<AttemptFolder[]> {
  const document = await new DocumentReader().json(path.join(folder, RUN_RECORD));
  const record = document === undefined ? undefined : readRunRecord(document, folder);
  if (record?.attempt === undefined) return [];
  return [{ folder, attempt: record.attempt, isAtWork: await isHeld(folder, record), runner: record.runner }];
}

/**
 * Names of run folders directly in a folder that hold a problem and whose records are gone or cannot be read: any of them
 * may be an attempt of some group.
 */
export async function unreadableRuns(runsFolder: string, problem: string): Promise<string[]> {
  const entries = await readdir(runsFolder, { withFileTypes: true }).catch(() => []);
  const folders = entries.filter((entry) => entry.isDirectory() && !entry.name.startsWith("."));
  const found = folders.map(async ({ name }) =>
    (await isUnreadable(path.join(runsFolder, name), problem)) ? [name] : [],
  );
  return (await Promise.all(found)).flat();
}

async function isUnreadable(folder: string, problem: string): Promise<boolean> {
  const isOfProblem = await stat(path.join(folder, problem)).catch(() => undefined);
  if (isOfProblem?.isDirectory() !== true) return false;
  const reader = new DocumentReader();
  const document = await reader.record(path.join(folder, RUN_RECORD));
  if (document !== undefined) return readRunRecord(document, folder) === undefined;
  if (reader.faults.length > 0) return true;
  return hasLostRecord(folder, new Fields(await reader.yaml(path.join(folder, "config.yaml"))), [problem]);
}
