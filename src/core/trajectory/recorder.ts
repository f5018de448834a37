import type { AgentResult } from "../agent/agent.js";
import type { Environment } from "../model/environment.js";
import type { Evaluation } from "../evaluation/evaluation.js";
import type { Problem } from "../model/problem.js";
import type { QualityReport } from "../model/quality.js";
import type { Isolation, Run, RunAgent } from "../model/run.js";
import type { PromptTemplate } from "../prompt/prompt.js";
import type { Turn } from "../model/turn.js";
import type { PassPolicy } from "./policy.js";

/** What a run is made with; fixed before its first turn. */
export interface RunStart {
  /** Folder in which the run folder is made. */
  readonly runsFolder: string;
  readonly agent: RunAgent;
  readonly problem: Problem;
  readonly environment: Environment;
  readonly prompt: PromptTemplate;
  readonly policy: PassPolicy;
  readonly isolation: Isolation;
  readonly startedAt: Date;
}

/** The files of one turn. Every step is on disk, whole, when its promise resolves. */
export interface TurnRecorder {
  /** Absolute path of the checkpoint's folder. */
  readonly folder: string;
  /** Empty folder on the run folder's own file system that becomes the snapshot. */
  readonly staging: string;
  /** Folder for the agent's transcripts; not created. */
  readonly transcripts: string;
  keepAgentResult(result: AgentResult, startedAt: Date, finishedAt: Date): Promise<void>;
  /**
   * Makes the staged files the turn's snapshot.
   * @param parent the parent's snapshot to compare with, undefined for none
   * @returns absolute path of the snapshot
   */
  keepSnapshot(parent: string | undefined): Promise<string>;
  keepEvaluation(evaluation: Evaluation): Promise<void>;
  keepQuality(report: QualityReport): Promise<void>;
  /** Writes the turn record, after which the turn counts as finished. */
  close(turn: Turn): Promise<void>;
  /** Removes what is half done, so that the checkpoint reads as not reached. */
  drop(): Promise<void>;
}

/** Where the loop leaves its results; the run folder's writer in every host. */
export interface RunRecorder {
  /** Absolute path of the run folder. */
  readonly folder: string;
  readonly problemFolder: string;
  checkpointFolder(checkpoint: string): string;
  openTurn(turn: Pick<Turn, "checkpoint">, prompt: string): Promise<TurnRecorder>;
  close(run: Run, reason: string | undefined): Promise<void>;
}
