import { mkdir, rm } from "node:fs/promises";
import path from "node:path";
import type { AgentResult } from "../agent/agent.js";
import type { Evaluation } from "../evaluation/evaluation.js";
import type { Checkpoint, Problem } from "../model/problem.js";
import type { QualityReport } from "../model/quality.js";
import type { Turn, Usage } from "../model/turn.js";
import { OWN_FOLDER, setAside } from "./aside.js";
import { diffDocument, diffSnapshots } from "./diff-file.js";
import type { SnapshotDiff } from "./diff-file.js";
import { draftName, renameDurably, syncTree, writeDurably, writeFolderDurably } from "./durable.js";
import { evaluationDocument } from "./evaluation-file.js";
import { matchesLines, symbolsLines } from "./quality-files.js";
import type { Redactor } from "./redact.js";
import { reportDocument } from "./report-file.js";
import { resultRow } from "./results-file.js";
import type { ResultRow } from "./results-file.js";
import { TURN_RECORD, turnRecordDocument } from "./turn-record.js";
import { checkpointDocument, yamlText } from "./yaml-documents.js";

/** Our own file in `quality_analysis/`. */
const QUALITY_REPORT = "slop-lens.json";

/** In a checkpoint's folder: what an agent's own conversation is kept in. */
export const SESSION = path.join(OWN_FOLDER, "session");

/** What is known of a turn before it begins. */
export interface TurnSetting {
  /** Absolute path of the run folder. */
  readonly runFolder: string;
  readonly problem: Problem;
  readonly checkpoint: Checkpoint;
  readonly redactor: Redactor;
  /** Takes the turn's line for `checkpoint_results.jsonl`, and the turn's folder. */
  readonly onClosed: (row: ResultRow, folder: string) => Promise<void>;
}

/**
 * Writes the files of one turn into its checkpoint folder. Each step is on disk, whole, when its promise resolves; a
 * crash between two steps leaves a folder that reads correctly up to the last one.
 */
export class TurnFolderWriter {
  /** Empty folder on the run folder's own file system that becomes the snapshot. */
  readonly staging: string;
  /** Folder for the agent's transcripts; not created. */
  readonly transcripts: string;
  /** Folder for what the agent needs to go on with its conversation; not created. */
  readonly session: string;
  #startedAt = new Date();
  #finishedAt = new Date();
  #diff: SnapshotDiff | undefined;
  #quality: QualityReport | undefined;

  private constructor(
    /** Absolute path of the checkpoint's folder. */
    readonly folder: string,
    private readonly setting: TurnSetting,
  ) {
    this.staging = path.join(folder, draftName("snapshot"));
    this.transcripts = path.join(folder, "agent");
    this.session = path.join(folder, SESSION);
  }

  /** Begins a checkpoint's folder. One that is there from an earlier try is moved aside. */
  static async open(setting: TurnSetting, prompt: string): Promise<TurnFolderWriter> {
    const { runFolder, problem, checkpoint, redactor } = setting;
    const writer = new TurnFolderWriter(path.join(runFolder, problem.name, checkpoint.name), setting);
    await setAside(runFolder, writer.folder);
    await writeFolderDurably(writer.folder, {
      "checkpoint.yaml": yamlText(checkpointDocument(checkpoint, redactor)),
      "prompt.txt": redactor.text(prompt),
    });
    await mkdir(writer.staging);
    return writer;
  }

  /**
   * Takes up a checkpoint's folder whose snapshot is whole, to evaluate it again. What an evaluation before it left is
   * moved aside, the record first: from then on the turn reads as unfinished.
   */
  static async reopen(setting: TurnSetting): Promise<TurnFolderWriter> {
    const { runFolder, problem, checkpoint } = setting;
    const writer = new TurnFolderWriter(path.join(runFolder, problem.name, checkpoint.name), setting);
    const time = new Date();
    for (const name of [TURN_RECORD, "evaluation.json", "evaluation", "quality_analysis"]) {
      await setAside(runFolder, path.join(writer.folder, name), time);
    }
    return writer;
  }

