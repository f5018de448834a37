import { lstat, mkdir, rename, rm } from "node:fs/promises";
import path from "node:path";
import type { AgentResult } from "../agent/agent.js";
import type { Evaluation } from "../evaluation/evaluation.js";
import type { Checkpoint, Problem } from "../model/problem.js";
import type { QualityReport } from "../model/quality.js";
import type { Turn, Usage } from "../model/turn.js";
import { diffDocument, diffSnapshots } from "./diff-file.js";
import type { SnapshotDiff } from "./diff-file.js";
import {
  draftName,
  makeFolder,
  renameDurably,
  syncTree,
  writeDurably,
  writeFolderDurably,
} from "./durable.js";
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
/** Turns that were dropped or redone are kept here, beside the checkpoints; readers pass over it. */
const ASIDE = ".invalidated-checkpoints";

/**
 * Writes the files of one turn into its checkpoint folder. Each step is on disk, whole, when its promise resolves; a
 * crash between two steps leaves a folder that reads correctly up to the last one.
 */
export class TurnFolderWriter {
  /** Empty folder on the run folder's own file system that becomes the snapshot. */
  readonly staging: string;
  /** Folder for the agent's transcripts; not created. */
  readonly transcripts: string;
  #startedAt = new Date();
  #finishedAt = new Date();
  #diff: SnapshotDiff | undefined;
  #quality: QualityReport | undefined;

  private constructor(
    /** Absolute path of the checkpoint's folder. */
    readonly folder: string,
    private readonly problem: Problem,
    private readonly checkpoint: Checkpoint,
    private readonly redactor: Redactor,
    private readonly onClosed: (row: ResultRow) => Promise<void>,
  ) {
    this.staging = path.join(folder, draftName("snapshot"));
    this.transcripts = path.join(folder, "agent");
  }

  /**
   * Begins a checkpoint's folder. One that is there from an earlier try is moved aside.
   * @param onClosed takes the turn's line for `checkpoint_results.jsonl`
   */
  static async open(
    problemFolder: string,
    problem: Problem,
    checkpoint: Checkpoint,
    prompt: string,
    redactor: Redactor,
    onClosed: (row: ResultRow) => Promise<void>,
  ): Promise<TurnFolderWriter> {
    const folder = path.join(problemFolder, checkpoint.name);
    await setAside(folder);
    await writeFolderDurably(folder, {
      "checkpoint.yaml": yamlText(checkpointDocument(checkpoint, redactor)),
      "prompt.txt": redactor.text(prompt),
    });
    const writer = new TurnFolderWriter(folder, problem, checkpoint, redactor, onClosed);
    await mkdir(writer.staging);
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
      checkpoint_path: this.checkpoint.name,
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
    this.#diff = await diffSnapshots(parent, snapshot);
    await this.#json("diff.json", diffDocument(this.#diff, this.#startedAt, this.#finishedAt));
    return snapshot;
  }

  /** Writes `evaluation/`, then `evaluation.json`, whose presence says that the tests were run. */
  async keepEvaluation(evaluation: Evaluation): Promise<void> {
    await writeFolderDurably(path.join(this.folder, "evaluation"), {
      "stdout.txt": this.redactor.text(evaluation.stdout),
      "stderr.txt": this.redactor.text(evaluation.stderr),
      "report.json": this.redactor.text(JSON.stringify(reportDocument(evaluation, new Date()))),
    });
    await this.#json("evaluation.json", evaluationDocument(evaluation, this.problem, this.checkpoint));
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

  /** Writes the turn record, after which the turn counts as finished. What was staged and not kept goes. */
  async close(turn: Turn): Promise<void> {
    await rm(this.staging, { recursive: true, force: true });
    await this.#json(TURN_RECORD, turnRecordDocument(turn));
    const figures = { turn, problem: this.problem, diff: this.#diff, quality: this.#quality };
    await this.onClosed(resultRow(figures));
  }

  /** Moves what is half done aside, so that the checkpoint reads as not reached. */
  async drop(): Promise<void> {
    await setAside(this.folder);
  }

  async #json(name: string, document: unknown): Promise<void> {
    await writeDurably(path.join(this.folder, name), this.redactor.text(indented(document)));
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

/** Moves a checkpoint's folder out of the readers' sight. Nothing is deleted: a turn may have cost money. */
async function setAside(folder: string): Promise<void> {
  if ((await lstat(folder).catch(() => undefined)) === undefined) return;
  const aside = path.join(path.dirname(folder), ASIDE);
  const name = path.basename(folder);
  for (let number = 1; ; number += 1) {
    await makeFolder(aside);
    try {
      await rename(folder, path.join(aside, `${name}_${number}`));
      return;
    } catch (error) {
      const code = error instanceof Error && "code" in error ? error.code : undefined;
      if (code === "ENOENT") return;
      if (code !== "ENOTEMPTY" && code !== "EEXIST" && code !== "EPERM") throw error;
    }
  }
}
