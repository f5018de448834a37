/** The erosion plot as plain data, and the messages between its page and its host. Types only. */
import type { Group } from "../model/problem.js";
import type { HeadToHead } from "./head-to-head.js";
import type { Verdict } from "../model/outcome.js";
import type { Profile } from "../model/quality.js";
import type { Isolation, Run } from "../model/run.js";

export interface PassRate {
  readonly passed: number;
  /** Skipped tests are left out. */
  readonly total: number;
}

/** One turn, as a point of a line. Null stands for "not measured"; it interrupts the line and is never drawn as 0. */
export interface PlotPoint {
  readonly turn: string;
  readonly checkpoint: string;
  readonly order: number;
  readonly verdict: Verdict | undefined;
  readonly reason: string | undefined;
  readonly erosion: number | null;
  readonly verbosity: number | null;
  readonly sloc: number | null;
  readonly callables: number | null;
  readonly highCc: number | null;
  readonly maxCc: number | null;
  readonly passRates: Readonly<Record<Group, PassRate>>;
  readonly agentSeconds: number | null;
  readonly costUsd: number | null;
  readonly totalMass: number | null;
  /** The callables that hold most of the mass, largest first, at most twelve. */
  readonly heaviest: readonly HeavyCallable[];
}

export interface HeavyCallable {
  /** The same over checkpoints: path and qualified name. */
  readonly id: string;
  /** Qualified name. */
  readonly name: string;
  readonly cc: number;
  readonly mass: number;
  /** Of the program's mass, 0 to 1. */
  readonly share: number;
}

/** One trajectory: the points of one problem in one run. */
export interface PlotSeries {
  /** `<run folder>#<problem>`. */
  readonly id: string;
  readonly run: string;
  readonly problem: string;
  /** For example `glm-5 · just-solve`. */
  readonly label: string;
  readonly startedAt: string | undefined;
  /** Which of several attempts; undefined for the only one. */
  readonly attempt: number | undefined;
  readonly isolation: Isolation;
  readonly profile: Profile | undefined;
  /** How many checkpoints the trajectory was to take; its points may be fewer. */
  readonly checkpoints: number;
  readonly points: readonly PlotPoint[];
  /** Least-squares change per checkpoint; null with fewer than three measured points. */
  readonly slope: { readonly erosion: number | null; readonly verbosity: number | null };
  readonly state: Run["state"];
}

/** Mean and standard deviation. */
export interface Reference {
  readonly mean: number;
  readonly sd: number;
}

export interface HumanPanel {
  readonly name: string;
  readonly repositories: number;
  readonly erosion: Reference;
  readonly verbosity: Reference;
}

export interface PlotReferences {
  /** The panel of human repositories, whole and by star tier; the whole comes first. */
  readonly humans: readonly HumanPanel[];
  readonly models: readonly { readonly name: string; readonly erosion: number; readonly verbosity: number }[];
  readonly slopes: {
    readonly agents: { readonly erosion: number; readonly verbosity: number };
    readonly humans: { readonly erosion: number; readonly verbosity: number };
  };
}

export interface PlotData {
  /** All series of one problem, oldest run first; the page picks at most four to draw. */
  readonly problem: string;
  readonly series: readonly PlotSeries[];
  readonly references: PlotReferences;
  /** Run files that could not be read, one sentence each. */
  readonly faults: readonly string[];
}

export interface PlotSelection {
  readonly series: string;
  readonly order: number;
}

/** Two runs at one checkpoint. */
export interface Comparison {
  /** Ids of series. */
  readonly a: string;
  readonly b: string;
  readonly order: number;
}

export type ToPlotPage =
  | { readonly type: "data"; readonly data: PlotData }
  /** The host's tree moved; the page follows. */
  | { readonly type: "select"; readonly selection: PlotSelection }
  /** Shows the verdicts with these two series head to head. */
  | { readonly type: "show-comparison"; readonly a: string; readonly b: string }
  /** Answers `compare`; undefined where a turn is missing. */
  | { readonly type: "compared"; readonly pair: Comparison; readonly result: HeadToHead | undefined }
  /** Shows how the mass of a callable grew; `callable` is its id. */
  | { readonly type: "follow"; readonly selection: PlotSelection; readonly callable: string };

export type ToPlotHost =
  | { readonly type: "ready" }
  | { readonly type: "selected"; readonly selection: PlotSelection }
  | { readonly type: "open-checkpoint"; readonly selection: PlotSelection }
  | { readonly type: "compare-with-previous"; readonly selection: PlotSelection }
  | { readonly type: "compare"; readonly pair: Comparison }
  /** Opens the two snapshots as a diff. */
  | { readonly type: "diff-snapshots"; readonly pair: Comparison }
  /** Opens the table of all differing tests, checkpoint by checkpoint. */
  | { readonly type: "list-differences"; readonly pair: Comparison }
  | { readonly type: "copy"; readonly text: string }
  /** A picture of the plot: PNG as base64, SVG as text. The user picks which is kept. */
  | { readonly type: "save"; readonly name: string; readonly png: string; readonly svg: string };
