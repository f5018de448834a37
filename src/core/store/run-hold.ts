import path from "node:path";
import process from "node:process";
import { SlopLensError } from "../model/errors.js";
import { isAlive, recordMark, type RunRecord } from "./run-record.js";

declare global {
  var slopLensHeldRuns: Set<string> | undefined;
}

/**
 * Runs that this process works on; its number alone says nothing, because an editor's lives long. Global, because the
 * bundles of one process have each their own copy of this file.
 */
const heldHere = (globalThis.slopLensHeldRuns ??= new Set());

/** Tells that this process works on a run. @returns what ends it */
export function hold(runFolder: string): () => void {
  const folder = path.resolve(runFolder);
  heldHere.add(folder);
  return () => {
    heldHere.delete(folder);
  };
}

/** Whether a process that lives works on the run. */
export async function isHeld(runFolder: string, record: RunRecord | undefined): Promise<boolean> {
  if (record?.state !== "running" || record.runner === undefined) return false;
  if (!(await isAlive(record.runner))) return false;
  return record.runner.pid !== process.pid || heldHere.has(path.resolve(runFolder));
}

/** @throws SlopLensError run-folder when a process that lives works on the run */
export async function refuseHeld(runFolder: string, record: RunRecord | undefined): Promise<void> {
  if (!(await isHeld(runFolder, record))) return;
  throw new SlopLensError(
    "run-folder",
    `The run is in progress in ${runnerWords(record)}: ${runFolder}`,
    "Wait for its end, or cancel it there.",
  );
}

/** Who works on a run, or did so last: `process 123 of host`. */
export function runnerWords(record: Pick<RunRecord, "runner"> | undefined): string {
  const runner = record?.runner;
  return runner === undefined ? "a process that is not known" : `process ${runner.pid} of ${runner.host}`;
}

/**
 * @param mark of the record that was planned with
 * @throws SlopLensError run-folder when somebody else has gone on with the run since: the plan would undo their work
 */
export function refuseStale(runFolder: string, record: RunRecord | undefined, mark: string): void {
  if (recordMark(record) === mark) return;
  throw new SlopLensError(
    "run-folder",
    `The run was gone on with in ${runnerWords(record)} while this was being prepared: ${runFolder}`,
    "Look at it, and go on with it again if something is left to do.",
  );
}
