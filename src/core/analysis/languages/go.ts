import { goName, goReceiver } from "./go-names.js";
import { codeLines } from "../measures/code-text.js";
import type { Language } from "./language.js";

/** Go. Decisions are those of gocyclo, which lizard 1.24 shares. */
export const go: Language = {
  id: "go",
  extensions: [".go"],
  editorIds: ["go"],
  comments: { line: "//" },
  grammar: { wasm: "tree-sitter-go.wasm", package: "tree-sitter-go", version: [0, 25, 0] },
  extras: ["comment"],
  errors: "skip",
  sloc: codeLines,
  callables: {
    types: ["function_declaration", "method_declaration", "func_literal"],
    owners: [],
    containers: "all",
    nameTypes: [],
    nameOf: goName,
    ownerOf: goReceiver,
    bodies: { function_declaration: ["block"] },
    nested: "apart",
  },
  decisions: {
    if_statement: { label: "if", within: { if_statement: "else if" } },
    for_statement: { label: "for" },
    expression_case: { label: "case" },
    type_case: { label: "case" },
    communication_case: { label: "select case" },
    "&&": { label: "&&" },
    "||": { label: "||" },
  },
  uncounted: {
    "`default`": "it is what is left when no `case` was taken",
    "`defer`, `go`, `goto`, `fallthrough`": "they lead on without a choice",
  },
  cognitive: {
    nesting: ["if_statement", "for_statement"],
    flat: ["&&", "||"],
    jumps: ["break_statement", "continue_statement", "goto_statement"],
    caseEnds: {
      break_statement: ["expression_case", "type_case", "communication_case", "default_case"],
    },
    alternatives: ["else"],
  },
  clones: {
    family: "go",
    candidates: [
      "function_declaration",
      "method_declaration",
      "func_literal",
      "if_statement",
      "for_statement",
      "expression_switch_statement",
      "type_switch_statement",
      "select_statement",
    ],
    minimumSloc: 3,
    identifiers: [
      "identifier",
      "blank_identifier",
      "field_identifier",
      "type_identifier",
      "package_identifier",
      "label_name",
    ],
    literals: {
      interpreted_string_literal: "text",
      raw_string_literal: "text",
      rune_literal: "text",
      int_literal: "integer",
      float_literal: "float",
      imaginary_literal: "float",
      true: "boolean",
      false: "boolean",
      nil: "none",
    },
    ignored: ["comment"],
  },
};
