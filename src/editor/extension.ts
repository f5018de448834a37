import "./shared-texts.js";
import * as vscode from "vscode";
import { ErrorFunnel } from "./errors.js";
import { checkpointCommands } from "./features/checkpoint-commands.js";
import { compareClones } from "./features/compare-clones.js";
import { discovery } from "./features/discovery.js";
import { failures } from "./features/failures.js";
import { faults } from "./features/faults.js";
import { interruptedRuns } from "./features/interrupted-runs.js";
import { hotspotsView } from "./features/hotspots-view.js";
import { marksFeature } from "./features/marks-feature.js";
import { playFeature } from "./features/play-feature.js";
import { plotFeature } from "./features/plot-feature.js";
import { keptQueueCommands } from "./features/kept-queue-commands.js";
import { problemsView } from "./features/problems-view.js";
import { ReportDocuments } from "./features/report-documents.js";
import { remedies } from "./features/remedies.js";
import { reportIssue } from "./features/report-issue.js";
import { reports } from "./features/reports.js";
import { resumeCommands } from "./features/resume-commands.js";
import { runCommands } from "./features/run-commands.js";
import { runsView } from "./features/runs-view.js";
import { sample } from "./features/sample.js";
import { search } from "./features/search.js";
import { settingsCheck } from "./features/settings-check.js";
import { refuseGoneTargets } from "./features/still-there.js";
import { testCommands } from "./features/test-commands.js";
import { transcriptFeature } from "./features/transcript-feature.js";
import { walkthrough } from "./features/walkthrough.js";
import { testingView } from "./features/testing-view.js";
import { treeChoices } from "./features/tree-choices.js";
import { Library } from "./library/library.js";
import { Measures } from "./library/measures.js";
import { SnapshotChecks } from "./library/snapshot-checks.js";
import { SnapshotReader } from "./library/snapshot-reader.js";
import { TurnFiles } from "./library/turn-files.js";
import { MarkController } from "./marks/controller.js";
import { productFilesIn } from "../core/model/files.js";
import {
  AnalyzerHolder,
  capacity,
  engine,
  isSnapshotEdited,
  queues,
  readers,
  readOutcomes,
} from "./product.js";
import { AgentKeys } from "./run/agent-keys.js";
import { KeptQueues } from "./run/kept-queues.js";
import { Runner } from "./run/runner.js";
import { RunsAtWork } from "./run/runs-at-work.js";
import { hideTests, profileChoice, ruleChoice } from "./settings.js";
import type { Feature, Services } from "./services.js";
import { ViewChoices } from "./tree/view-choices.js";

const FEATURES: readonly Feature[] = [
  settingsCheck,
  treeChoices,
  problemsView,
  runsView,
  search,
  testCommands,
  reports,
  hotspotsView,
  testingView,
  faults,
  failures,
  checkpointCommands,
  runCommands,
  resumeCommands,
  keptQueueCommands,
  interruptedRuns,
  marksFeature,
  compareClones,
  remedies,
  plotFeature,
  playFeature,
  transcriptFeature,
  sample,
  walkthrough,
  reportIssue,
  discovery,
];

let running: Runner | undefined;

/** Builds what the features share, then the features. */
export function activate(context: vscode.ExtensionContext): void {
  const files = productFilesIn(context.extensionPath);
  const log = vscode.window.createOutputChannel("Slop Lens", { log: true });
  const errors = new ErrorFunnel(log);
  const library = new Library(readers);
  const turnFiles = new TurnFiles(readOutcomes);
  const analyzers = new AnalyzerHolder(files);
  const note = (error: unknown, where: string): void => {
    errors.note(error, where);
  };
  const checks = new SnapshotChecks({
    isEdited: isSnapshotEdited,
    keep: (turn, isEdited) => {
      library.keepEdited(turn, isEdited);
    },
    note,
  });
  const measures = new Measures({
    analyzer: analyzers.get,
    profile: (folder) => profileChoice(vscode.Uri.file(folder)),
    rules: (folder) => ruleChoice(vscode.Uri.file(folder)),
    keep: (turn, quality) => {
      library.keepMeasured(turn, quality);
      checks.once(turn);
    },
    note,
  });
  const marks = new MarkController(analyzers.get, errors, library);
  const documents = new ReportDocuments();
  const keys = new AgentKeys(context.secrets);
  const runsAtWork = new RunsAtWork(context.workspaceState);
  const runner = new Runner(
    { engine: engine(files, analyzers.get), capacity: capacity(files), keys },
    library,
    errors,
    log,
    runsAtWork,
  );
  running = runner;
  const keptQueues = new KeptQueues(queues, (file) => runner.keeps(file));
  const services: Services = {
    ...{ context, files, log, errors, library, turnFiles, checks, measures, marks, runner, documents, keys },
    ...{ keptQueues, runsAtWork },
    snapshots: new SnapshotReader(analyzers.get),
    choices: new ViewChoices(context.workspaceState, hideTests),
    analyzer: analyzers.get,
  };
  context.subscriptions.push(
    refuseGoneTargets(library),
    log,
    analyzers,
    measures,
    marks,
    runner,
    documents,
    keptQueues,
  );
  for (const feature of FEATURES) context.subscriptions.push(feature(services));
}

/** Ends runs in progress, so that no container outlives the window. */
export async function deactivate(): Promise<void> {
  await running?.stop();
}
