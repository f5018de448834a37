import type * as vscode from "vscode";
import type { Analyzer } from "../core/analysis/analysis.js";
import type { ProductFiles } from "../core/model/files.js";
import type { ErrorFunnel } from "./errors.js";
import type { ReportDocuments } from "./features/report-documents.js";
import type { Library } from "./library/library.js";
import type { Measures } from "./library/measures.js";
import type { SnapshotChecks } from "./library/snapshot-checks.js";
import type { SnapshotReader } from "./library/snapshot-reader.js";
import type { TurnFiles } from "./library/turn-files.js";
import type { MarkController } from "./marks/controller.js";
import type { AgentKeys } from "./run/agent-keys.js";
import type { KeptQueues } from "./run/kept-queues.js";
import type { Runner } from "./run/runner.js";
import type { RunsAtWork } from "./run/runs-at-work.js";
import type { ViewChoices } from "./tree/view-choices.js";

/** What the features of the extension share. Built once in `activate`. */
export interface Services {
  readonly context: vscode.ExtensionContext;
  readonly files: ProductFiles;
  readonly log: vscode.LogOutputChannel;
  readonly errors: ErrorFunnel;
  readonly library: Library;
  readonly turnFiles: TurnFiles;
  /** All callables of snapshots, for those who follow one of them. */
  readonly snapshots: SnapshotReader;
  /** Tells of snapshots that were edited after their run. */
  readonly checks: SnapshotChecks;
  /** Measures snapshots that their run did not measure. */
  readonly measures: Measures;
  /** Starts the analysis worker when it is first asked for. */
  readonly analyzer: () => Promise<Analyzer>;
  readonly marks: MarkController;
  readonly runner: Runner;
  readonly keys: AgentKeys;
  /** Which runs that were started alone are in progress, also those of the window before. */
  readonly runsAtWork: RunsAtWork;
  /** What earlier windows left of queues. */
  readonly keptQueues: KeptQueues;
  /** Shows reports that are made on demand. */
  readonly documents: ReportDocuments;
  /** Filter and order of the trees. */
  readonly choices: ViewChoices;
}

/** One feature: registers what it contributes and gives back what ends it. */
export type Feature = (services: Services) => vscode.Disposable;
