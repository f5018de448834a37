import type { FlatTree } from "../tree/flat-tree.js";

const OPERATIONS: ReadonlySet<string> = new Set([
  "binary_expression",
  "unary_expression",
  "parenthesized_expression",
]);
const DIRECTIVES: ReadonlySet<string> = new Set(["preproc_if", "preproc_elif"]);

/** Whether an operator is part of the program, not of the condition of an `#if`. */
export function isEvaluated(tree: FlatTree, operator: number): boolean {
  let node = tree.parentOf(operator);
  let around = tree.parentOf(node);
  while (OPERATIONS.has(tree.nameOf(around))) {
    node = around;
    around = tree.parentOf(around);
  }
  // Behind the directive's word comes its condition.
  return !(DIRECTIVES.has(tree.nameOf(around)) && node === around + 2);
}
