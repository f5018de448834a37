/** Every id that package.json and the code share. A unit test holds both sides together. */

/** Commands that package.json contributes. */
export const COMMANDS = {
  runTrajectory: "slopLens.runTrajectory",
  cancelRun: "slopLens.cancelRun",
  resumeRun: "slopLens.resumeRun",
  rerunCheckpoint: "slopLens.rerunCheckpoint",
  forkRun: "slopLens.forkRun",
  setAgentKey: "slopLens.setAgentKey",
  runSeveral: "slopLens.runSeveral",
  pauseQueue: "slopLens.pauseQueue",
  resumeQueue: "slopLens.resumeQueue",
  cancelQueue: "slopLens.cancelQueue",
  cancelQueueItem: "slopLens.cancelQueueItem",
  resumeKeptQueue: "slopLens.resumeKeptQueue",
  discardKeptQueue: "slopLens.discardKeptQueue",
  refresh: "slopLens.refresh",
  openSample: "slopLens.openSample",
  showMarks: "slopLens.showMarks",
  openRunFolder: "slopLens.openRunFolder",
  openSpec: "slopLens.openSpec",
  openPrompt: "slopLens.openPrompt",
  openSnapshot: "slopLens.openSnapshot",
  compareWithPrevious: "slopLens.compareWithPrevious",
  showFailure: "slopLens.showFailure",
  copyMessage: "slopLens.copyMessage",
  revealFolder: "slopLens.revealFolder",
  copyPath: "slopLens.copyPath",
  deleteRun: "slopLens.deleteRun",
  showErosionPlot: "slopLens.showErosionPlot",
  playTrajectory: "slopLens.playTrajectory",
  playGrowth: "slopLens.playGrowth",
  stopPlaying: "slopLens.stopPlaying",
  compareRuns: "slopLens.compareRuns",
  openTranscript: "slopLens.openTranscript",
  exportTranscript: "slopLens.exportTranscript",
  compareSpecs: "slopLens.compareSpecs",
  validate: "slopLens.validate",
  goToTest: "slopLens.goToTest",
  goToSpecSection: "slopLens.goToSpecSection",
  copyHotspots: "slopLens.copyHotspots",
  hotspotsOfFiles: "slopLens.hotspotsOfFiles",
  hotspotsOfWorkspace: "slopLens.hotspotsOfWorkspace",
  stopHotspots: "slopLens.stopHotspots",
  filterFailed: "slopLens.filterFailed",
  filterRegressions: "slopLens.filterRegressions",
  filterCore: "slopLens.filterCore",
  filterFunctionality: "slopLens.filterFunctionality",
  filterError: "slopLens.filterError",
  filterRegression: "slopLens.filterRegression",
  clearFilter: "slopLens.clearFilter",
  sortNewest: "slopLens.sortNewest",
  sortName: "slopLens.sortName",
  sortErosion: "slopLens.sortErosion",
  search: "slopLens.search",
  toggleMarks: "slopLens.toggleMarks",
  nextComplexFunction: "slopLens.nextComplexFunction",
  previousComplexFunction: "slopLens.previousComplexFunction",
  nextClone: "slopLens.nextClone",
  /** `(uri?: string, ids?: readonly string[])`, of clone classes; without them those at the cursor. */
  compareClone: "slopLens.compareClone",
  /** A row of Hotspots, or `(uri: string, qualifiedName: string)`. */
  followInPlot: "slopLens.followInPlot",
  marksMenu: "slopLens.marksMenu",
  showLog: "slopLens.showLog",
  reportIssue: "slopLens.reportIssue",
} as const;

