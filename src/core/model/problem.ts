/** What a problem author writes: a problem pack, read from disk. */

/** The four groups of hidden tests, in the order in which every view shows them. */
export const GROUPS = ["Core", "Functionality", "Error", "Regression"] as const;
export type Group = (typeof GROUPS)[number];

/** The pytest markers of groups; a test without any is Core, and so is one with `core`. */
export const MARKERS: readonly string[] = ["core", "functionality", "error", "regression"];

export type Difficulty = "Easy" | "Medium" | "Hard";
export type CheckpointState = "Draft" | "Core Tests" | "Full Tests" | "Verified";

/** A file or folder that the pack lends to the workspace and to the tests. */
export interface StaticAsset {
  readonly name: string;
  /** Absolute path of the asset inside the pack. */
  readonly source: string;
  /** Workspace-relative POSIX path where the asset is laid. */
  readonly savePath: string;
}

/** A pytest marker of the pack's own and the group it stands for. */
export interface CustomMarker {
  readonly name: string;
  readonly description: string;
  readonly group: Group;
}

export interface Checkpoint {
  readonly name: string;
  readonly version: number;
  /** 1-based position in the trajectory. */
  readonly order: number;
  readonly state: CheckpointState;
  readonly includePriorTests: boolean;
  /** Seconds a single test may take; undefined means no limit. */
  readonly timeoutSeconds: number | undefined;
  readonly env: Readonly<Record<string, string>>;
  /** Absolute path of the spec markdown. */
  readonly specPath: string;
}

export interface Problem {
  readonly name: string;
  /** Absolute path of the pack. */
  readonly folder: string;
  readonly version: number;
  readonly description: string;
  readonly tags: readonly string[];
  readonly category: string;
  readonly difficulty: Difficulty;
  readonly author: string | undefined;
  /** Bare stem, for example `shelf`; the environment formats it into a file name. */
  readonly entryFile: string;
  /** Sorted by (order, name); never empty. */
  readonly checkpoints: readonly Checkpoint[];
  readonly staticAssets: readonly StaticAsset[];
  readonly markers: readonly CustomMarker[];
  readonly testDependencies: readonly string[];
}

/** A trouble in a file of the user's, with its place so that an editor can jump there. */
export interface Fault {
  readonly file: string;
  /** 1-based; undefined when the trouble has no place of its own. */
  readonly line: number | undefined;
  /** 1-based. */
  readonly column: number | undefined;
  readonly message: string;
  readonly severity: "error" | "warning";
}

/** A folder that is a pack, readable or not. A pack with errors has no `problem`. */
export interface PackReading {
  readonly folder: string;
  readonly name: string;
  readonly problem: Problem | undefined;
  /** The pack's own markers, also where there is no problem. */
  readonly markers: readonly CustomMarker[];
  readonly faults: readonly Fault[];
}
