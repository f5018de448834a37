import { isEvaluated } from "../../../src/core/analysis/languages/c-decisions.js";
import { isInfix, isNotLastArm } from "../../../src/core/analysis/languages/rust-decisions.js";
import type { LanguageId } from "../../../src/core/model/quality.js";
import { ERROR_TYPE, type FlatTree } from "../../../src/core/analysis/tree/flat-tree.js";
import type { Feature } from "./features.js";

/** What lizard counts wherever it stands, in C and C++. */
const C_TOKENS = /\b(?:if|for|while|case|catch)\b|&&|\|\||\?/g;

function feature(says: string, meant: (tree: FlatTree, node: number) => boolean, amount = 1): Feature {
  return { says, adds: (tree, node) => (meant(tree, node) ? amount : 0) };
}

function nodes(says: string, types: readonly string[], amount: number, parents?: readonly string[]): Feature {
  return feature(says, (tree, node) => isOf(tree, node, types, parents), amount);
}

function isOf(tree: FlatTree, node: number, types: readonly string[], parents?: readonly string[]): boolean {
  if (!types.includes(tree.nameOf(node)) || isWordOf(tree, node)) return false;
  return parents === undefined || parents.includes(tree.nameOf(tree.parentOf(node)));
}

/** A keyword of a node that has the same name. */
function isWordOf(tree: FlatTree, node: number): boolean {
  return !tree.isNamed(node) && tree.nameOf(tree.parentOf(node)).startsWith(tree.nameOf(node));
}

function isLeaf(tree: FlatTree, node: number): boolean {
  return tree.after(node) === node + 1;
}

/** Two signs that the grammar takes for two, and lizard for one token. */
function isDoubled(tree: FlatTree, node: number, types: readonly string[], sign: string): boolean {
  return types.includes(tree.nameOf(node)) && tree.source.text.startsWith(sign + sign, tree.start[node]);
}

const REFERENCES = ["reference_expression", "reference_type", "reference_pattern"];

const rust: readonly Feature[] = [
  nodes("counts `match` itself", ["match_expression"], 1),
  nodes("counts `match` itself", ["match"], 1, ["token_tree"]),
  feature(
    "does not count the arms of `match`",
    (tree, node) => tree.nameOf(node) === "match_arm" && isNotLastArm(tree, node),
    -1,
  ),
  nodes("does not count `let … else`", ["else"], -1, ["let_declaration"]),
  nodes("counts `where`", ["where_clause"], 1),
  nodes("counts the `?` of `?Sized`", ["removed_trait_bound"], 1),
  nodes("counts the `for` of `for<'a>`", ["for"], 1, ["for_lifetimes", "higher_ranked_trait_bound"]),
  nodes("counts the `for` of an `impl`", ["for"], 1, ["impl_item"]),
  feature("counts the `||` of a closure without parameters", (tree, node) =>
    isDoubled(tree, node, ["closure_parameters"], "|"),
  ),
  feature("counts `&&` that refers twice", (tree, node) => isDoubled(tree, node, REFERENCES, "&")),
  feature(
    "counts `&&` and `||` that are no operators in the arguments of a macro",
    (tree, node) => isOf(tree, node, ["&&", "||", "?"], ["token_tree"]) && !isInfix(tree, node),
  ),
  nodes("counts the repetition `$(…)?` of a macro", ["?"], 1, [
    "token_repetition",
    "token_repetition_pattern",
  ]),
];

/** Numbers of tokens that lizard counts on what no leaf of the tree covers: branches of `#if` that are not read. */
function unread(tree: FlatTree, node: number): number {
  if (tree.nameOf(node) !== "function_definition" || isNested(tree, node)) return 0;
  let read = tree.start[node] ?? 0;
  let amount = 0;
  for (let inner = node + 1; inner < tree.after(node); inner++) {
    if (!isLeaf(tree, inner)) continue;
    amount += countTokens(tree.source.text.slice(read, tree.start[inner]));
    read = Math.max(read, tree.end[inner] ?? 0);
  }
  return amount;
}

