import type { LanguageId } from "../../../src/core/model/quality.js";
import type { FlatTree } from "../../../src/core/analysis/tree/flat-tree.js";

/** A construct that lizard counts otherwise than we do. */
export interface Feature {
  /** Completes "lizard …". */
  readonly says: string;
  /** What lizard adds for a node more than we do; 0 when the node is not meant. */
  readonly adds: (tree: FlatTree, node: number) => number;
}

/** Nodes of the given types, each of which lizard adds `amount` more for. */
function nodes(types: readonly string[], amount: number, says: string, parents?: readonly string[]): Feature {
  return {
    says,
    adds: (tree, node): number =>
      types.includes(tree.nameOf(node)) &&
      (parents === undefined || parents.includes(tree.nameOf(tree.parentOf(node))))
        ? amount
        : 0,
  };
}

/** lizard's tokens of JavaScript and TypeScript take a `?` behind a word for part of the word. */
function isBehindWord(tree: FlatTree, node: number): boolean {
  return /\w/.test(tree.source.text.charAt((tree.start[node] ?? 0) - 1));
}

function within(tree: FlatTree, node: number, types: readonly string[]): boolean {
  for (let above = tree.parentOf(node); above >= 0; above = tree.parentOf(above)) {
    if (types.includes(tree.nameOf(above))) return true;
  }
  return false;
}

const WORDS = /^(?:if|for|while|catch|case|elseif)$/;

const QUESTION_SAYS = "does not see the `?` of a choice that stands right behind a word";
const ecmascript: readonly Feature[] = [
  {
    says: "counts `??` and `??=` as two `?`",
    adds: (tree, node): number => (/^\?\?=?$/.test(tree.nameOf(node)) && !isBehindWord(tree, node) ? 1 : 0),
  },
  {
    says: "counts `?.`",
    adds: (tree, node): number =>
      tree.nameOf(node) === "optional_chain" && !isBehindWord(tree, node) ? 1 : 0,
  },
  {
    says: QUESTION_SAYS,
    adds: (tree, node): number =>
      tree.nameOf(node) === "?" &&
      tree.nameOf(tree.parentOf(node)) === "ternary_expression" &&
      isBehindWord(tree, node)
        ? -1
        : 0,
  },
  {
    says: "counts the `?` of types",
    adds: (tree, node): number =>
      ["?", "?:"].includes(tree.nameOf(node)) &&
      tree.nameOf(tree.parentOf(node)) !== "ternary_expression" &&
      !isBehindWord(tree, node)
        ? 1
        : 0,
  },
  {
    says: "counts names such as `catch` in `.catch(…)`",
    adds: (tree, node): number =>
      tree.nameOf(node).includes("identifier") && WORDS.test(tree.text(node)) ? 1 : 0,
  },
  {
    says: "does not look into template literals",
    adds: (tree, node): number =>
      /^(?:&&|\|\||\?|\?\?)$/.test(tree.nameOf(node)) && within(tree, node, ["template_substitution"])
        ? -1
        : 0,
  },
  {
    says: "counts words and question marks of JSX text",
    adds: (tree, node): number =>
      tree.nameOf(node) === "jsx_text"
        ? (tree.text(node).match(/\w+|\?/g) ?? []).filter((word) => word === "?" || WORDS.test(word)).length
        : 0,
  },
];

const guards = (types: readonly string[]) => nodes(types, -1, "does not count guards (`when`)");

/** Per language: where lizard 1.24 counts otherwise. */
export const FEATURES: Partial<Record<LanguageId, readonly Feature[]>> = {
  javascript: ecmascript,
  typescript: ecmascript,
  tsx: ecmascript,
  java: [
    guards(["guard"]),
    {
      says: "counts the `?` of a wildcard type",
      adds: (tree: FlatTree, node: number): number => {
        if (tree.nameOf(node) !== "wildcard") return 0;
        // It takes plain type arguments with a wildcard for one token.
        return /^<[\w\s,.?]+>$/.test(tree.text(tree.parentOf(node))) ? 0 : 1;
      },
    },
  ],
  csharp: [
    nodes(["foreach_statement"], -1, "does not count `foreach`"),
    nodes(["switch_expression_arm"], -1, "does not count the arms of a `switch` expression"),
    guards(["when_clause"]),
    nodes(["catch_filter_clause"], -1, "does not count `catch … when`"),
    nodes(["and_pattern", "or_pattern"], -1, "does not count `and` and `or` of patterns"),
    nodes(["conditional_access_expression"], 1, "counts `?.` and `?[ ]`"),
    {
      says: "counts the `?` of a nullable type",
      adds: (tree, node): number =>
        tree.nameOf(node) === "nullable_type" && within(tree, node, ["block", "arrow_expression_clause"])
          ? 1
          : 0,
    },
    nodes(["preproc_if", "preproc_elif"], 1, "counts `#if` and `#elif`"),
  ],
  php: [
    {
      says: "does not count `?:`",
      adds: (tree, node): number =>
        tree.nameOf(node) === "?" && tree.source.text.startsWith("?:", tree.start[node]) ? -1 : 0,
    },
    nodes(["??", "??="], -1, "does not count `??` and `??=`", [
      "binary_expression",
      "augmented_assignment_expression",
    ]),
    nodes(["and", "or"], -1, "does not count `and` and `or`", ["binary_expression"]),
    nodes(["optional_type"], 1, "counts the `?` of a nullable type"),
    nodes(["match_expression"], 1, "counts `match` itself"),
    nodes(["match_conditional_expression"], -1, "does not count the arms of `match`"),
    {
      says: "counts names such as `match` in `->match(…)`",
      adds: (tree, node): number =>
        tree.nameOf(node) === "name" &&
        tree.nameOf(tree.parentOf(node)) !== "variable_name" &&
        /^(?:if|for|foreach|while|catch|case|match)$/.test(tree.text(node))
          ? 1
          : 0,
    },
  ],
};