/** Commands that only links and rows of ours call; not contributed, so not in the palette. */
export const INTERNAL_COMMANDS = {
  /** `(uri: string, line: number, endLine?: number)`, lines 1-based. */
  revealLines: "slopLens.internal.revealLines",
  /** `(file: string, line?: number, column?: number)`, 1-based. */
  openFault: "slopLens.internal.openFault",
  /** `(checkpoint target)`: shows its row and its snapshot. */
  openCheckpoint: "slopLens.internal.openCheckpoint",
  /**
   * `(ids: readonly string[], "where-visible"?)`: shows a row and gives it the focus, or neither shows a hidden view nor
   * takes the focus; tells whether the row is there.
   */
  revealInProblems: "slopLens.internal.revealInProblems",
  revealInRuns: "slopLens.internal.revealInRuns",
  /** `(problem: string, a: string, b: string)`: shows two runs head to head, by their folders. */
  showComparison: "slopLens.internal.showComparison",
  howIsThisCounted: "slopLens.internal.howIsThisCounted",
  chooseMarks: "slopLens.internal.chooseMarks",
  /** `(uri: string, line: number)`, 1-based: shows what makes up the figures of a function. */
  explainFunction: "slopLens.internal.explainFunction",
  /** `(uri: string, line: number, column: number)`, 1-based: opens the menu of quick fixes there. */
  quickFix: "slopLens.internal.quickFix",
  /** `(uri: string, rule: string, line: number, column: number)`, 1-based. */
  suppress: "slopLens.internal.suppress",
  /** `(uri: string, qualifiedName: string)`. */
  showInHotspots: "slopLens.internal.showInHotspots",
} as const;

export const VIEWS = {
  problems: "slopLens.problems",
  runs: "slopLens.runs",
  hotspots: "slopLens.hotspots",
} as const;

export const VIEW_CONTAINER = "slopLens";

/** The page in the panel, and its container there. */
export const PLAY_VIEW = "slopLens.play";
export const PLAY_CONTAINER = "slopLensPlay";

/** Keys of `when` clauses. */
export const CONTEXT_KEYS = {
  /** The first search for packs and runs is over. */
  ready: "slopLens.ready",
  /** A run of this window is in progress. */
  running: "slopLens.running",
  /** Several runs are in a queue: `going` or `paused`; absent without one. */
  queue: "slopLens.queue",
  /** A queue of an earlier window can be gone on with. */
  keptQueue: "slopLens.keptQueue",
  /** Why the last run could not use Docker: `not-found`, `not-running`, `denied`; absent when it could. */
  engineTrouble: "slopLens.engineTrouble",
  /** The trees leave something out. */
  filtered: "slopLens.filtered",
  /** A trajectory is played, so that the panel has its view. */
  playing: "slopLens.playing",
  /** The Hotspots view shows a run. */
  hotspotsOfRun: "slopLens.hotspotsOfRun",
  /** The Hotspots view shows the workspace: `measuring` until it is measured, then `shown`. */
  workspaceHotspots: "slopLens.workspaceHotspots",
  /** No run is selected and no file is open that could have hotspots. */
  hotspotsOfNothing: "slopLens.hotspotsOfNothing",
} as const;

/** Commands that do the steps of the walkthrough. */
export const STEP_COMMANDS: readonly string[] = [
  COMMANDS.openSample,
  COMMANDS.showMarks,
  COMMANDS.runTrajectory,
  COMMANDS.showErosionPlot,
  COMMANDS.setAgentKey,
];

/** Key of a `when` clause: a command that does a step of the walkthrough was called, now or in an earlier window. */
export function doneKey(command: string): string {
  return `slopLens.done.${command.replace(/^slopLens\./, "")}`;
}

export const SETTINGS = {
  environment: "slopLens.environment",
  dockerHost: "slopLens.docker.host",
  dockerImage: "slopLens.docker.image",
  agentCommand: "slopLens.agent.command",
  agentTimeoutSeconds: "slopLens.agent.timeoutSeconds",
  promptTemplate: "slopLens.promptTemplate",
  runsFolder: "slopLens.runsFolder",
  pythonPath: "slopLens.python.path",
  openSpecAs: "slopLens.openSpecAs",
  profile: "slopLens.profile",
  hideTests: "slopLens.hideTests",
  testingView: "slopLens.testingView",
  rulesFolders: "slopLens.rules.folders",
  rulesShipped: "slopLens.rules.shipped",
  rulesOff: "slopLens.rules.off",
  marksEnabled: "slopLens.marks.enabled",
  marksShow: "slopLens.marks.show",
} as const;

