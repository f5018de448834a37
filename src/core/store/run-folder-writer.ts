import { mkdir, readdir, rename, rm } from "node:fs/promises";
import path from "node:path";
import { SlopLensError } from "../model/errors.js";
import type { AttemptOf } from "../model/policy.js";
import type { Problem } from "../model/problem.js";
import type { Isolation, ProblemRun, Run } from "../model/run.js";
import type { Turn } from "../model/turn.js";
import { readText } from "../model/read-text.js";
import { withLock } from "../sandbox/local/folder-lock.js";
import { isDead, parseStamp } from "../sandbox/process-stamp.js";
import { publishAttempt } from "./attempt-claim.js";
import { removeDrafts, setAside, settle } from "./aside.js";
import { Candidates } from "./candidates.js";
import { DocumentReader } from "./documents.js";
import { makeFolder, writeDurably } from "./durable.js";
import { Redactor } from "./redact.js";
import { ResultLines } from "./result-lines.js";
import { resultRow, summaryDocument } from "./results-file.js";
import type { ResultRow } from "./results-file.js";
import { fileName, removeRunDrafts, runDraftName } from "./run-drafts.js";
import { hold, refuseHeld, refuseStale } from "./run-hold.js";
import { readRunRecord, RUN_RECORD, runRecordDocument, thisRunner } from "./run-record.js";
import type { RunRecord } from "./run-record.js";
import { runInfoDocument } from "./run-info.js";
import { timeStamp } from "./stamp.js";
import { TurnFolderWriter } from "./turn-folder-writer.js";
import type { TurnSetting } from "./turn-folder-writer.js";
import {
  configDocument,
  environmentDocument,
  modelName,
  problemDocument,
  yamlText,
} from "./yaml-documents.js";
import type { RunSetting } from "./yaml-documents.js";

/** What a run is made with; fixed before its first turn. */
export interface RunFolderStart extends RunSetting {
  /** Folder in which the run folder is made; created when absent. */
  readonly runsFolder: string;
  readonly problem: Problem;
  readonly isolation: Isolation;
  /** Which of several attempts it is; undefined for a run that stands alone. */
  readonly attempt?: AttemptOf | undefined;
  /** Names of the checkpoints that the run is to take; default all. */
  readonly checkpoints?: readonly string[];
  readonly startedAt: Date;
  /** Values that must not appear in any file of the run, for example the key an agent was given. */
  readonly secrets?: readonly string[];
}

/** What is left of a run that is gone on with. */
export interface RunFolderRest {
  readonly folder: string;
  /** Of the run's record when it was planned what becomes of the run. */
  readonly mark: string;
  /** Turns whose folders stay where they are, by checkpoint; every other turn's is moved aside. */
  readonly kept: ReadonlyMap<string, Turn>;
  /** Checkpoints whose finished tries are kept although none is chosen yet. */
  readonly tried?: ReadonlySet<string>;
}

const LOCK = ".claim.lock";
/** Claims take far less, in milliseconds; an older lock of another machine was left by a process that is gone. */
const LONGEST_CLAIM = 60_000;

/**
 * Writes a run folder in SCB's layout. Whatever is written is whole: a crash at any moment leaves a folder that reads
 * correctly up to the last finished step.
 */
export class RunFolderWriter {
  readonly candidates: Candidates;

  private constructor(
    /** Absolute path of the run folder. */
    readonly folder: string,
    private readonly start: RunFolderStart,
    private readonly record: RunRecord,
    private readonly redactor: Redactor,
    private readonly lines: ResultLines,
    private readonly release: () => void,
  ) {
    this.candidates = new Candidates(folder, start.problem.name);
  }

  /**
   * Makes the run folder, called `<time>_<agent>_<problem>`. It appears with its first files in one step.
   * @throws SlopLensError run-folder when it cannot be made, or the attempt that it is was begun meanwhile
   */
  static async create(start: RunFolderStart): Promise<RunFolderWriter> {
    const redactor = new Redactor(start.secrets);
    const record = await firstRecord(start, redactor);
    const runs = path.resolve(start.runsFolder);
    const name = [timeStamp(start.startedAt), start.agent.type, start.problem.name].map(fileName).join("_");
    const draft = path.join(runs, runDraftName(name));
    try {
      await makeFolder(runs);
      await removeRunDrafts(runs);
      await writeFirstFiles(draft, name, start, record, redactor);
      const folder = await publishAttempt(runs, start.attempt, () => publish(draft, path.join(runs, name)));
      return new RunFolderWriter(folder, start, record, redactor, new ResultLines(), hold(folder));
    } catch (error) {
      await rm(draft, { recursive: true, force: true }).catch(() => undefined);
      const known = SlopLensError.from(error);
      if (known.code === "disk-full" || known.code === "run-folder") throw known;
      throw new SlopLensError(
        "run-folder",
        `No run folder can be made in ${runs}`,
        "Choose another folder for runs, or make this one writable.",
        { cause: error },
      );
    }
  }