function countTokens(text: string): number {
  const code = text.replace(/^[ \t]*#.*$/gm, "").replace(/\/\*[^]*?\*\/|\/\/.*/g, "");
  return (code.match(C_TOKENS) ?? []).length;
}

function isNested(tree: FlatTree, node: number): boolean {
  return isBelow(tree, node, "function_definition");
}

function isBelow(tree: FlatTree, node: number, type: string): boolean {
  for (let above = tree.parentOf(node); above >= 0; above = tree.parentOf(above)) {
    if (tree.nameOf(above) === type) return true;
  }
  return false;
}

/** Directives on the lines of a function that lizard counts. */
function conditionals(tree: FlatTree, node: number): number {
  if (tree.nameOf(node) !== "function_definition" || isNested(tree, node)) return 0;
  return (tree.text(node).match(/^[ \t]*#[ \t]*(?:if|ifdef|elif)\b/gm) ?? []).length;
}

function isInDirective({ source, row }: FlatTree, node: number): boolean {
  return /^[ \t]*#/.test(source.text.slice(source.rowStarts[row[node] ?? 0]));
}

/** lizard takes `&&` for a reference, and its count back, where an `=` follows before a bracket closes. */
function seemsAssigned({ source, end }: FlatTree, node: number): boolean {
  const behind = source.text.slice(end[node], (end[node] ?? 0) + 500).replace(/[=!<>+\-*/^&|]=/g, "~");
  return /^[^=;{})]*=/.test(behind);
}

const c: readonly Feature[] = [
  feature(
    "takes `&&` before an assignment for a reference",
    (tree, node) =>
      isOf(tree, node, ["&&"], ["binary_expression"]) && seemsAssigned(tree, node) && isEvaluated(tree, node),
    -1,
  ),
  { says: "counts `#if`, `#ifdef` and `#elif`", adds: conditionals },
  { says: "counts what stands in branches of `#if` that are not read here", adds: unread },
  feature(
    "counts words that the parser could not make sense of",
    (tree, node) =>
      isLeaf(tree, node) &&
      (tree.typeOf(tree.parentOf(node)) === ERROR_TYPE || tree.nameOf(node).endsWith("identifier")) &&
      tree.nameOf(node) !== "case" &&
      /^(?:if|for|while|case|catch|&&|\|\||\?)$/.test(tree.text(node)),
  ),
];

const cpp: readonly Feature[] = [
  ...c,
  feature(
    "does not look into the initializers of a constructor",
    (tree, node) =>
      (tree.nameOf(node) === "conditional_expression" ||
        isOf(tree, node, ["&&", "||"], ["binary_expression"])) &&
      isBelow(tree, node, "field_initializer_list"),
    -1,
  ),
  nodes("does not count `and` and `or`", ["and", "or"], -1, ["binary_expression"]),
  feature(
    "counts the `&&` of types",
    (tree, node) =>
      tree.nameOf(node) === "&&" &&
      tree.nameOf(tree.parentOf(node)) !== "binary_expression" &&
      !seemsAssigned(tree, node),
  ),
  feature(
    "counts `&&` and `||` that the compiler works out",
    (tree, node) =>
      isOf(tree, node, ["&&", "||"], ["binary_expression"]) &&
      !isEvaluated(tree, node) &&
      !isInDirective(tree, node),
  ),
];

const ruby: readonly Feature[] = [
  nodes("does not count `unless`", ["unless", "unless_modifier", "unless_guard"], -1),
  nodes("does not count `in`", ["in_clause"], -1),
  nodes("counts `ensure`", ["ensure"], 1),
];

/** Where lizard 1.24 counts otherwise. */
export const NATIVE_FEATURES: Partial<Record<LanguageId, readonly Feature[]>> = {
  go: [],
  rust,
  c,
  cpp,
  ruby,
};
