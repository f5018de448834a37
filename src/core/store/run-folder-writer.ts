import { randomUUID } from "node:crypto";
import { mkdir, rename, rm } from "node:fs/promises";
import path from "node:path";
import { SlopLensError } from "../model/errors.js";
import type { Problem } from "../model/problem.js";
import type { Isolation, ProblemRun, Run } from "../model/run.js";
import type { Turn } from "../model/turn.js";
import { draftName, makeFolder, writeDurably } from "./durable.js";
import { Redactor } from "./redact.js";
import { summaryDocument } from "./results-file.js";
import type { ResultRow } from "./results-file.js";
import { RUN_RECORD, runRecordDocument, thisRunner } from "./run-record.js";
import type { RunRecord } from "./run-record.js";
import { runInfoDocument } from "./run-info.js";
import { TurnFolderWriter } from "./turn-folder-writer.js";
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
  /** Names of the checkpoints that the run is to take; default all. */
  readonly checkpoints?: readonly string[];
  readonly startedAt: Date;
  /** Values that must not appear in any file of the run, for example the key an agent was given. */
  readonly secrets?: readonly string[];
}

/**
 * Writes a run folder in SCB's layout. Whatever is written is whole: a crash at any moment leaves a folder that reads
 * correctly up to the last finished step.
 */
export class RunFolderWriter {
  readonly #rows: ResultRow[] = [];

  private constructor(
    /** Absolute path of the run folder. */
    readonly folder: string,
    private readonly start: RunFolderStart,
    private readonly record: RunRecord,
    private readonly redactor: Redactor,
  ) {}

  /**
   * Makes the run folder, called `<time>_<agent>_<problem>`. It appears with its first files in one step.
   * @throws SlopLensError run-folder when it cannot be made
   */
  static async create(start: RunFolderStart): Promise<RunFolderWriter> {
    const redactor = new Redactor(start.secrets);
    const record = await firstRecord(start, redactor);
    const runs = path.resolve(start.runsFolder);
    const name = [stamp(start.startedAt), start.agent.type, start.problem.name].map(fileName).join("_");
    const draft = path.join(runs, draftName(`${name}_${randomUUID()}`));
    try {
      await makeFolder(runs);
      await writeFirstFiles(draft, name, start, record, redactor);
      const folder = await publish(draft, path.join(runs, name));
      return new RunFolderWriter(folder, start, record, redactor);
    } catch (error) {
      await rm(draft, { recursive: true, force: true }).catch(() => undefined);
      if (SlopLensError.from(error).code === "disk-full") throw SlopLensError.from(error);
      throw new SlopLensError(
        "run-folder",
        `No run folder can be made in ${runs}`,
        "Choose another folder for runs, or make this one writable.",
        { cause: error },
      );
    }
  }

  /** Begins the turn of a checkpoint. @throws SlopLensError internal for a checkpoint that the problem does not have */
  async openTurn(turn: Pick<Turn, "checkpoint">, prompt: string): Promise<TurnFolderWriter> {
    const { problem } = this.start;
    const checkpoint = problem.checkpoints.find(({ name }) => name === turn.checkpoint);
    if (checkpoint === undefined) {
      throw new SlopLensError("internal", `${problem.name} has no checkpoint ${turn.checkpoint}`);
    }
    const folder = path.join(this.folder, problem.name);
    return TurnFolderWriter.open(folder, problem, checkpoint, prompt, this.redactor, (row) =>
      this.#addRow(row),
    );
  }

  /**
   * Writes what can be told only at the end. The run counts as ended when this resolves.
   * @param run its final state
   * @param reason why it ended early, undefined when it did not
   */
  async close(run: Run, reason: string | undefined): Promise<void> {
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
    await this.#write("result.json", `${JSON.stringify(summaryDocument(figures, this.#rows), null, 2)}\n`);
    const record = { ...this.record, state: run.state, reason, finishedAt: finishedAt.toISOString() };
    await this.#write(RUN_RECORD, recordText(record));
  }

  async #writeRunInfo(
    own: ProblemRun,
    state: Run["state"],
    reason: string | undefined,
    finishedAt: Date,
  ): Promise<void> {
    const end = { state, reason, startedAt: this.start.startedAt, finishedAt };
    await this.#write(
      path.join(own.problem, "run_info.yaml"),
      yamlText(runInfoDocument(this.start, own.turns, end)),
    );
  }

  /** Rewritten as a whole: it is small, and an appended line could be cut off by a crash. */
  async #addRow(row: ResultRow): Promise<void> {
    const same = this.#rows.findIndex(
      (known) => known["problem"] === row["problem"] && known["checkpoint"] === row["checkpoint"],
    );
    this.#rows.splice(same < 0 ? this.#rows.length : same, 1, row);
    const lines = this.#rows.map((one) => `${JSON.stringify(one)}\n`);
    await this.#write("checkpoint_results.jsonl", lines.join(""));
  }

  async #write(name: string, text: string): Promise<void> {
    await writeDurably(path.join(this.folder, name), this.redactor.text(text));
  }
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
    checkpoints: start.checkpoints,
    startedAt: start.startedAt.toISOString(),
    finishedAt: undefined,
    runner: await thisRunner(),
  };
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
    [RUN_RECORD, recordText(record)],
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

function recordText(record: RunRecord): string {
  return `${JSON.stringify(runRecordDocument(record), null, 2)}\n`;
}

/** Local time as `20260603T145812`. */
function stamp(time: Date): string {
  const two = (number: number): string => String(number).padStart(2, "0");
  const day = `${time.getFullYear()}${two(time.getMonth() + 1)}${two(time.getDate())}`;
  return `${day}T${two(time.getHours())}${two(time.getMinutes())}${two(time.getSeconds())}`;
}

function fileName(word: string): string {
  return word.replaceAll(/[^\w.-]+/gu, "-");
}
