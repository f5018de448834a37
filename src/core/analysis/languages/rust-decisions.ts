import type { FlatTree } from "../tree/flat-tree.js";

const ARM = ["match_arm"];
const CLOSERS: ReadonlySet<string> = new Set([")", "]", "}", "?"]);

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
 * Whether something that can be a value stands before the operator. Among the tokens of a macro, `&&` may also refer
 * twice, and `||` open a closure.
 */
export function isInfix(tree: FlatTree, operator: number): boolean {
  const before = operator - 1;
  if (before === tree.parentOf(operator)) return false;
  return tree.isNamed(before) || CLOSERS.has(tree.nameOf(before));
}
