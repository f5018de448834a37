import type { LocatedCallable, Profile, QualityReport, RuleSetInfo } from "../model/quality.js";
import type { ExclusionRequest } from "./exclusion.js";
import type { PythonOutline } from "./python-outline.js";
import type { DocumentListener, DocumentSession, DocumentSource } from "./document/reading.js";

/** Which rules are applied. */
export interface RuleChoice {
  /** Folders with ast-grep rule YAML that take the place of the shipped set; the shipped set when undefined. */
  readonly folders: readonly string[] | undefined;
  /** Folders whose rules are applied too. */
  readonly added: readonly string[];
  /** Ids of rules that are switched off. */
  readonly off: readonly string[];
}

/** The rules that the product ships, all of them. */
export const SHIPPED_RULES: RuleChoice = { folders: undefined, added: [], off: [] };
export const NO_RULES: RuleChoice = { folders: [], added: [], off: [] };

export interface AnalysisOptions {
  readonly profile: Profile;
  readonly rules: RuleChoice;
  /** Absolute paths of folders that are passed over, for example runs, which hold the same code again and again. */
  readonly without?: readonly string[];
  /** What the user leaves out; its files are counted. */
  readonly exclude?: ExclusionRequest;
}

/** Larger files are measured, but an editor does not mark them, and they have no part in the clones of others there. */
export const LARGEST_MARKED = 1_000_000;

/** What a view asks of many files; the whole report on a large program holds up a host that has to take it. */
export interface QualitySummary extends Pick<QualityReport, "profile" | "totals"> {
  /** The heaviest callables, heaviest first. */
  readonly heaviest: readonly LocatedCallable[];
}

/** Analyses off the caller's thread. One is shared by all views; `dispose` ends its workers. */
export interface Analyzer extends AsyncDisposable {
  ruleSet(): Promise<RuleSetInfo>;
  /**
   * Measures files and folders together, clones found across all of them.
   * @param paths absolute paths; report paths are relative to their common root folder
   * @throws SlopLensError bad-input when a path does not exist or holds no file that can be analysed
   */
  analyzePaths(
    paths: readonly string[],
    options: AnalysisOptions,
    signal: AbortSignal,
  ): Promise<QualityReport>;
  /**
   * The same for a caller who wants the sums and the heaviest callables.
   * @param options `most` of these, `Infinity` for all
   */
  summarizePaths(
    paths: readonly string[],
    options: AnalysisOptions & { readonly most: number },
    signal: AbortSignal,
  ): Promise<QualitySummary>;
  /** The same for a caller who wants clones in these files to be known to the documents that are open. */
  learnPaths(paths: readonly string[], options: AnalysisOptions, signal: AbortSignal): Promise<void>;
  /** Outlines Python files, in the order of their absolute paths; undefined for one that cannot be read. */
  outlinePython(
    files: readonly string[],
    signal: AbortSignal,
  ): Promise<readonly (PythonOutline | undefined)[]>;
  /**
   * Follows a document while it is edited: its first reading comes by itself, others after each edit. Complexity and
   * clones come first, rule matches in a second reading of the same version.
   */
  openDocument(source: DocumentSource, options: AnalysisOptions, listener: DocumentListener): DocumentSession;
}