export const COLORS = {
  highComplexityBackground: "slopLens.highComplexityBackground",
  highComplexityBorder: "slopLens.highComplexityBorder",
  highComplexityForeground: "slopLens.highComplexityForeground",
  highComplexityRuler: "slopLens.highComplexityRuler",
  massAccent: "slopLens.massAccent",
  cloneGutter: "slopLens.cloneGutter",
  cloneRuler: "slopLens.cloneRuler",
  verbosityUnderline: "slopLens.verbosityUnderline",
  verbosityRuler: "slopLens.verbosityRuler",
  run1: "slopLens.run1",
  run2: "slopLens.run2",
  run3: "slopLens.run3",
  run4: "slopLens.run4",
  humanBand: "slopLens.humanBand",
  humanLine: "slopLens.humanLine",
  failedCell: "slopLens.failedCell",
  failedCellBorder: "slopLens.failedCellBorder",
} as const;

export type CommandId = (typeof COMMANDS)[keyof typeof COMMANDS];
export type InternalCommandId = (typeof INTERNAL_COMMANDS)[keyof typeof INTERNAL_COMMANDS];
export type ContextKey = (typeof CONTEXT_KEYS)[keyof typeof CONTEXT_KEYS];
export type SettingKey = (typeof SETTINGS)[keyof typeof SETTINGS];

/** Parts of a tree item's contextValue; package.json's `when` clauses look for them, for example `/\bsnapshot\b/`. */
export const NODE_TRAITS = {
  problem: "problem",
  broken: "broken",
  checkpoint: "checkpoint",
  run: "run",
  /** The run has turns that can be compared with those of another run. */
  comparable: "comparable",
  /** The run is not in progress. */
  finished: "finished",
  spec: "spec",
  prompt: "prompt",
  snapshot: "snapshot",
  /** There is a snapshot of the checkpoint before to compare with. */
  previous: "previous",
  /** An agent took the turn, so that there may be a transcript. */
  transcript: "transcript",
  /** There is a spec of the checkpoint before. */
  earlierSpec: "earlierSpec",
  /** Tests and snapshot are there, so that they can be put together again. */
  validatable: "validatable",
  folder: "folder",
  measured: "measured",
  test: "test",
  message: "message",
  queue: "queue",
  /** The queue begins what waits. */
  going: "going",
  /** It does not. */
  paused: "paused",
  /** A run of a queue that waits or runs. */
  queueItem: "queueItem",
  /** A run of a queue that failed, with the reason. */
  failedItem: "failedItem",
  /** A queue that did not finish and that nobody works on. */
  keptQueue: "keptQueue",
  callable: "callable",
} as const;

/** Reports that are made on demand, as Markdown. */
export const REPORT_SCHEME = "slop-lens-report";
/** Read-only documents of ours, for example a failure's message. */
export const FAILURE_SCHEME = "slop-lens-failure";
/** The earlier side of a comparison: the path of the later file, and in the query the file itself. */
export const EARLIER_SCHEME = "slop-lens-earlier";
/** One copy of a clone: the name of its file as the path, and in the query where it stands. */
export const CLONE_SCHEME = "slop-lens-clone";
export const PLOT_PANEL = "slopLens.plot";
export const TRANSCRIPT_PANEL = "slopLens.transcript";
/** VS Code's ids of the languages that are marked. */
export const LANGUAGES = [
  "python",
  "javascript",
  "javascriptreact",
  "typescript",
  "typescriptreact",
  "go",
  "rust",
  "java",
  "c",
  "cpp",
  "csharp",
  "ruby",
  "php",
] as const;