  /**
   * Takes up a run folder again: claims it for this process, moves aside what is not kept, removes what was left half
   * written. Nothing is deleted that an agent made.
   * @throws SlopLensError run-folder while another process works on the run, or when one has gone on with it since it was
   *   planned; cancelled
   */
  static async resume(
    rest: RunFolderRest,
    start: RunFolderStart,
    signal: AbortSignal,
  ): Promise<RunFolderWriter> {
    const { folder } = rest;
    const redactor = new Redactor(start.secrets);
    const take = (): Promise<RunRecord> => claim(rest, start, redactor);
    const record = await withLock(path.join(folder, LOCK), signal, take, LONGEST_CLAIM);
    const release = hold(folder);
    const lines = await ResultLines.read(folder);
    const writer = new RunFolderWriter(folder, start, record, redactor, lines, release);
    try {
      await removeRunDrafts(path.dirname(folder));
      await writer.#clear(rest);
      return writer;
    } catch (error) {
      release();
      throw error;
    }
  }

  /** Begins the turn of a checkpoint. @throws SlopLensError internal for a checkpoint that the problem does not have */
  async openTurn(turn: Pick<Turn, "checkpoint" | "candidate">, prompt: string): Promise<TurnFolderWriter> {
    return TurnFolderWriter.open(this.#settingOf(turn), prompt);
  }

  /** Takes up a turn that has a snapshot, to evaluate it again. */
  async reopenTurn(turn: Pick<Turn, "checkpoint" | "candidate">): Promise<TurnFolderWriter> {
    return TurnFolderWriter.reopen(this.#settingOf(turn));
  }

  /** Moves the turn of a checkpoint aside, so that the checkpoint reads as not reached. */
  async dropTurn(checkpoint: string): Promise<void> {
    const { name } = this.start.problem;
    await setAside(this.folder, path.join(this.folder, name, checkpoint));
    this.lines.remove(name, checkpoint);
    await this.#writeLines();
  }

  /** Makes a try of a checkpoint the one that readers see. */
  async choose(checkpoint: string, index: number): Promise<void> {
    const row = await this.candidates.choose(checkpoint, index);
    if (row !== undefined) {
      await this.#addRow(row);
      return;
    }
    const turn = (await this.candidates.read(checkpoint)).find(({ candidate }) => candidate?.index === index);
    if (turn !== undefined) await this.#addRow(bareRow(turn, this.start.problem));
  }

  /**
   * Writes what can be told only at the end. The run counts as ended when this resolves.
   * @param run its final state
   * @param reason why it ended early, undefined when it did not
   */
  async close(run: Run, reason: string | undefined): Promise<void> {
    try {
      const { agent, problem, prompt } = this.start;
      const finishedAt = new Date();
      for (const own of run.problems) await this.#writeRunInfo(own, run.state, reason, finishedAt);
      const figures = {
        model: modelName(agent),
        prompt: prompt.name,
        agentType: agent.type,
        agentVersion: agent.version,
        expectedCheckpoints: problem.checkpoints.length,
      };
      const summary = summaryDocument(figures, this.lines.rows);
      await this.#write("result.json", `${JSON.stringify(summary, null, 2)}\n`);
      const record = { ...this.record, state: run.state, reason, finishedAt: finishedAt.toISOString() };
      await this.#write(RUN_RECORD, recordText(record, this.folder));
    } finally {
      this.release();
    }
  }

  /** Moves aside what is not kept, and brings `checkpoint_results.jsonl` to what is. */
  async #clear({ kept, tried }: RunFolderRest): Promise<void> {
    const { problem } = this.start;
    const time = new Date();
    await removeDrafts(this.folder);
    await removeDeadClaims(this.folder);
    const problemFolder = path.join(this.folder, problem.name);
    await removeDrafts(problemFolder);
    for (const { name } of problem.checkpoints) {
      const folder = path.join(problemFolder, name);
      if (kept.has(name)) {
        await settle(folder);
        continue;
      }
      if (tried?.has(name) === true) await this.candidates.park(name);
      else await setAside(this.folder, this.candidates.folderOf(name), time);
      await setAside(this.folder, folder, time);
    }
    this.lines.keepOnly(problem.name, new Set(kept.keys()));
    for (const [name, turn] of kept) {
      if (!this.lines.has(problem.name, name)) this.lines.put(bareRow(turn, problem));
    }
    await this.#writeLines();
  }

  #settingOf({ checkpoint: name, candidate }: Pick<Turn, "checkpoint" | "candidate">): TurnSetting {
    const { problem } = this.start;
    const checkpoint = problem.checkpoints.find((one) => one.name === name);
    if (checkpoint === undefined) {
      throw new SlopLensError("internal", `${problem.name} has no checkpoint ${name}`);
    }
    const onClosed = (row: ResultRow, folder: string): Promise<void> =>
      candidate === undefined
        ? this.#addRow(row)
        : this.candidates.keepRow(folder, this.redactor.text(JSON.stringify(row)));
    return { runFolder: this.folder, problem, checkpoint, redactor: this.redactor, onClosed };
  }

