import { readdir } from "node:fs/promises";
import type { Dirent } from "node:fs";
import path from "node:path";
import { SlopLensError } from "../model/errors.js";
import { PASS_POLICIES, passPolicy } from "../model/policy.js";
import type { Isolation, ProblemRun, Run, RunAgent } from "../model/run.js";
import type { Turn } from "../model/turn.js";
import { DocumentReader } from "./documents.js";
import { Fields } from "../model/fields.js";
import { hashOf } from "../problem/hash-of.js";
import { folderTrouble } from "../model/read-text.js";
import { readAgentSettings } from "./agent-settings.js";
import { readTurn } from "./read-turn.js";
import { hasLostRecord, RECORD_HINT } from "./lost-record.js";
import { isHeld } from "./run-hold.js";
import { readRunRecord, RUN_RECORD } from "./run-record.js";
import type { RunRecord } from "./run-record.js";

/**
 * Reads a run folder of SCB's layout: our own, and those of slop-code in every release, finished or not. Any file may
 * be absent or broken: that becomes a fault, and everything else is read. Snapshots and test reports are not opened.
 * @throws SlopLensError run-folder when the folder cannot be read or holds no problem and no run file
 */
export async function readRun(folder: string): Promise<Run> {
  const absolute = path.resolve(folder);
  const entries = await listFolder(absolute);
  if (isPack(entries)) {
    throw new SlopLensError(
      "run-folder",
      `${absolute} is a problem pack, not a run folder`,
      "Runs are in the folder runs, unless they were made elsewhere.",
    );
  }
  const reader = new DocumentReader();
  const isProblem = await Promise.all(
    folders(entries).map((name) => isProblemFolder(path.join(absolute, name))),
  );
  const names = folders(entries).filter((_, index) => isProblem[index] === true);
  if (names.length === 0 && !hasRunFiles(entries)) {
    throw new SlopLensError(
      "run-folder",
      `${absolute} is not a run folder`,
      "A run folder holds a folder for each problem, and that one the folders checkpoint_1, checkpoint_2 and so on.",
    );
  }
  const files = await readRunFiles(absolute, names, reader);
  const live = await isHeld(absolute, files.record);
  const problems = await Promise.all(
    names.map((name) => readProblem(path.join(absolute, name), name, files, live, reader)),
  );
  return {
    folder: absolute,
    ...describeRun(files, problems),
    promptHash: promptHash(files.config),
    state: stateOf(files, live, entries, problems),
    problems: problems.map(({ problem, folder: place, turns }) => ({ problem, folder: place, turns })),
    faults: reader.faults,
  };
}

/** Specs lie beside the configuration of a pack, never beside that of a run; its solutions look like a problem of a run. */
function isPack(entries: readonly Dirent[]): boolean {
  const names = entries.map(({ name }) => name);
  return names.includes("config.yaml") && names.some((name) => /^checkpoint_\w+\.md$/u.test(name));
}

/** A problem pack has a `config.yaml` too, so that one alone says nothing. */
function hasRunFiles(entries: readonly Dirent[]): boolean {
  const present = new Set(entries.map(({ name }) => name));
  const pair = present.has("config.yaml") && present.has("environment.yaml");
  return pair || ["checkpoint_results.jsonl", "result.json"].some((name) => present.has(name));
}

interface RunFiles {
  readonly record: RunRecord | undefined;
  /** Whether the run is one of ours whose record is gone or cannot be read. */
  readonly isRecordLost: boolean;
  readonly config: Fields;
  readonly environment: Fields;
  /** Rows of `checkpoint_results.jsonl` by `<problem>/<checkpoint>`. */
  readonly rows: ReadonlyMap<string, Fields>;
}

