import { ERROR_TYPE } from "../../tree/flat-tree.js";
import type { PatternNode } from "./pattern.js";
import type { Strictness } from "./strictness.js";
import type { Subject } from "./subject.js";

/**
 * Whether a node may match a pattern, as far as types and texts of the named nodes tell, which are passed over in no
 * strictness. It costs a fraction of the whole match, and rules out nearly all nodes.
 */
export function mayMatch(goal: PatternNode, strictness: Strictness, node: number, subject: Subject): boolean {
  if (goal.type === "variable" || goal.type === "list" || goal.kind === ERROR_TYPE) return true;
  if (subject.tree.typeOf(node) !== goal.kind) return false;
  if (goal.type === "inner") return mayHaveChildren(goal.children, strictness, node, subject);
  return !goal.named || strictness.anyText || subject.reads(node, goal.text);
}

/** The first named child of the pattern must match the first of the node, and so on up to the first `$$$`. */
function mayHaveChildren(
  goals: readonly PatternNode[],
  strictness: Strictness,
  node: number,
  subject: Subject,
): boolean {
  const end = subject.tree.after(node);
  let child = node + 1;
  for (const goal of goals) {
    if (isOpen(goal)) return true;
    if (!goal.named) continue;
    child = fromNamed(child, end, strictness, subject);
    if (child >= end || !mayMatch(goal, strictness, child, subject)) return false;
    child = subject.tree.after(child);
  }
  return true;
}

/** Whether a goal may stand for any number of nodes, or for one without a name. */
function isOpen(goal: PatternNode): goal is PatternNode & { named: false } {
  if (goal.type === "variable") return !goal.named;
  return goal.type === "list" || goal.kind === ERROR_TYPE;
}

function fromNamed(first: number, end: number, { comments }: Strictness, subject: Subject): number {
  let child = first;
  while (child < end && (!subject.isNamed(child) || (comments && subject.isComment(child)))) {
    child = subject.tree.after(child);
  }
  return child;
}
