import { apart, type Matcher } from "./matcher.js";
import type { Subject } from "./subject.js";

/** How far a relation looks: to the next node, to the last, or to the first that a rule matches. */
export type StopBy = "neighbor" | "end" | Matcher;

export interface Relation {
  readonly rule: Matcher;
  readonly stopBy: StopBy;
  /** Number of the field that the related node must be in. */
  readonly field: number | undefined;
}

type Test = Matcher["test"];

/** A node around it matches. */
export function inside(relation: Relation): Matcher {
  const { field } = relation;
  const finds = along(relation, (node, { tree }) => tree.parentOf(node));
  return matcher(relation, field === undefined ? finds(() => true) : finds(inField(field)));
}

function inField(field: number) {
  return (outer: number, inner: number, subject: Subject) => subject.childOfField(outer, field) === inner;
}

/** A node behind it, on the same level, matches. */
export function precedes(relation: Relation): Matcher {
  return matcher(
    relation,
    along(relation, (node, subject) => subject.following(node))(() => true),
  );
}

/** A node before it, on the same level, matches. */
export function follows(relation: Relation): Matcher {
  return matcher(
    relation,
    along(relation, (node, subject) => subject.previous(node))(() => true),
  );
}

/** A node in it matches. */
export function has(relation: Relation): Matcher {
  const { rule, stopBy, field } = relation;
  const { test } = rule;
  if (field === undefined) return matcher(relation, hasBelow(test, stopBy));
  const inChild = hasAtOrBelow(test, stopBy);
  return matcher(relation, (node, subject) => {
    const child = subject.childOfField(node, field);
    return child >= 0 && inChild(child, subject);
  });
}

function matcher({ rule, stopBy }: Relation, test: Test): Matcher {
  const variables = typeof stopBy === "string" ? rule.variables : [...rule.variables, ...stopBy.variables];
  return { kinds: undefined, variables, test };
}

/** Looks from a node along `step`, which gives −1 behind the last. */
function along({ rule, stopBy }: Relation, step: (node: number, subject: Subject) => number) {
  const { test } = rule;
  const stops = typeof stopBy === "string" ? undefined : apart(stopBy);
  return (fits: (node: number, before: number, subject: Subject) => boolean): Test =>
    (node, subject) => {
      let before = node;
      for (let at = step(node, subject); at >= 0; at = step(at, subject)) {
        if (fits(at, before, subject) && test(at, subject)) return true;
        if (stopBy === "neighbor" || stops?.(at, subject) === true) return false;
        before = at;
      }
      return false;
    };
}

/** The nodes below a node lie behind it in source order. */
function hasBelow(test: Test, stopBy: StopBy): Test {
  if (stopBy === "neighbor") return hasChild(test);
  const stops = stopBy === "end" ? undefined : apart(stopBy);
  return (node, subject) => {
    const { tree } = subject;
    const end = tree.after(node);
    for (let at = node + 1; at < end;) {
      if (test(at, subject)) return true;
      at = stops?.(at, subject) === true ? tree.after(at) : at + 1;
    }
    return false;
  };
}

function hasChild(test: Test): Test {
  return (node, subject) => {
    const { tree } = subject;
    const end = tree.after(node);
    for (let at = node + 1; at < end; at = tree.after(at)) if (test(at, subject)) return true;
    return false;
  };
}

/** In a field, a rule that stops lets the search go on to the children and no further: so ast-grep has it. */
function hasAtOrBelow(test: Test, stopBy: StopBy): Test {
  if (stopBy === "neighbor") return test;
  if (stopBy === "end") {
    const below = hasBelow(test, stopBy);
    return (node, subject) => test(node, subject) || below(node, subject);
  }
  const stops = apart(stopBy);
  const inChildren = hasChild(test);
  return (node, subject) => test(node, subject) || (!stops(node, subject) && inChildren(node, subject));
}
