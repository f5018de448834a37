import { codeLines } from "../measures/code-text.js";
import type { FlatTree } from "../tree/flat-tree.js";
import type { Language } from "./language.js";
import { childName, heldName, type Holders } from "./names.js";

const METHODS = ["method_declaration", "constructor_declaration", "compact_constructor_declaration"];
const LAMBDAS = ["lambda_expression"];
const NAMES = ["identifier"];
const HOLDERS: Holders = {
  through: ["parenthesized_expression", "cast_expression"],
  named: {
    variable_declarator: NAMES,
    assignment_expression: ["identifier", "field_access", "array_access"],
  },
};
const UNNAMED = ["class_body"];

function nameOf(tree: FlatTree, node: number): string | undefined {
  const type = tree.typeOf(node);
  if (tree.grammar.mask(LAMBDAS)[type] === 1) return heldName(tree, node, HOLDERS);
  return tree.grammar.mask(UNNAMED)[type] === 1 ? undefined : childName(tree, node, NAMES);
}

const BINARY = ["binary_expression"];
const COMMENTS = ["line_comment", "block_comment"];

export const java: Language = {
  id: "java",
  extensions: [".java"],
  editorIds: ["java"],
  comments: { line: "//" },
  grammar: { wasm: "tree-sitter-java.wasm", package: "tree-sitter-java", version: [0, 23, 5] },
  extras: COMMENTS,
  errors: "measure",
  sloc: codeLines,
  callables: {
    types: [...METHODS, ...LAMBDAS],
    owners: [
      "class_declaration",
      "interface_declaration",
      "enum_declaration",
      "record_declaration",
      "annotation_type_declaration",
      // Of an anonymous class or an enum's constant.
      ...UNNAMED,
    ],
    containers: "all",
    nameTypes: NAMES,
    nameOf,
    bodies: {
      method_declaration: ["block"],
      constructor_declaration: ["constructor_body"],
      compact_constructor_declaration: ["block"],
    },
    decorations: ["marker_annotation", "annotation"],
    nested: "apart",
  },
  decisions: {
    if_statement: { label: "if" },
    for_statement: { label: "for" },
    enhanced_for_statement: { label: "for" },
    while_statement: { label: "while" },
    do_statement: { label: "do while" },
    case: { label: "case", only: ["switch_label"] },
    guard: { label: "case guard" },
    catch_clause: { label: "catch" },
    ternary_expression: { label: "? :", shownAt: ["?"] },
    "&&": { label: "&&", only: BINARY },
    "||": { label: "||", only: BINARY },
  },
  cognitive: {
    nesting: [
      "if_statement",
      "for_statement",
      "enhanced_for_statement",
      "while_statement",
      "do_statement",
      "catch_clause",
      "ternary_expression",
    ],
    flat: ["&&", "||"],
    jumps: ["break_statement", "continue_statement"],
    caseEnds: { break_statement: ["switch_block_statement_group"] },
    alternatives: ["else"],
  },
  clones: {
    family: "java",
    candidates: [
      ...METHODS,
      ...LAMBDAS,
      "if_statement",
      "for_statement",
      "enhanced_for_statement",
      "while_statement",
      "do_statement",
      "switch_expression",
      "try_statement",
      "try_with_resources_statement",
      "synchronized_statement",
    ],
    minimumSloc: 3,
    identifiers: ["identifier", "type_identifier"],
    literals: {
      string_literal: "text",
      template_expression: "text",
      character_literal: "character",
      decimal_integer_literal: "integer",
      hex_integer_literal: "integer",
      octal_integer_literal: "integer",
      binary_integer_literal: "integer",
      decimal_floating_point_literal: "float",
      hex_floating_point_literal: "float",
      true: "boolean",
      false: "boolean",
      null_literal: "null",
    },
    ignored: COMMENTS,
  },
  uncounted: {
    "`default`, `else`, `try`, `finally`":
      "no path of their own: McCabe counts the branch that leads to them",
    "`assert`": "off unless the machine is told otherwise (lizard does not count it either)",
    "lambdas without a name":
      "no callable; what is inside counts for the callable around, without the 1 of a callable",
    "`return`, `throw`, `break`, `continue`, `yield`": "end a path; the branch before them is counted",
    "second and further values of one `case`": "one label is one path",
    "methods without a body": "declare, and have no path",
    "initializer blocks": "no callable, as a class body in Python is none",
  },
};
