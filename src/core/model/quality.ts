import type { Fault } from "./problem.js";

/** Which release of the metric definitions a number follows. It stands beside every number. */
export const PROFILES = ["scb-0.1.3", "scb-0.2.0", "article"] as const;
export type Profile = (typeof PROFILES)[number];
/** The release that SlopCodeBench pins. */
export const DEFAULT_PROFILE: Profile = "scb-0.1.3";

/** The languages that are measured, by the ids that reports and rule files use. */
export const LANGUAGE_IDS = [
  "python",
  "javascript",
  "typescript",
  "tsx",
  "go",
  "rust",
  "java",
  "c",
  "cpp",
  "csharp",
  "ruby",
  "php",
] as const;
export type LanguageId = (typeof LANGUAGE_IDS)[number];

/** The language for which the profiles are defined; to the others their definitions are carried over. */
export const REFERENCE_LANGUAGE: LanguageId = "python";

/** Above this cyclomatic complexity a callable counts as high (strictly greater). */
export const HIGH_CC = 10;

/** One syntax node that adds to a callable's cyclomatic complexity. */
export interface Decision {
  /** 1-based line. */
  readonly line: number;
  /** What the reader sees: `if`, `for`, `and, or`, … */
  readonly label: string;
}

export interface CallableMetrics {
  /** POSIX path relative to the analysed root. */
  readonly path: string;
  readonly name: string;
  /** `Class.method`, `outer.inner`, or the plain name. */
  readonly qualifiedName: string;
  readonly kind: "function" | "method";
  /** 1-based first and last line, decorators excluded. */
  readonly start: number;
  readonly end: number;
  readonly cc: number;
  readonly cognitive: number;
  readonly sloc: number;
  /** `cc · √sloc`. */
  readonly mass: number;
  /** `cc − 1` entries in source order. */
  readonly decisions: readonly Decision[];
}

/** Where a callable stands and what it weighs, for those who list many. */
export type LocatedCallable = Omit<CallableMetrics, "kind" | "cognitive" | "decisions">;

export interface CloneInstance {
  readonly path: string;
  readonly start: number;
  readonly end: number;
}

/** Places whose code has the same shape; always two or more instances. */
export interface CloneClass {
  readonly id: string;
  readonly instances: readonly CloneInstance[];
  /** How many instances in other files are not listed; absent when all are. Only of documents in an editor. */
  readonly more?: number;
}

export interface RuleMatch {
  readonly path: string;
  /** 1-based lines and columns of the whole node, end inclusive / exclusive as in editors: end column is exclusive. */
  readonly start: number;
  readonly end: number;
  readonly startColumn: number;
  readonly endColumn: number;
  readonly rule: string;
  readonly message: string;
  readonly note: string | undefined;
}

/** A span flagged by the profile's structural term, for example a trivial wrapper. */
export interface StructuralFinding {
  readonly path: string;
  readonly start: number;
  readonly end: number;
  readonly kind: "trivial-wrapper" | "alias";
  readonly name: string;
}

export interface SkippedFile {
  readonly path: string;
  readonly reason: string;
}

/** Which rules were applied. */
export interface RuleSetInfo {
  /** `slop-lens` for the shipped set, else the folder's path as given. */
  readonly name: string;
  readonly count: number;
  /** Hash over all rule texts; part of every cache key. */
  readonly hash: string;
  /** What of the folders cannot be used as a rule; absent when everything can. Not kept in records. */
  readonly faults?: readonly Fault[];
}

/** Totals over all analysed files; every ratio is 0 when its denominator is 0. */
export interface QualityTotals {
  readonly verbosity: number;
  readonly erosion: number;
  readonly cogErosion: number;
  readonly filesScanned: number;
  readonly totalLoc: number;
  readonly verbosityFlaggedLoc: number;
  readonly cloneLoc: number;
  readonly astGrepFlaggedLoc: number;
  /** Lines flagged by the profile's structural term, and the number of its findings. */
  readonly trivialWrapperLoc: number;
  readonly trivialWrappers: number;
  readonly totalFunctions: number;
  readonly highCcFunctions: number;
  readonly highCogFunctions: number;
  readonly maxCc: number;
  readonly totalMass: number;
  readonly highCcMass: number;
  readonly totalCogMass: number;
  readonly highCogMass: number;
}

/** Totals over the files of one language. */
export interface LanguageTotals {
  readonly language: LanguageId;
  readonly totals: QualityTotals;
  /** Nodes of all its syntax trees. */
  readonly syntaxNodes: number;
}

/** Everything measured on one tree of files. */
export interface QualityReport {
  readonly profile: Profile;
  readonly rules: RuleSetInfo;
  /** What the profile's release would say: over the files of the reference language, or over all where there are none. */
  readonly totals: QualityTotals;
  /** Over the files of all languages. */
  readonly overall: QualityTotals;
  /** One entry a language that was found, in the order of `LANGUAGE_IDS`. */
  readonly languages: readonly LanguageTotals[];
  readonly functions: readonly CallableMetrics[];
  readonly clones: readonly CloneClass[];
  readonly matches: readonly RuleMatch[];
  /** Matches that a comment beside them suppresses; they count nowhere. */
  readonly suppressed: readonly RuleMatch[];
  readonly structural: readonly StructuralFinding[];
  readonly skipped: readonly SkippedFile[];
  /** Files that were measured without some of their lines, which could not be parsed; absent when there are none. */
  readonly incomplete?: readonly SkippedFile[];
  /** What the user left out: the number of files, and globs that nothing matches. Absent when nothing was to be. */
  readonly excluded?: { readonly files: number; readonly unused: readonly string[] };
}
