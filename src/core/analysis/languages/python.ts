import { pythonSloc } from "../measures/python-sloc.js";
import { isPlainStringStatement } from "../measures/python-strings.js";
import { pythonStructure } from "../measures/python-structure.js";
import type { Language } from "./language.js";

/** Python as scb-check reads it, the same in all its releases up to 0.2.0; every set is theirs. */
export const python: Language = {
  id: "python",
  extensions: [".py", ".pyw"],
  editorIds: ["python"],
  comments: { line: "#" },
  grammar: { wasm: "tree-sitter-python.wasm", package: "tree-sitter-python", version: [0, 25, 0] },
  extras: ["comment", "line_continuation"],
  errors: "skip",
  sloc: pythonSloc,
  callables: {
    types: ["function_definition"],
    owners: ["class_definition"],
    containers: ["decorated_definition", "block"],
    nameTypes: ["identifier"],
    nested: "counted",
  },
  decisions: {
    if_statement: { label: "if" },
    elif_clause: { label: "elif" },
    for_statement: { label: "for" },
    while_statement: { label: "while" },
    except_clause: { label: "except" },
    assert_statement: { label: "assert" },
    list_comprehension: { label: "comprehension" },
    set_comprehension: { label: "comprehension" },
    dictionary_comprehension: { label: "comprehension" },
    generator_expression: { label: "comprehension" },
    boolean_operator: { label: "and, or", shownAt: ["and", "or"] },
    conditional_expression: { label: "x if y else z", shownAt: ["if"] },
    if_clause: { label: "comprehension if", within: { case_clause: "case guard" } },
  },
  cognitive: {
    nesting: [
      "if_statement",
      "elif_clause",
      "else_clause",
      "for_statement",
      "while_statement",
      "except_clause",
      "conditional_expression",
    ],
    flat: ["boolean_operator"],
    jumps: ["break_statement", "continue_statement"],
    alternatives: [],
  },
  clones: {
    family: "python",
    candidates: [
      "function_definition",
      "if_statement",
      "for_statement",
      "while_statement",
      "with_statement",
      "try_statement",
      "match_statement",
    ],
    minimumSloc: 3,
    identifiers: ["identifier"],
    literals: {
      string: "text",
      string_content: "text",
      integer: "integer",
      float: "float",
      true: "boolean",
      false: "boolean",
      none: "none",
    },
    ignored: ["comment"],
    ignoredWhen: { types: ["expression_statement"], test: isPlainStringStatement },
    exempt: {
      types: ["if_statement", "while_statement"],
      conditions: ["TYPE_CHECKING", "typing.TYPE_CHECKING"],
    },
  },
  structure: pythonStructure,
  uncounted: {
    "`match`, `case`": "scb-check counts the guard of a `case` and nothing else of `match`",
    "`else`, `finally`, `try`, `with`": "no path of their own: McCabe counts the branch that leads to them",
    "`lambda`": "no callable; what is inside counts for the function around it",
  },
};
