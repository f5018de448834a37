import type { LanguageId } from "../../../src/core/model/quality.js";
import type { FlatTree } from "../../../src/core/analysis/tree/flat-tree.js";
import { NATIVE_FEATURES } from "./native-features.js";

/** A construct that lizard counts otherwise than we do. */
export interface Feature {
  /** Completes "lizard …". */
  readonly says: string;
  /** What lizard adds for a node more than we do; 0 when the node is not meant. */
  readonly adds: (tree: FlatTree, node: number) => number;
  /** Lines for each of which it adds 1, whatever the tree has there. */
  readonly lines?: RegExp;
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

/** TypeScript's grammar has the token inside a node or alone, JavaScript's the node alone. */
function isOptionalChain(tree: FlatTree, node: number): boolean {
  const isLeaf = tree.after(node) === node + 1;
  return isLeaf && ["optional_chain", "?."].includes(tree.nameOf(node));
}

const isInTemplate = (tree: FlatTree, node: number) => within(tree, node, ["template_substitution"]);

/** @param sees whether lizard sees a `?` at a node */
const ecmascript = (sees: (tree: FlatTree, node: number) => boolean): readonly Feature[] => [
  {
    says: "counts `??` and `??=` as two `?`",
    adds: (tree, node): number => (/^\?\?=?$/.test(tree.nameOf(node)) && sees(tree, node) ? 1 : 0),
  },
  {
    says: "counts `?.`",
    adds: (tree, node): number => (isOptionalChain(tree, node) && sees(tree, node) ? 1 : 0),
  },
  {
    says: "does not see the `?` of a choice that stands right behind a word",
    adds: (tree, node): number =>
      tree.nameOf(node) === "?" &&
      tree.nameOf(tree.parentOf(node)) === "ternary_expression" &&
      !sees(tree, node) &&
      !isInTemplate(tree, node)
        ? -1
        : 0,
  },
  {
    says: "counts the `?` of types",
    adds: (tree, node): number =>
      ["?", "?:"].includes(tree.nameOf(node)) &&
      tree.nameOf(tree.parentOf(node)) !== "ternary_expression" &&
      sees(tree, node)
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
      /^(?:&&|\|\||\?|\?\?)$/.test(tree.nameOf(node)) && isInTemplate(tree, node) ? -1 : 0,
  },
  {
    says: "counts words and question marks of JSX text",
    adds: (tree, node): number =>
      tree.nameOf(node) === "jsx_text"
        ? (tree.text(node).match(/\w+|\?/g) ?? []).filter((word) => word === "?" || WORDS.test(word)).length
        : 0,
  },
];

/** lizard takes type arguments such as `<string?, int>` for one token. */
function isPlainArgument(tree: FlatTree, type: number): boolean {
  const parent = tree.parentOf(type);
  return tree.nameOf(parent) === "type_argument_list" && /^<[\w\s,.?]+>$/.test(tree.text(parent));
}

const guards = (types: readonly string[]) => nodes(types, -1, "does not count guards (`when`)");

/** Per language: where lizard 1.24 counts otherwise. */
export const FEATURES: Partial<Record<LanguageId, readonly Feature[]>> = {
  ...NATIVE_FEATURES,
  javascript: ecmascript((tree, node) => !isBehindWord(tree, node) && !isInTemplate(tree, node)),
  typescript: ecmascript((tree, node) => !isBehindWord(tree, node) && !isInTemplate(tree, node)),
  tsx: ecmascript((tree, node) => !isInTemplate(tree, node)),
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
    {
      says: "does not count the arms of a `switch` expression",
      adds: (tree, node): number =>
        tree.nameOf(node) === "switch_expression_arm" && tree.nameOf(node + 1) !== "discard" ? -1 : 0,
    },
    nodes(["case"], 1, "counts `goto case`", ["goto_statement"]),
    {
      says: "does not look into constructor initializers",
      adds: (tree, node): number =>
        /^(?:&&|\|\||\?|\?\?)$/.test(tree.nameOf(node)) && within(tree, node, ["constructor_initializer"])
          ? -1
          : 0,
    },
    guards(["when_clause"]),
    nodes(["catch_filter_clause"], -1, "does not count `catch … when`"),
    nodes(["and_pattern", "or_pattern"], -1, "does not count `and` and `or` of patterns"),
    nodes(["conditional_access_expression"], 1, "counts `?.` and `?[ ]`"),
    {
      says: "counts the `?` of a nullable type",
      adds: (tree, node): number =>
        tree.nameOf(node) === "nullable_type" &&
        within(tree, node, ["block", "arrow_expression_clause"]) &&
        !isPlainArgument(tree, node)
          ? 1
          : 0,
    },
    { says: "counts `#if` and `#elif`", adds: () => 0, lines: /^\s*#\s*(?:if|elif)\b/ },
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
