import { codeLines } from "../measures/code-text.js";
import type { FlatTree } from "../tree/flat-tree.js";
import { blank } from "./blanks.js";
import { readFirstBranches } from "./c-conditionals.js";
import type { Language } from "./language.js";
import { heldName, type Holders } from "./names.js";

const LAMBDAS = ["lambda_expression", "anonymous_method_expression"];
const ACCESSORS = ["accessor_declaration"];
const OPERATORS = ["operator_declaration", "conversion_operator_declaration"];
const METHODS = [
  "method_declaration",
  "constructor_declaration",
  "destructor_declaration",
  "local_function_statement",
  ...OPERATORS,
];
const PROPERTIES = ["property_declaration", "indexer_declaration"];
const HOLDERS: Holders = {
  through: ["parenthesized_expression", "cast_expression"],
  named: {
    variable_declarator: ["identifier"],
    assignment_expression: ["identifier", "member_access_expression", "element_access_expression"],
  },
};
const PARTS = {
  identifier: ["identifier"],
  /** What follows a name. */
  behindName: [
    "parameter_list",
    "type_parameter_list",
    "bracketed_parameter_list",
    "accessor_list",
    "arrow_expression_clause",
    "declaration_list",
    "block",
    "=",
  ],
  properties: [...PROPERTIES, "event_declaration"],
} as const;

function nameOf(tree: FlatTree, node: number): string | undefined {
  const is = (types: readonly string[]) => tree.grammar.mask(types)[tree.typeOf(node)] === 1;
  if (is(LAMBDAS)) return heldName(tree, node, HOLDERS) ?? propertyAround(tree, tree.parentOf(node));
  if (is(ACCESSORS)) return accessorName(tree, node);
  return declaredName(tree, node);
}

/** The last identifier before the parameters or the body: what stands before it is a type. */
function declaredName(tree: FlatTree, node: number): string | undefined {
  const { identifier, behindName } = PARTS;
  const isEnd = tree.grammar.mask(behindName);
  const isIdentifier = tree.grammar.mask(identifier);
  let name: string | undefined;
  let behindOperator = "";
  for (const child of tree.children(node)) {
    if (isEnd[tree.typeOf(child)] === 1) break;
    const text = tree.nameOf(child);
    if (behindOperator !== "") behindOperator += tree.text(child);
    else if (text === "operator") behindOperator = "operator ";
    else if (isIdentifier[tree.typeOf(child)] === 1) name = tree.text(child);
    else if (text === "this") name = "this[]";
  }
  if (behindOperator !== "") return behindOperator;
  return tree.nameOf(node) === "destructor_declaration" ? `~${name ?? ""}` : name;
}

/** `Size.get` */
function accessorName(tree: FlatTree, accessor: number): string | undefined {
  const property = propertyAround(tree, tree.parentOf(tree.parentOf(accessor)));
  const word = tree
    .children(accessor)
    .find((child) => /^(?:get|set|init|add|remove)$/.test(tree.nameOf(child)));
  return property === undefined || word === undefined ? undefined : `${property}.${tree.nameOf(word)}`;
}

function propertyAround(tree: FlatTree, node: number): string | undefined {
  if (node < 0 || tree.grammar.mask(PARTS.properties)[tree.typeOf(node)] !== 1) return undefined;
  return declaredName(tree, node);
}

/** Whether an arm asks something: `_` and `var x` take whatever is left. */
function asks(tree: FlatTree, arm: number): boolean {
  const pattern = arm + 1;
  if (["discard", "var_pattern"].includes(tree.nameOf(pattern))) return false;
  return tree.nameOf(pattern) !== "declaration_pattern" || tree.nameOf(pattern + 1) !== "implicit_type";
}

/**
 * A branch of an `#if` often holds half a statement, which the grammar cannot read; with the branches of all conditions
 * in place, or the first ones alone, the whole can nearly always be read.
 */
const DIRECTIVES =
  /^[ \t]*#[ \t]*(?:if|elif|else|endif|region|endregion|define|undef|pragma|nullable|line|error|warning)\b.*$/gm;

const EXPRESSIONS = [
  "binary_expression",
  "prefix_unary_expression",
  "unary_expression",
  "parenthesized_expression",
];

