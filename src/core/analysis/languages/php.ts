import { codeLines } from "../measures/code-text.js";
import type { FlatTree } from "../tree/flat-tree.js";
import type { Language } from "./language.js";
import { childName, heldName, type Holders } from "./names.js";

const DECLARED = ["function_definition", "method_declaration"];
const CLOSURES = ["anonymous_function", "arrow_function"];
const HOOKS = ["property_hook"];
const NAMES = ["name"];
const HOLDERS: Holders = {
  through: ["parenthesized_expression"],
  named: {
    assignment_expression: [
      "variable_name",
      "member_access_expression",
      "scoped_property_access_expression",
      "subscript_expression",
    ],
    augmented_assignment_expression: ["variable_name", "member_access_expression", "subscript_expression"],
    array_element_initializer: ["string", "encapsed_string"],
  },
};
const UNNAMED = ["anonymous_class"];
const PROPERTY = {
  element: ["property_element", "property_promotion_parameter"],
  name: ["variable_name"],
} as const;

function nameOf(tree: FlatTree, node: number): string | undefined {
  const is = (types: readonly string[]) => tree.grammar.mask(types)[tree.typeOf(node)] === 1;
  if (is(CLOSURES)) return heldName(tree, node, HOLDERS);
  if (is(HOOKS)) return hookName(tree, node);
  return is(UNNAMED) ? undefined : childName(tree, node, NAMES);
}

/** `$size.get` */
function hookName(tree: FlatTree, hook: number): string | undefined {
  const declaration = tree.parentOf(tree.parentOf(hook));
  const element = tree.firstChild(declaration, tree.grammar.mask(PROPERTY.element)) ?? declaration;
  const property = childName(tree, element, PROPERTY.name);
  const word = childName(tree, hook, NAMES);
  return word === undefined ? undefined : `${property ?? "$"}.${word}`;
}

const BINARY = ["binary_expression"];

export const php: Language = {
  id: "php",
  extensions: [".php", ".phtml"],
  editorIds: ["php"],
  comments: { line: "//" },
  grammar: { wasm: "tree-sitter-php.wasm", package: "tree-sitter-php", version: [0, 24, 2] },
  extras: ["comment"],
  errors: "measure",
  sloc: codeLines,
  callables: {
    types: [...DECLARED, ...CLOSURES, ...HOOKS],
    owners: [
      "class_declaration",
      "trait_declaration",
      "interface_declaration",
      "enum_declaration",
      ...UNNAMED,
    ],
    containers: "all",
    nameTypes: NAMES,
    nameOf,
    bodies: { method_declaration: ["compound_statement"], property_hook: ["compound_statement", "=>"] },
    decorations: ["attribute_list"],
    nested: "apart",
  },
  decisions: {
    if_statement: { label: "if", within: { else_clause: "else if" } },
    else_if_clause: { label: "elseif" },
    for_statement: { label: "for" },
    foreach_statement: { label: "foreach" },
    while_statement: { label: "while" },
    do_statement: { label: "do while" },
    case_statement: { label: "case" },
    match_conditional_expression: { label: "match arm" },
    catch_clause: { label: "catch" },
    conditional_expression: { label: "? :", shownAt: ["?"] },
    "&&": { label: "&&", only: BINARY },
    "||": { label: "||", only: BINARY },
    and: { label: "and", only: BINARY },
    or: { label: "or", only: BINARY },
    "??": { label: "??", only: BINARY },
    "??=": { label: "??=", only: ["augmented_assignment_expression"] },
  },
  cognitive: {
    nesting: [
      "if_statement",
      "else_if_clause",
      "for_statement",
      "foreach_statement",
      "while_statement",
      "do_statement",
      "catch_clause",
      "conditional_expression",
    ],
    flat: ["&&", "||", "and", "or", "??", "??="],
    jumps: ["break_statement", "continue_statement", "goto_statement"],
    caseEnds: { break_statement: ["case_statement", "default_statement"] },
    alternatives: ["else"],
  },
  clones: {
    family: "php",
    candidates: [
      ...DECLARED,
      ...CLOSURES,
      "if_statement",
      "for_statement",
      "foreach_statement",
      "while_statement",
      "do_statement",
      "switch_statement",
      "match_expression",
      "try_statement",
    ],
    minimumSloc: 3,
    identifiers: ["name", "variable_name"],
    literals: {
      string: "text",
      encapsed_string: "text",
      heredoc: "text",
      nowdoc: "text",
      shell_command_expression: "command",
      integer: "integer",
      float: "float",
      boolean: "boolean",
      null: "null",
    },
    ignored: ["comment"],
  },
  uncounted: {
    "`?->`": "passes an absent value on; no other path is written down",
    "`xor`": "always looks at both sides, so there is no path",
    "`default`, `else`, `try`, `finally`":
      "no path of their own: McCabe counts the branch that leads to them",
    "second and further conditions of one `match` arm": "one arm is one path",
    "closures without a name":
      "no callable; what is inside counts for the callable around, without the 1 of a callable",
    "`return`, `throw`, `break`, `continue`, `goto`": "end a path; the branch before them is counted",
    "methods without a body": "declare, and have no path",
  },
};