async function readRunFiles(
  folder: string,
  problems: readonly string[],
  reader: DocumentReader,
): Promise<RunFiles> {
  const at = (name: string): string => path.join(folder, name);
  const [record, configuration, environment, rows] = await Promise.all([
    reader.record(at(RUN_RECORD)),
    reader.yaml(at("config.yaml")),
    reader.yaml(at("environment.yaml")),
    reader.jsonLines(at("checkpoint_results.jsonl")),
  ]);
  const known = record === undefined ? undefined : readRunRecord(record, folder);
  if (record !== undefined && known === undefined) {
    reader.fault(at(RUN_RECORD), "This run record is of an unknown form", "error");
  }
  const config = new Fields(configuration);
  const isMissing = await hasLostRecord(folder, config, problems);
  const isRecordLost = isMissing || reader.faults.some(({ file }) => file === at(RUN_RECORD));
  if (isMissing) {
    reader.fault(at(RUN_RECORD), `The run's record is missing. ${RECORD_HINT}`, "error");
  }
  if (configuration === undefined) {
    reportAbsent(reader, at("config.yaml"), "agent, model and prompt may be unknown");
  }
  if (environment === undefined) reportAbsent(reader, at("environment.yaml"), "the environment is unknown");
  return {
    record: known,
    isRecordLost,
    config,
    environment: new Fields(environment),
    rows: new Map(
      rows.map((row) => {
        const fields = new Fields(row);
        return [`${fields.text("problem") ?? ""}/${fields.text("checkpoint") ?? ""}`, fields];
      }),
    ),
  };
}

/** A broken file has its own fault already. */
function reportAbsent(reader: DocumentReader, file: string, consequence: string): void {
  if (reader.faults.every((fault) => fault.file !== file)) {
    reader.fault(file, `This file is missing, so ${consequence}`);
  }
}

interface ReadProblem extends ProblemRun {
  readonly info: Fields;
}

async function readProblem(
  folder: string,
  folderName: string,
  files: RunFiles,
  live: boolean,
  reader: DocumentReader,
): Promise<ReadProblem> {
  const [entries, configuration, infoDocument] = await Promise.all([
    listFolder(folder),
    reader.yaml(path.join(folder, "problem.yaml")),
    reader.yaml(path.join(folder, "run_info.yaml")),
  ]);
  const info = new Fields(infoDocument);
  if (configuration === undefined) {
    reportAbsent(reader, path.join(folder, "problem.yaml"), "checkpoints that were not reached are unknown");
  }
  const stated = info.fields("summary").fields("checkpoints");
  const checkpoints = new Fields(configuration).fields("checkpoints");
  const names = checkpointNames(checkpoints, stated, folders(entries));
  const present = new Set(folders(entries));
  const turns = await Promise.all(
    names.map((name, index): Promise<Turn> => {
      const before = names
        .slice(0, index)
        .filter((earlier) => present.has(earlier))
        .at(-1);
      const id = `${folderName}/${name}`;
      return readTurn(
        {
          problem: folderName,
          checkpoint: name,
          order: index + 1,
          parent: before === undefined ? null : `${folderName}/${before}`,
          folder: path.join(folder, name),
          runFolder: path.dirname(folder),
          stated: statedOf(files, stated, name),
          row: files.rows.get(id) ?? new Fields(undefined),
          live,
        },
        reader,
      );
    }),
  );
  return { problem: folderName, folder, turns, info };
}

/** SCB calls skipped also what was not reached; our own record tells the two apart, and without it nothing does. */
function statedOf(
  { record, isRecordLost }: RunFiles,
  stated: Fields,
  checkpoint: string,
): string | undefined {
  if (record === undefined) return isRecordLost ? undefined : stated.text(checkpoint);
  const isPlanned = record.checkpoints?.includes(checkpoint) ?? true;
  return isPlanned ? undefined : "skipped";
}

const byNumber = new Intl.Collator("en", { numeric: true });

/** All checkpoints in their order: as the problem's configuration has them, then others that have left a trace. */
function checkpointNames(configured: Fields, stated: Fields, present: readonly string[]): string[] {
  const order = (name: string): number => configured.fields(name).numberOr("order", Infinity);
  const others = [...stated.keys, ...present.filter(isCheckpointName)];
  const names = [...new Set([...configured.keys, ...others])];
  return names.sort((left, right) => {
    const [first, second] = [order(left), order(right)];
    return first === second ? byNumber.compare(left, right) : first - second;
  });
}

function isCheckpointName(name: string): boolean {
  return /^checkpoint[_-]?\d+/u.test(name);
}

