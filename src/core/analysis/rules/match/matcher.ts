import type { Subject } from "./subject.js";

/** A compiled rule or part of one. */
export interface Matcher {
  /** Whether a node matches. On a match, variables may be bound; else some may be left bound. */
  readonly test: (node: number, subject: Subject) => boolean;
  /** Types of all nodes that can match; undefined for any type. */
  readonly kinds: ReadonlySet<number> | undefined;
  /** Names of the variables that it may bind. */
  readonly variables: readonly string[];
}

/** A matcher of nodes that all matchers match, tried in their order. */
export function all(parts: readonly Matcher[]): Matcher {
  const [only] = parts;
  if (only !== undefined && parts.length === 1) return only;
  const kinds = intersection(parts.map((part) => part.kinds));
  const tests = parts.map((part) => part.test);
  const isKind = maskOf(kinds);
  return {
    kinds,
    variables: parts.flatMap((part) => part.variables),
    test: (node, subject) => {
      if (isKind !== undefined && isKind[subject.tree.typeOf(node)] !== 1) return false;
      const { mark } = subject.bindings;
      for (const test of tests) {
        if (test(node, subject)) continue;
        subject.bindings.backTo(mark);
        return false;
      }
      return true;
    },
  };
}

/** A matcher of nodes that at least one matcher matches; the first one binds. */
export function any(parts: readonly Matcher[]): Matcher {
  const kinds = union(parts.map((part) => part.kinds));
  const tests = parts.map((part) => part.test);
  const isKind = maskOf(kinds);
  return {
    kinds,
    variables: parts.flatMap((part) => part.variables),
    test: (node, subject) => {
      if (isKind !== undefined && isKind[subject.tree.typeOf(node)] !== 1) return false;
      const { mark } = subject.bindings;
      for (const test of tests) {
        if (test(node, subject)) return true;
        subject.bindings.backTo(mark);
      }
      return false;
    },
  };
}

/** A matcher of the other nodes. What the part binds where it matches stays bound: so ast-grep 0.42 has it. */
export function not(part: Matcher): Matcher {
  return {
    kinds: undefined,
    variables: part.variables,
    test: (node, subject) => !part.test(node, subject),
  };
}

/** The part's test as if nothing were bound yet; it binds nothing. */
export function apart({ test, variables }: Matcher): Matcher["test"] {
  if (variables.length === 0) return test;
  return (node, subject) => subject.apart(() => test(node, subject));
}

function maskOf(kinds: Matcher["kinds"]): Uint8Array | undefined {
  if (kinds === undefined) return undefined;
  const mask = new Uint8Array(Math.max(0, ...kinds) + 1);
  for (const kind of kinds) mask[kind] = 1;
  return mask;
}

function intersection(sets: readonly Matcher["kinds"][]): Matcher["kinds"] {
  const known = sets.filter((set) => set !== undefined);
  const [first, ...others] = known;
  return first && new Set([...first].filter((kind) => others.every((set) => set.has(kind))));
}

function union(sets: readonly Matcher["kinds"][]): Matcher["kinds"] {
  const known = sets.filter((set) => set !== undefined);
  return known.length < sets.length ? undefined : new Set(known.flatMap((set) => [...set]));
}
