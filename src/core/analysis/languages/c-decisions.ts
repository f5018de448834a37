import type { FlatTree } from "../tree/flat-tree.js";

const OPERATIONS: ReadonlySet<string> = new Set([
  "binary_expression",
  "unary_expression",
  "parenthesized_expression",
]);
/** Around an operation that the compiler works out. */
const COMPILED: ReadonlySet<string> = new Set([
  "template_argument_list",
  "static_assert_declaration",
  "noexcept",
]);
const DIRECTIVES: ReadonlySet<string> = new Set(["preproc_if", "preproc_elif"]);

/** Whether an operator is worked out when the program runs, not by the compiler or for an `#if`. */
export function isEvaluated(tree: FlatTree, operator: number): boolean {
  let node = tree.parentOf(operator);
  let around = tree.parentOf(node);
  while (OPERATIONS.has(tree.nameOf(around))) {
    node = around;
    around = tree.parentOf(around);
  }
  if (COMPILED.has(tree.nameOf(around))) return false;
  // Behind the directive's word comes its condition.
  return !(DIRECTIVES.has(tree.nameOf(around)) && node === around + 2);
}
