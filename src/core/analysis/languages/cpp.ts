import { codeLines } from "../measures/code-text.js";
import { c } from "./c.js";
import { cName, cScope } from "./c-names.js";
import { isEvaluated } from "./c-decisions.js";
import { C_REPAIRS } from "./c-repairs.js";
import type { DecisionLabel, Language } from "./language.js";

const AND: DecisionLabel = { label: "&&", only: ["binary_expression"], when: isEvaluated };
const OR: DecisionLabel = { label: "||", only: ["binary_expression"], when: isEvaluated };

/** C++: C and what it adds. */
export const cpp: Language = {
  id: "cpp",
  extensions: [".cpp", ".cc", ".cxx", ".c++", ".hpp", ".hh", ".hxx", ".h++", ".ipp", ".tpp", ".inl"],
  editorIds: ["cpp"],
  comments: { line: "//" },
  grammar: { wasm: "tree-sitter-cpp.wasm", package: "tree-sitter-cpp", version: [0, 23, 4] },
  extras: c.extras,
  errors: "measure",
  repairs: C_REPAIRS,
  sloc: codeLines,
  callables: {
    types: ["function_definition", "lambda_expression"],
    owners: ["class_specifier", "struct_specifier", "union_specifier"],
    containers: "all",
    nameTypes: [],
    nameOf: cName,
    ownerOf: cScope,
    bodies: { function_definition: ["compound_statement", "try_statement", "constructor_try_statement"] },
    nested: "apart",
  },
  decisions: {
    ...c.decisions,
    for_range_loop: { label: "for" },
    catch_clause: { label: "catch" },
    seh_except_clause: { label: "__except" },
    "&&": AND,
    and: AND,
    "||": OR,
    or: OR,
  },
  uncounted: {
    ...c.uncounted,
    "`&&` in types, `requires`, folds, template arguments and `static_assert`":
      "no value is tested at run time",
    "`try`, `throw`": "the `catch` is the other path",
  },
  cognitive: {
    ...c.cognitive,
    nesting: [...c.cognitive.nesting, "for_range_loop", "catch_clause", "seh_except_clause"],
    flat: [...c.cognitive.flat, "and", "or"],
  },
  clones: {
    family: "cpp",
    candidates: [...c.clones.candidates, "lambda_expression", "for_range_loop", "try_statement"],
    minimumSloc: c.clones.minimumSloc,
    identifiers: [...c.clones.identifiers, "namespace_identifier"],
    literals: { ...c.clones.literals, raw_string_literal: "text", user_defined_literal: "number" },
    ignored: c.clones.ignored,
  },
};
