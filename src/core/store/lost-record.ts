import { access, readdir } from "node:fs/promises";
import path from "node:path";
import type { Fields } from "../model/fields.js";
import { OWN_FOLDER } from "./aside.js";
import { RUN_RECORD } from "./run-record.js";
import { TURN_RECORD } from "./turn-record.js";
import { OWN_PROVIDER } from "./yaml-documents.js";

/** What is not known without a run's record, and what to do about it. */
export const RECORD_HINT =
  "Its policy and limits are not known without it. Put it back from a copy, or begin a new run.";

/**
 * Whether a run folder is one that this product wrote and whose record is gone: `config.yaml` names us, or what we put
 * aside is there, or a turn has our record. Another tool's run has none of these.
 * @param config `config.yaml`
 * @param problems names of the run's problems
 */
export async function hasLostRecord(
  runFolder: string,
  config: Fields,
  problems: readonly string[],
): Promise<boolean> {
  if (await isThere(path.join(runFolder, RUN_RECORD))) return false;
  if (config.fields("model").text("provider") === OWN_PROVIDER) return true;
  if (await isThere(path.join(runFolder, OWN_FOLDER))) return true;
  const turns = await Promise.all(problems.map((problem) => turnFolders(path.join(runFolder, problem))));
  const records = turns.flat().map((folder) => isThere(path.join(folder, TURN_RECORD)));
  return (await Promise.all(records)).includes(true);
}

async function turnFolders(problemFolder: string): Promise<string[]> {
  const entries = await readdir(problemFolder, { withFileTypes: true }).catch(() => []);
  return entries.filter((entry) => entry.isDirectory()).map(({ name }) => path.join(problemFolder, name));
}

function isThere(file: string): Promise<boolean> {
  return access(file).then(
    () => true,
    () => false,
  );
}