/** Whether an operator is not one of the condition of an `#if`. */
function runs(tree: FlatTree, operator: number): boolean {
  const isExpression = tree.grammar.mask(EXPRESSIONS);
  let above = tree.parentOf(operator);
  while (above >= 0 && isExpression[tree.typeOf(above)] === 1) above = tree.parentOf(above);
  return above < 0 || !tree.nameOf(above).startsWith("preproc_");
}

const BINARY = ["binary_expression"];
const BODY = ["block", "arrow_expression_clause"];

export const csharp: Language = {
  id: "csharp",
  extensions: [".cs", ".csx"],
  editorIds: ["csharp"],
  comments: { line: "//" },
  grammar: { wasm: "tree-sitter-c_sharp.wasm", package: "tree-sitter-c-sharp", version: [0, 23, 5] },
  extras: ["comment"],
  errors: "measure",
  repairs: [(text: string): string => text.replace(DIRECTIVES, blank), readFirstBranches],
  sloc: codeLines,
  callables: {
    types: [...METHODS, ...ACCESSORS, ...PROPERTIES, ...LAMBDAS],
    owners: [
      "class_declaration",
      "struct_declaration",
      "interface_declaration",
      "record_declaration",
      "enum_declaration",
    ],
    containers: "all",
    nameTypes: [],
    nameOf,
    bodies: {
      ...Object.fromEntries([...METHODS, ...ACCESSORS].map((type) => [type, BODY])),
      // Otherwise the accessors are the callables.
      ...Object.fromEntries(PROPERTIES.map((type) => [type, ["arrow_expression_clause"]])),
    },
    decorations: ["attribute_list"],
    nested: "apart",
  },
  decisions: {
    if_statement: { label: "if" },
    for_statement: { label: "for" },
    foreach_statement: { label: "foreach" },
    while_statement: { label: "while" },
    do_statement: { label: "do while" },
    case: { label: "case", only: ["switch_section"] },
    switch_expression_arm: { label: "switch arm", when: asks },
    when_clause: { label: "case guard" },
    catch_clause: { label: "catch" },
    catch_filter_clause: { label: "catch when" },
    conditional_expression: { label: "? :", shownAt: ["?"] },
    "&&": { label: "&&", only: BINARY, when: runs },
    "||": { label: "||", only: BINARY, when: runs },
    "??": { label: "??", only: BINARY },
    "??=": { label: "??=", only: ["assignment_expression"] },
    and_pattern: { label: "and", shownAt: ["and"] },
    or_pattern: { label: "or", shownAt: ["or"] },
  },
  cognitive: {
    nesting: [
      "if_statement",
      "for_statement",
      "foreach_statement",
      "while_statement",
      "do_statement",
      "catch_clause",
      "conditional_expression",
    ],
    flat: ["&&", "||", "??", "??=", "and_pattern", "or_pattern"],
    jumps: ["break_statement", "continue_statement", "goto_statement"],
    caseEnds: { break_statement: ["switch_section"] },
    alternatives: ["else"],
  },
  clones: {
    family: "csharp",
    candidates: [
      ...METHODS,
      ...ACCESSORS,
      ...LAMBDAS,
      "if_statement",
      "for_statement",
      "foreach_statement",
      "while_statement",
      "do_statement",
      "switch_statement",
      "switch_expression",
      "try_statement",
      "using_statement",
      "lock_statement",
    ],
    minimumSloc: 3,
    identifiers: ["identifier"],
    literals: {
      string_literal: "text",
      verbatim_string_literal: "text",
      raw_string_literal: "text",
      interpolated_string_expression: "text",
      character_literal: "character",
      integer_literal: "integer",
      real_literal: "float",
      boolean_literal: "boolean",
      null_literal: "null",
    },
    ignored: ["comment"],
  },
  uncounted: {
    "`?.`, `?[ ]`": "pass an absent value on; no other path is written down (SonarQube counts them)",
    "`default`, the arms `_` and `var x`, `else`, `try`, `finally`":
      "no path of their own: McCabe counts the branch that leads to them",
    "`#if`": "decides what is compiled, not what runs; what stands in each branch counts",
    "queries (`from … where …`)": "calls in another spelling: `.Where(…)` is not counted either",
    "lambdas without a name":
      "no callable; what is inside counts for the callable around, without the 1 of a callable",
    "`return`, `throw`, `break`, `continue`, `goto`": "end a path; the branch before them is counted",
    "accessors without a body": "declare, and have no path",
  },
};
