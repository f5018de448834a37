import { codeLines } from "../measures/code-text.js";
import { cName } from "./c-names.js";
import { isEvaluated } from "./c-decisions.js";
import { C_REPAIRS } from "./c-repairs.js";
import type { Language } from "./language.js";

/** C. Decisions are McCabe's, on the text as it stands before the preprocessor. */
export const c: Language = {
  id: "c",
  extensions: [".c", ".h"],
  editorIds: ["c"],
  comments: { line: "//" },
  grammar: { wasm: "tree-sitter-c.wasm", package: "tree-sitter-c", version: [0, 24, 1] },
  extras: ["comment"],
  errors: "measure",
  repairs: C_REPAIRS,
  sloc: codeLines,
  callables: {
    types: ["function_definition", "compound_statement"],
    owners: [],
    containers: "all",
    nameTypes: [],
    nameOf: cName,
    nested: "apart",
  },
  decisions: {
    if_statement: { label: "if", within: { else_clause: "else if" } },
    for_statement: { label: "for" },
    while_statement: { label: "while" },
    do_statement: { label: "do while" },
    case: { label: "case" },
    conditional_expression: { label: "? :", shownAt: ["?"] },
    "&&": { label: "&&", only: ["binary_expression"], when: isEvaluated },
    "||": { label: "||", only: ["binary_expression"], when: isEvaluated },
  },
  uncounted: {
    "`default`": "it is what is left when no `case` was taken",
    "`#if`, `#ifdef`, `#elif`":
      "the compiler sees one branch only; decisions in all branches count, as they are read",
    "what a macro expands to": "it is not in the text; a macro is no callable",
    "`goto`": "it leads on without a choice",
  },
  cognitive: {
    nesting: ["if_statement", "for_statement", "while_statement", "do_statement", "conditional_expression"],
    flat: ["&&", "||"],
    jumps: ["break_statement", "continue_statement", "goto_statement"],
    caseEnds: { break_statement: ["case_statement"] },
    alternatives: ["else"],
  },
  clones: {
    family: "c",
    candidates: [
      "function_definition",
      "if_statement",
      "for_statement",
      "while_statement",
      "do_statement",
      "switch_statement",
    ],
    minimumSloc: 3,
    identifiers: ["identifier", "field_identifier", "type_identifier", "statement_identifier"],
    literals: {
      string_literal: "text",
      char_literal: "text",
      system_lib_string: "text",
      number_literal: "number",
      true: "boolean",
      false: "boolean",
      null: "none",
    },
    ignored: ["comment"],
  },
};