function stateOf(
  files: RunFiles,
  live: boolean,
  entries: readonly Dirent[],
  problems: readonly ReadProblem[],
): Run["state"] {
  if (files.record !== undefined)
    return !live && files.record.state === "running" ? "interrupted" : files.record.state;
  if (files.isRecordLost) return problems.every(isCompleted) ? "finished" : "interrupted";
  // slop-code writes result.json when all problems have ended, and run_info.yaml when one has.
  if (entries.some(({ name }) => name === "result.json")) return "finished";
  const ended = new Set(problems.filter(({ info }) => info.keys.length > 0).map(({ problem }) => problem));
  const asked = [...files.config.texts("problems"), ...problems.map(({ problem }) => problem)];
  return asked.length > 0 && asked.every((problem) => ended.has(problem)) ? "finished" : "interrupted";
}

/** What we write of a run that came to its end without trouble; of others only the record tells how they ended. */
function isCompleted({ info }: ReadProblem): boolean {
  return info.fields("summary").text("state") === "completed";
}

type Description = "agent" | "prompt" | "environment" | "isolation" | "startedAt" | "policy" | "attempt";

function describeRun(files: RunFiles, problems: readonly ReadProblem[]): Pick<Run, Description> {
  const { record, config, environment } = files;
  if (record !== undefined) {
    const { agent, prompt, isolation, startedAt, policy, attempt } = record;
    return { agent, prompt, isolation, startedAt, policy, attempt, environment: record.environment };
  }
  const infos = problems.map(({ info }) => info);
  const pass = config.oneOf("pass_policy", PASS_POLICIES);
  return {
    policy: pass === undefined || files.isRecordLost ? undefined : passPolicy(pass),
    agent: readAgent(config, infos),
    prompt: promptName(config.text("prompt_path")),
    environment: environment.text("name") ?? config.fields("environment").text("name"),
    isolation: isolationOf(environment.text("type") ?? config.fields("environment").text("type")),
    startedAt: earliest([
      ...infos.map((info) => info.fields("summary").text("started")),
      ...problems.flatMap(({ turns }) => turns.map((turn) => turn.startedAt)),
    ]),
  };
}

/** Two templates of one name are told apart by it. */
function promptHash(config: Fields): string | undefined {
  const source = config.text("prompt_content");
  return source === undefined ? undefined : hashOf(source);
}

function readAgent(config: Fields, infos: readonly Fields[]): RunAgent {
  const agent = config.fields("agent");
  const told = (key: string): string | undefined =>
    infos.map((info) => info.text(key)).find((text) => text !== undefined);
  return {
    type: agent.text("type") ?? told("agent_type") ?? "unknown",
    version: agent.text("version") ?? told("agent_version"),
    model: config.fields("model").text("name") ?? told("model_name"),
    detail: readAgentSettings(config),
  };
}

/** Stored paths are of the machine that ran it; only the file's name means something here. */
function promptName(promptPath: string | undefined): string | undefined {
  return promptPath === undefined ? undefined : path.posix.parse(promptPath.replaceAll("\\", "/")).name;
}

function isolationOf(type: string | undefined): Isolation {
  return type === "docker" || type === "local" ? type : "unknown";
}

function earliest(times: readonly (string | undefined)[]): string | undefined {
  return times.filter((time) => time !== undefined).sort()[0];
}

/** A folder of a run that belongs to a problem. Other tools lay other folders beside them. */
async function isProblemFolder(folder: string): Promise<boolean> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  const named = entries.some(({ name }) => name === "problem.yaml" || name === "run_info.yaml");
  return named || folders(entries).some(isCheckpointName);
}

function folders(entries: readonly Dirent[]): string[] {
  return entries
    .filter((entry) => entry.isDirectory() && !entry.name.startsWith("."))
    .map(({ name }) => name)
    .sort();
}

async function listFolder(folder: string): Promise<Dirent[]> {
  return readdir(folder, { withFileTypes: true }).catch((error: unknown) => {
    throw new SlopLensError("run-folder", folderTrouble(folder, error), "Name a run folder.", {
      cause: error,
    });
  });
}
