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

/** The name by which something is called. */
export interface CalledName {
  /** The name with its first part replaced by what the file imports under it. */
  readonly imported: string;
  /** The name as it stands when it has no dot: it may be one of the file's own module; absent when it has. */
  readonly plain?: string;
}

/** A callable that does nothing but return a parameter, or a call with exactly its parameters. */
export interface HandingOn extends LocalFinding {
  /** What it calls; undefined when it returns a parameter. */
  readonly to?: CalledName;
}

/** A class or callable, with what has to be known of it to tell what hands its parameters on. */
export interface SymbolReading {
  /** Qualified name within the file's module. */
  readonly qualifiedName: string;
  readonly isCallable: boolean;
  /**
   * What is called by the value that it returns, or by a statement of its own that is a call; undefined when it raises
   * or calls what has no name. Classes call nothing.
   */
  readonly calls?: readonly CalledName[];
  /** Set when it only hands its parameters on and nothing besides gives it a reason to exist. */
  readonly handsOn?: HandingOn;
}

/** The facts for the structural term of every profile. */
export interface StructuralReading {
  /** Functions of a single `return`. */
  readonly wrappers: readonly LocalFinding[];
  readonly aliases: readonly AliasCandidate[];
  /**
   * Classes and callables in source order; the callables among them are those of the file, one by one. Only in the
   * reference language, where definitions can replace each other.
   */
  readonly symbols: readonly SymbolReading[];
}

/** Of languages without a structural term. */
export const NO_STRUCTURE: StructuralReading = { wrappers: [], aliases: [], symbols: [] };