  async #writeRunInfo(
    own: ProblemRun,
    state: Run["state"],
    reason: string | undefined,
    finishedAt: Date,
  ): Promise<void> {
    const startedAt = new Date(this.record.startedAt ?? this.start.startedAt);
    const end = { state, reason, startedAt, finishedAt };
    await this.#write(
      path.join(own.problem, "run_info.yaml"),
      yamlText(runInfoDocument(this.start, own.turns, end)),
    );
  }

  async #addRow(row: ResultRow): Promise<void> {
    this.lines.put(row);
    await this.#writeLines();
  }

  /** Rewritten as a whole: it is small, and an appended line could be cut off by a crash. */
  async #writeLines(): Promise<void> {
    await this.#write("checkpoint_results.jsonl", this.lines.text);
  }

  async #write(name: string, text: string): Promise<void> {
    await writeDurably(path.join(this.folder, name), this.redactor.text(text));
  }
}

/** A turn's line without what only its taking could tell. */
function bareRow(turn: Turn, problem: Problem): ResultRow {
  return resultRow({ turn, problem, diff: undefined, quality: undefined });
}

async function firstRecord(start: RunFolderStart, redactor: Redactor): Promise<RunRecord> {
  const { agent } = start;
  const detail = agent.detail === undefined ? undefined : redactor.command(agent.detail);
  return {
    state: "running",
    reason: undefined,
    agent: { ...agent, detail },
    prompt: start.prompt.name,
    environment: start.environment.name,
    isolation: start.isolation,
    policy: start.policy,
    attempt: start.attempt,
    checkpoints: start.checkpoints,
    startedAt: start.startedAt.toISOString(),
    finishedAt: undefined,
    runner: await thisRunner(),
    imported: false,
    resumptions: [],
  };
}

/** Writes that this process goes on with a run; a run of another tool gets its record by it. */
async function claim(
  { folder, mark }: RunFolderRest,
  start: RunFolderStart,
  redactor: Redactor,
): Promise<RunRecord> {
  const document = await new DocumentReader().record(path.join(folder, RUN_RECORD));
  const known = document === undefined ? undefined : readRunRecord(document, folder);
  await refuseHeld(folder, known);
  refuseStale(folder, known, mark);
  const first = await firstRecord(start, redactor);
  const record: RunRecord = {
    ...first,
    ...known,
    ...{ state: "running", reason: undefined, finishedAt: undefined, runner: first.runner },
    imported: known === undefined || known.imported,
    resumptions: [
      ...(known?.resumptions ?? []),
      { at: new Date().toISOString(), agent: start.agent.model ?? start.agent.type },
    ],
  };
  await writeDurably(path.join(folder, RUN_RECORD), redactor.text(recordText(record, folder)));
  return record;
}

/** Locks of processes that were killed while they claimed the run. */
async function removeDeadClaims(folder: string): Promise<void> {
  for (const name of (await readdir(folder)).filter((one) => one.startsWith(`${LOCK}.`))) {
    const text = await readText(path.join(folder, name)).catch(() => "");
    const stamp = parseStamp(text.trim());
    if (stamp === undefined || isDead(stamp)) await rm(path.join(folder, name), { force: true });
  }
}

async function writeFirstFiles(
  draft: string,
  name: string,
  start: RunFolderStart,
  record: RunRecord,
  redactor: Redactor,
): Promise<void> {
  await mkdir(path.join(draft, start.problem.name), { recursive: true });
  const files: readonly [string, string][] = [
    ["config.yaml", yamlText(configDocument(start, [start.problem], name, redactor))],
    ["environment.yaml", yamlText(environmentDocument(start.environment, redactor))],
    [`${start.problem.name}/problem.yaml`, yamlText(problemDocument(start.problem, redactor))],
    [RUN_RECORD, recordText(record, draft)],
  ];
  // All have ended before one's failure is told: what is still being written could not be removed.
  const writes = files.map(([file, text]) => writeDurably(path.join(draft, file), redactor.text(text)));
  const failed = (await Promise.allSettled(writes)).find(({ status }) => status === "rejected");
  if (failed?.status === "rejected") throw failed.reason;
}

/** Gives the draft its name, or the next free one: two runs may begin in the same second. */
async function publish(draft: string, wanted: string): Promise<string> {
  for (let number = 1; number < 1000; number += 1) {
    const folder = number === 1 ? wanted : `${wanted}_${number}`;
    try {
      await rename(draft, folder);
      return folder;
    } catch (error) {
      const code = error instanceof Error && "code" in error ? error.code : undefined;
      if (code !== "ENOTEMPTY" && code !== "EEXIST" && code !== "EPERM") throw error;
    }
  }
  throw new Error(`no free name beside ${wanted}`);
}

function recordText(record: RunRecord, folder: string): string {
  return `${JSON.stringify(runRecordDocument(record, folder), null, 2)}\n`;
}
