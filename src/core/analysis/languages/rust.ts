import { codeLines } from "../measures/code-text.js";
import { isInfix, isNotLastArm } from "./rust-decisions.js";
import { rustName } from "./rust-names.js";
import type { Language } from "./language.js";

/** Rust. Decisions are McCabe's; a macro's arguments are read as tokens, as no grammar can know their meaning. */
export const rust: Language = {
  id: "rust",
  extensions: [".rs"],
  editorIds: ["rust"],
  comments: { line: "//" },
  grammar: { wasm: "tree-sitter-rust.wasm", package: "tree-sitter-rust", version: [0, 24, 0] },
  extras: ["line_comment", "block_comment"],
  errors: "skip",
  sloc: codeLines,
  callables: {
    types: ["function_item", "closure_expression"],
    owners: ["impl_item", "trait_item"],
    containers: "all",
    nameTypes: [],
    nameOf: rustName,
    nested: "apart",
  },
  decisions: {
    if_expression: { label: "if", within: { else_clause: "else if" } },
    while_expression: { label: "while" },
    for_expression: { label: "for" },
    if: { label: "if", only: ["match_pattern", "token_tree"], within: { match_pattern: "match guard" } },
    while: { label: "while", only: ["token_tree"] },
    for: { label: "for", only: ["token_tree"] },
    match_arm: { label: "match arm", when: isNotLastArm },
    else: { label: "let else", only: ["let_declaration"] },
    try_expression: { label: "?", shownAt: ["?"] },
    "?": { label: "?", only: ["token_tree"], when: isInfix },
    "&&": { label: "&&", only: ["binary_expression", "let_chain", "token_tree"], when: isInfix },
    "||": { label: "||", only: ["binary_expression", "token_tree"], when: isInfix },
  },
  uncounted: {
    "`loop`": "it has no condition; the `if` or `match` that leaves it counts",
    "the last arm of a `match`": "a `match` is exhaustive: the last arm is what is left",
    "`matches!`": "it compares, as `==` does; a guard in it counts",
    "`|` in a pattern": "it lies within one arm",
  },
  cognitive: {
    nesting: ["if_expression", "for_expression", "while_expression", "loop_expression"],
    flat: ["&&", "||"],
    jumps: ["break_expression", "continue_expression"],
    alternatives: ["else"],
  },
  clones: {
    family: "rust",
    candidates: [
      "function_item",
      "closure_expression",
      "if_expression",
      "for_expression",
      "while_expression",
      "loop_expression",
      "match_expression",
    ],
    minimumSloc: 3,
    identifiers: [
      "identifier",
      "field_identifier",
      "shorthand_field_identifier",
      "type_identifier",
      "metavariable",
      "lifetime",
      "label",
    ],
    literals: {
      string_literal: "text",
      raw_string_literal: "text",
      char_literal: "text",
      integer_literal: "integer",
      float_literal: "float",
      boolean_literal: "boolean",
    },
    ignored: ["line_comment", "block_comment"],
  },
};
