import { codeLines } from "../measures/code-text.js";
import type { FlatTree } from "../tree/flat-tree.js";
import type { Language } from "./language.js";
import { childName, heldName, type Holders } from "./names.js";

/** Languages in which code and tags stand side by side. */
export const JSX_COMMENTS: Language["comments"] = { line: "//", inMarkup: ["{/*", "*/}"] };

const FUNCTIONS = ["function_expression", "generator_function", "arrow_function"];
const DECLARED = ["function_declaration", "generator_function_declaration", "method_definition"];
const NAMES = [
  "identifier",
  "type_identifier",
  "property_identifier",
  "private_property_identifier",
  "string",
  "number",
  "computed_property_name",
];
const TARGETS = ["identifier", "member_expression", "subscript_expression"];

const HOLDERS: Holders = {
  through: [
    "parenthesized_expression",
    "as_expression",
    "satisfies_expression",
    "type_assertion",
    "non_null_expression",
  ],
  named: {
    variable_declarator: ["identifier"],
    assignment_expression: TARGETS,
    augmented_assignment_expression: TARGETS,
    assignment_pattern: ["identifier"],
    object_assignment_pattern: ["shorthand_property_identifier_pattern"],
    required_parameter: ["identifier"],
    pair: NAMES,
    field_definition: NAMES,
    public_field_definition: NAMES,
    // `export default () => …` is called "default" by the language.
    export_statement: ["default"],
  },
};

/** What wraps a component or a handler at the top of a module: `const Panel = memo(() => …)`. */
const WRAPPERS: Holders = {
  through: [...HOLDERS.through, "arguments", "call_expression"],
  named: { variable_declarator: ["identifier"], export_statement: ["default"] },
};
const TYPES = {
  arrow: ["arrow_function"],
  declared: [...DECLARED, "class_declaration", "abstract_class_declaration"],
  closures: FUNCTIONS,
  topLevel: ["program", "export_statement"],
  calls: ["arguments"],
} as const;

function nameOf(tree: FlatTree, node: number): string | undefined {
  const type = tree.typeOf(node);
  if (tree.grammar.mask(TYPES.declared)[type] === 1) return childName(tree, node, NAMES);
  // The identifier directly inside an arrow function is its parameter.
  const own = tree.grammar.mask(TYPES.arrow)[type] === 1 ? undefined : childName(tree, node, NAMES);
  return own ?? heldName(tree, node, HOLDERS) ?? wrappedName(tree, node);
}

/**
 * A closure that is the only one handed to a call, whose result a variable of the module takes, goes by the name of that
 * variable: else such code, with no callable around it, would count nowhere.
 */
function wrappedName(tree: FlatTree, node: number): string | undefined {
  const parent = tree.parentOf(node);
  const isClosure = tree.grammar.mask(TYPES.closures);
  if (isClosure[tree.typeOf(node)] !== 1 || tree.grammar.mask(TYPES.calls)[tree.typeOf(parent)] !== 1)
    return undefined;
  if (tree.children(parent).filter((child) => isClosure[tree.typeOf(child)] === 1).length > 1)
    return undefined;
  return isTopLevel(tree, node) ? heldName(tree, node, WRAPPERS) : undefined;
}

function isTopLevel(tree: FlatTree, node: number): boolean {
  const isWrapping = tree.grammar.mask(WRAPPERS.through);
  let above = tree.parentOf(node);
  while (above >= 0 && isWrapping[tree.typeOf(above)] === 1) above = tree.parentOf(above);
  if (tree.nameOf(above) === "variable_declarator") above = tree.parentOf(tree.parentOf(above));
  return above >= 0 && tree.grammar.mask(TYPES.topLevel)[tree.typeOf(above)] === 1;
}

const BINARY = ["binary_expression"];
const ASSIGNMENT = ["augmented_assignment_expression"];

/** What JavaScript, TypeScript and TSX have in common. */
export const ecmascript = {
  extras: ["comment", "html_comment", "hash_bang_line"],
  errors: "measure",
  sloc: codeLines,
  callables: {
    types: [...DECLARED, ...FUNCTIONS],
    owners: ["class_declaration", "abstract_class_declaration", "class", "object"],
    containers: "all",
    nameTypes: NAMES,
    nameOf,
    decorations: ["decorator"],
    nested: "apart",
  },
  decisions: {
    if_statement: { label: "if", within: { else_clause: "else if" } },
    for_statement: { label: "for" },
    for_in_statement: { label: "for" },
    while_statement: { label: "while" },
    do_statement: { label: "do while" },
    switch_case: { label: "case" },
    catch_clause: { label: "catch" },
    ternary_expression: { label: "? :", shownAt: ["?"] },
    "&&": { label: "&&", only: BINARY },
    "||": { label: "||", only: BINARY },
    "??": { label: "??", only: BINARY },
    "&&=": { label: "&&=", only: ASSIGNMENT },
    "||=": { label: "||=", only: ASSIGNMENT },
    "??=": { label: "??=", only: ASSIGNMENT },
  },
  cognitive: {
    nesting: [
      "if_statement",
      "for_statement",
      "for_in_statement",
      "while_statement",
      "do_statement",
      "catch_clause",
      "ternary_expression",
    ],
    flat: ["&&", "||", "??", "&&=", "||=", "??="],
    jumps: ["break_statement", "continue_statement"],
    caseEnds: { break_statement: ["switch_case", "switch_default"] },
    alternatives: ["else"],
  },
  clones: {
    family: "ecmascript",
    candidates: [
      ...DECLARED,
      ...FUNCTIONS,
      "if_statement",
      "for_statement",
      "for_in_statement",
      "while_statement",
      "do_statement",
      "switch_statement",
      "try_statement",
      "with_statement",
    ],
    minimumSloc: 3,
    identifiers: [
      "identifier",
      "type_identifier",
      "property_identifier",
      "private_property_identifier",
      "shorthand_property_identifier",
      "shorthand_property_identifier_pattern",
      "statement_identifier",
    ],
    literals: {
      string: "text",
      template_string: "text",
      jsx_text: "text",
      regex: "pattern",
      number: "number",
      true: "boolean",
      false: "boolean",
      null: "null",
      undefined: "null",
    },
    ignored: ["comment", "html_comment", ";"],
  },
  uncounted: {
    "`?.`": "passes an absent value on; no other path is written down (ESLint counts it, SonarQube does not)",
    "default values of parameters and patterns":
      "a value, not a path that the reader follows (ESLint counts them)",
    "`default`, `else`, `try`, `finally`":
      "no path of their own: McCabe counts the branch that leads to them",
    "closures without a name":
      "no callable; what is inside counts for the callable around, without the 1 of a callable",
    "`return`, `throw`, `break`, `continue`": "end a path; the branch before them is counted",
    "conditional types": "types do not run",
  },
} as const satisfies Partial<Language>;