  async keepAgentResult(result: AgentResult, startedAt: Date, finishedAt: Date): Promise<void> {
    this.#startedAt = startedAt;
    this.#finishedAt = finishedAt;
    const wallSeconds = (finishedAt.getTime() - startedAt.getTime()) / 1000;
    await this.#json("inference_result.json", {
      started: startedAt.toISOString(),
      completed: finishedAt.toISOString(),
      elapsed: result.usage.agentSeconds ?? wallSeconds,
      had_error: result.status !== "done",
      error_message: result.status === "done" ? null : (result.reason ?? result.status),
      checkpoint_path: this.setting.checkpoint.name,
      snapshot_dir: "snapshot",
      artifacts_dir: "agent",
      usage: usageDocument(result.usage),
    });
  }

  /**
   * Makes the staged files the turn's snapshot, and writes `diff.json`.
   * @param parent the parent's snapshot to compare with, undefined for none
   * @returns absolute path of the snapshot
   */
  async keepSnapshot(parent: string | undefined): Promise<string> {
    const snapshot = path.join(this.folder, "snapshot");
    await syncTree(this.staging);
    await renameDurably(this.staging, snapshot);
    await this.keepDiff(parent);
    return snapshot;
  }

  /** Writes `diff.json`. @param parent the parent's snapshot to compare with, undefined for none */
  async keepDiff(parent: string | undefined): Promise<void> {
    this.#diff = await diffSnapshots(parent, path.join(this.folder, "snapshot"));
    await this.#json("diff.json", diffDocument(this.#diff, this.#startedAt, this.#finishedAt));
  }

  /** Writes `evaluation/`, then `evaluation.json`, whose presence says that the tests were run. */
  async keepEvaluation(evaluation: Evaluation): Promise<void> {
    const { redactor, problem, checkpoint } = this.setting;
    await writeFolderDurably(path.join(this.folder, "evaluation"), {
      "stdout.txt": redactor.text(evaluation.stdout),
      "stderr.txt": redactor.text(evaluation.stderr),
      "report.json": redactor.text(JSON.stringify(reportDocument(evaluation, new Date()))),
    });
    await this.#json("evaluation.json", evaluationDocument(evaluation, problem, checkpoint));
  }

  /**
   * Writes `quality_analysis/`: our whole report, and SCB's files that it fills. SCB's `overall_quality.json` is left
   * out on purpose: its readers take an absent one well, and stop at one that lacks figures that we do not measure.
   */
  async keepQuality(report: QualityReport): Promise<void> {
    this.#quality = report;
    await writeFolderDurably(path.join(this.folder, "quality_analysis"), {
      [QUALITY_REPORT]: `${JSON.stringify(report)}\n`,
      "symbols.jsonl": symbolsLines(report),
      "ast_grep.jsonl": matchesLines(report.matches),
    });
  }

  /**
   * Writes the turn's line for `checkpoint_results.jsonl`, then the turn record, after which the turn counts as
   * finished: a record never lacks its line. What was staged and not kept goes.
   */
  async close(turn: Turn): Promise<void> {
    const { problem, runFolder, onClosed } = this.setting;
    await rm(this.staging, { recursive: true, force: true });
    await onClosed(resultRow({ turn, problem, diff: this.#diff, quality: this.#quality }), this.folder);
    await this.#json(TURN_RECORD, turnRecordDocument(turn, runFolder));
  }

  /** Moves an evaluation aside whose turn has no record, so that it reads as it does when the tests were cut short. */
  async dropEvaluation(): Promise<void> {
    const time = new Date();
    for (const name of ["evaluation.json", "evaluation"]) {
      await setAside(this.setting.runFolder, path.join(this.folder, name), time);
    }
  }

  /** Moves what is half done aside, so that the checkpoint reads as not reached. */
  async drop(): Promise<void> {
    await setAside(this.setting.runFolder, this.folder);
  }

  async #json(name: string, document: unknown): Promise<void> {
    await writeDurably(path.join(this.folder, name), this.setting.redactor.text(indented(document)));
  }
}

/** SCB knows no unknown figures: they are 0 there, and stay unknown in the turn record. */
function usageDocument(usage: Usage): Readonly<Record<string, unknown>> {
  const tokens = {
    input: usage.inputTokens ?? 0,
    output: usage.outputTokens ?? 0,
    cache_read: usage.cacheReadTokens ?? 0,
    cache_write: usage.cacheWriteTokens ?? 0,
    reasoning: usage.reasoningTokens ?? 0,
  };
  return { cost: usage.costUsd ?? 0, steps: usage.steps ?? 0, net_tokens: tokens, current_tokens: tokens };
}

function indented(document: unknown): string {
  return `${JSON.stringify(document, null, 2)}\n`;
}
