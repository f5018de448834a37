import { stat } from "node:fs/promises";
import path from "node:path";
import { MASK } from "../agent/masking.js";
import { SlopLensError } from "../model/errors.js";
import { Fields } from "../model/fields.js";
import { DEFAULT_POLICY, type AttemptOf, type RunPolicy } from "../model/policy.js";
import type { ProblemRun, Run } from "../model/run.js";
import { readText } from "../model/read-text.js";
import { DocumentReader } from "./documents.js";
import { hasLostRecord, RECORD_HINT } from "./lost-record.js";
import { policyFault } from "./policy-record.js";
import { readRun } from "./read-run.js";
import { refuseHeld } from "./run-hold.js";
import { readRunRecord, recordMark, RUN_RECORD, type RunRecord } from "./run-record.js";

/** What a run folder tells of how its run was made, so that it can be gone on with. */
export interface StoredSetting {
  readonly run: Run;
  readonly part: ProblemRun;
  /** Whether every finished turn has a record of ours, so that one without was cut short. */
  readonly hasRecords: boolean;
  /** As {@link recordMark} of the run's record; changes when anybody goes on with the run. */
  readonly mark: string;
  readonly policy: RunPolicy;
  readonly attempt: AttemptOf | undefined;
  /** Undefined for all. */
  readonly checkpoints: readonly string[] | undefined;
  /** Undefined where the run does not tell. */
  readonly prompt: { readonly name: string; readonly source: string } | undefined;
  /** The file with the environment; undefined where there is none, or values in it were masked. */
  readonly environmentFile: string | undefined;
  /** Where the problem's pack was; undefined when it is not there any more. */
  readonly packFolder: string | undefined;
  readonly startedAt: Date;
}

/**
 * Reads what a run was made with. Nothing is written.
 * @param folder a run folder, or a problem's folder in one with several problems
 * @throws SlopLensError run-folder when it cannot be read or another process works on it, bad-input when it has several
 *   problems and none is named
 */
export async function readSetting(folder: string): Promise<StoredSetting> {
  const { run, part } = await findPart(path.resolve(folder));
  const reader = new DocumentReader();
  const config = new Fields(await reader.yaml(path.join(run.folder, "config.yaml")));
  const record = await readOwnRecord(run, config);
  await refuseHeld(run.folder, record);
  const source = config.text("prompt_content");
  return {
    run,
    part,
    mark: recordMark(record),
    hasRecords: record?.imported === false,
    policy: run.policy ?? DEFAULT_POLICY,
    attempt: run.attempt,
    checkpoints: record?.checkpoints,
    prompt: source === undefined ? undefined : { name: run.prompt ?? "prompt", source },
    environmentFile: await environmentFile(run.folder),
    packFolder: await packFolder(part, reader),
    startedAt: new Date(run.startedAt ?? Date.now()),
  };
}

/**
 * The run's record; undefined when there is none, as in another tool's run.
 * @throws SlopLensError run-folder when it is broken, or the run is ours and it is gone: bounds and checkpoints that it
 *   had would be lost without a word
 */
async function readOwnRecord({ folder, problems }: Run, config: Fields): Promise<RunRecord | undefined> {
  const reader = new DocumentReader();
  const file = path.join(folder, RUN_RECORD);
  const document = await reader.record(file);
  if (document === undefined && reader.faults.length === 0) {
    const names = problems.map(({ problem }) => problem);
    if (!(await hasLostRecord(folder, config, names))) return undefined;
    throw new SlopLensError("run-folder", `The run's record ${file} is missing`, RECORD_HINT);
  }
  const record = readRunRecord(document, folder);
  const fault = record === undefined ? "" : recordFault(record, new Fields(document));
  if (record !== undefined && fault === undefined) return record;
  const what = fault === undefined || fault === "" ? "" : `: "${fault}" cannot be read`;
  throw new SlopLensError("run-folder", `The run's record ${file} is broken${what}`, RECORD_HINT);
}

/** What a run that is gone on with cannot do without. */
function recordFault(record: RunRecord, fields: Fields): string | undefined {
  if (fields.has("checkpoints") && !fields.isTexts("checkpoints")) return "checkpoints";
  return record.imported && !fields.has("policy") ? undefined : policyFault(fields);
}

async function findPart(folder: string): Promise<{ run: Run; part: ProblemRun }> {
  const above = path.dirname(folder);
  const inner = await readRun(above).catch(() => undefined);
  const named = inner?.problems.find((part) => part.folder === folder);
  if (inner !== undefined && named !== undefined) return { run: inner, part: named };
  const run = await readRun(folder);
  const [part, ...others] = run.problems;
  if (part !== undefined && others.length === 0) return { run, part };
  throw new SlopLensError(
    "bad-input",
    `${folder} holds ${run.problems.length} problems, and one is gone on with at a time`,
    `Name it as RUN/PROBLEM: ${run.problems.map(({ problem }) => problem).join(", ")}.`,
  );
}

async function packFolder({ folder }: ProblemRun, reader: DocumentReader): Promise<string | undefined> {
  const pack = new Fields(await reader.yaml(path.join(folder, "problem.yaml"))).text("path");
  return pack !== undefined && path.isAbsolute(pack) && (await isFolder(pack)) ? pack : undefined;
}

/** Values of secret variables are masked in the file; a run with such an environment would not be the same. */
async function environmentFile(runFolder: string): Promise<string | undefined> {
  const file = path.join(runFolder, "environment.yaml");
  const text = await readText(file).catch(() => undefined);
  return text === undefined || text.includes(MASK) ? undefined : file;
}

function isFolder(folder: string): Promise<boolean> {
  return stat(folder).then(
    (stats) => stats.isDirectory(),
    () => false,
  );
}
