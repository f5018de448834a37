import { readdir } from "node:fs/promises";
import path from "node:path";
import type { AttemptOf } from "../model/policy.js";
import { DocumentReader } from "./documents.js";
import { isHeld } from "./run-hold.js";
import { readRunRecord, RUN_RECORD } from "./run-record.js";

/** A run folder of an attempt. */
export interface AttemptFolder {
  readonly folder: string;
  readonly attempt: AttemptOf;
  /** Whether a living process works on it. */
  readonly isAtWork: boolean;
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
  return [{ folder, attempt: record.attempt, isAtWork: await isHeld(folder, record) }];
}
