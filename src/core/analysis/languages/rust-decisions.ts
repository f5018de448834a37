import type { FlatTree } from "../tree/flat-tree.js";

const ARM = ["match_arm"];

/** All arms of a `match` but the last. */
export function isNotLastArm(tree: FlatTree, arm: number): boolean {
  const isArm = tree.grammar.mask(ARM);
  const end = tree.after(tree.parentOf(arm));
  for (let node = tree.after(arm); node < end; node = tree.after(node)) {
    if (isArm[tree.typeOf(node)] === 1) return true;
  }
  return false;
}

/**
 * Whether a token is an operator between two values, or behind one. Among the tokens of a macro, `&&` may also refer
 * twice, and `||` open a closure: there something that can be a value must stand before.
 */
export function isInfix(tree: FlatTree, operator: number): boolean {
  const parent = tree.parentOf(operator);
  if (tree.nameOf(parent) !== "token_tree") return true;
  const isComment = tree.grammar.mask(tree.grammar.language.extras);
  let before = operator;
  do before = previousSibling(tree, before);
  while (isComment[tree.typeOf(before)] === 1);
  return tree.isNamed(before) || tree.nameOf(before) === "?";
}

/** @returns the parent for a first child */
function previousSibling(tree: FlatTree, node: number): number {
  const parent = tree.parentOf(node);
  let before = node - 1;
  while (before !== parent && tree.parentOf(before) !== parent) before = tree.parentOf(before);
  return before;
}
