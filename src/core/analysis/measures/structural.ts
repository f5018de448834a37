/** A span flagged within one file. */
export interface LocalFinding {
  readonly name: string;
  readonly start: number;
  readonly end: number;
}

/** A module-level assignment that is an alias when its value turns out to be a callable of some analysed file. */
export interface AliasCandidate extends LocalFinding {
  /** Dotted name of the value. */
  readonly target: string;
  /** Whether `target` is relative to the file's own module. */
  readonly local: boolean;
}

/** Of languages without a structural term. */
export const NO_STRUCTURE: StructuralReading = { wrappers: [], aliases: [] };

export interface StructuralReading {
  readonly wrappers: readonly LocalFinding[];
  readonly aliases: readonly AliasCandidate[];
}
