import { stat } from "node:fs/promises";
import path from "node:path";
import type * as vscode from "vscode";
import type { findAgents } from "../core/agent/program/catalogue.js";
import type { Analyzer } from "../core/analysis/analysis.js";
import { defaultCacheFolder } from "../core/model/cache-folder.js";
import type { TestFaults } from "../core/evaluation/check-tests.js";
import type { Evaluation } from "../core/evaluation/evaluation.js";
import type { ProductFiles } from "../core/model/files.js";
import type { PackReading } from "../core/model/problem.js";
import type { Run, RunListener } from "../core/model/run.js";
import type { TestOutcome } from "../core/model/outcome.js";
import type { Turn } from "../core/model/turn.js";
import type { LibraryReaders } from "./library/reread.js";
import type { Capacity } from "../core/queue/capacity.js";
import type { readPolicies } from "../core/trajectory/policy-file.js";
import type { RunPlan } from "./run/plan.js";
import type { QueueMeans } from "./run/kept-queues.js";
import type { TranscriptReading } from "./reading.js";
import type { AgainRequest } from "./running.js";

/** The core's readers, loaded when they are first used. */
export const readers: LibraryReaders = {
  packs: async (folder) => (await import("./reading.js")).findPacks(folder),
  runs: async (folder, tell) => (await import("./reading.js")).readRuns(folder, tell),
  runFolders: async (folder) => (await import("./reading.js")).runFoldersOf(folder),
  run: async (folder) => (await import("./reading.js")).readRun(folder),
  isThere: async (place) => (await stat(place).catch(() => undefined)) !== undefined,
};

/** A turn's outcomes with all that its folder tells of them. */
export async function readOutcomes(turn: Turn): Promise<readonly TestOutcome[]> {
  return (await import("./reading.js")).readOutcomes(turn);
}

/** Whether a turn's snapshot is not as it was recorded. All its files are read. */
export async function isSnapshotEdited(turn: Turn): Promise<boolean> {
  return (await import("./reading.js")).isSnapshotEdited(turn);
}

/** What a turn's agent did, for its page. */
export async function readTranscriptPage(
  folder: string,
  title: string,
  snapshot: ReadonlySet<string>,
  signal: AbortSignal,
): Promise<TranscriptReading> {
  return (await import("./reading.js")).readTranscriptPage(folder, title, snapshot, signal);
}

/** A turn's transcript as the text of an ATIF trajectory. */
export async function transcriptAsAtif(folder: string, signal: AbortSignal): Promise<string> {
  return (await import("./reading.js")).transcriptAsAtif(folder, signal);
}

/** The policies that a workspace folder keeps, and what is wrong with those that cannot be read. */
export async function policiesOf(folder: string): Promise<Awaited<ReturnType<typeof readPolicies>>> {
  return (await import("./reading.js")).readPolicies(folder);
}

/** The agents that come with the extension and those of a workspace folder, undefined for none. */
export async function agentsOf(
  files: ProductFiles,
  folder: string | undefined,
): ReturnType<typeof findAgents> {
  const { findAgents: find } = await import("./reading.js");
  return find([files.agents, ...(folder === undefined ? [] : [path.join(folder, ".slop-lens", "agents")])]);
}

/** The core's loop, loaded when the first run starts. */
export function engine(files: ProductFiles, analyzer: () => Promise<Analyzer>) {
  return async (
    plan: RunPlan,
    listener: RunListener,
    signal: AbortSignal,
    mayGoOn: (signal: AbortSignal) => Promise<void>,
  ): Promise<Run[]> => {
    const { runPlan } = await import("./running.js");
    return runPlan(plan, files, await analyzer(), listener, signal, mayGoOn);
  };
}

/** The core's queues, and those that lie beside runs. */
export const queues: QueueMeans = {
  begin: async (plan, problems) => (await import("./running.js")).newQueue(plan, problems),
  goOn: async ({ file, queue }, problems) =>
    (await import("./running.js")).resumedQueue(file, queue, problems),
  cancel: async (found) => (await import("./running.js")).cancelUnfinished(found),
  unfinished: async (runs) => (await import("./reading.js")).unfinishedQueues(runs),
};

/** What the place has where a plan runs. */
export function capacity(files: ProductFiles) {
  return async (plan: RunPlan, signal: AbortSignal): Promise<Capacity> =>
    (await import("./running.js")).capacityOf(plan, files, signal);
}

/** What going on with a run would do, a line a checkpoint; undefined when nothing is left to do. */
export async function resumeLines(files: ProductFiles, plan: RunPlan): Promise<string[] | undefined> {
  return (await import("./running.js")).resumeLines(plan, files);
}

/** Runs a snapshot's hidden tests again; the sandbox is loaded for it. */
export async function evaluateAgain(
  files: ProductFiles,
  request: AgainRequest,
  tell: (message: string) => void,
  signal: AbortSignal,
): Promise<Evaluation> {
  return (await import("./running.js")).evaluateAgain(request, files, tell, signal);
}

/** What counts in a language by its VS Code id, as Markdown. */
export async function countingTables(languageId: string): Promise<string> {
  return (await import("./measuring.js")).countingTablesOf(languageId);
}

/** What is wrong in the hidden tests of packs, by the packs' folders. */
export async function testFaults(
  packs: readonly PackReading[],
  analyzer: Analyzer,
  signal: AbortSignal,
): Promise<TestFaults> {
  return (await import("./measuring.js")).testFaults(packs, analyzer, signal);
}

/** One analyzer for the whole window, started when it is first asked for. */
export class AnalyzerHolder implements vscode.Disposable {
  private analyzer: Promise<Analyzer> | undefined;

  constructor(private readonly files: ProductFiles) {}

  readonly get = (): Promise<Analyzer> => {
    this.analyzer ??= import("./measuring.js").then(({ createAnalyzer }) =>
      createAnalyzer(this.files, { cacheFolder: defaultCacheFolder() }),
    );
    return this.analyzer;
  };

  dispose(): void {
    void this.analyzer?.then((analyzer) => analyzer[Symbol.asyncDispose]());
  }
}
