import type { FlatTree } from "../tree/flat-tree.js";
import { childText, onOneLine, partsOf } from "./parts.js";

/** What a declarator consists of, from the outside to the name. */
const DECLARATORS = [
  "function_declarator",
  "pointer_declarator",
  "reference_declarator",
  "parenthesized_declarator",
  "array_declarator",
  "attributed_declarator",
  "identifier",
  "field_identifier",
  "qualified_identifier",
  "template_function",
  "template_method",
  "operator_name",
  "operator_cast",
  "destructor_name",
];
const OWNER_NAMES = ["type_identifier", "template_type", "qualified_identifier"];
const FIELD = ["field_identifier"];
const VARIABLE = ["identifier"];
/** Statements that the parser takes for functions where it lost its way. */
const STATEMENTS: ReadonlySet<string> = new Set(["if", "for", "while", "switch", "catch", "return", "else"]);
/** Where a block of a macro is no statement. */
const OUTSIDE: ReadonlySet<string> = new Set([
  "translation_unit",
  "linkage_specification",
  "declaration_list",
  "preproc_if",
  "preproc_ifdef",
  "preproc_elif",
  "preproc_else",
]);
const MACRO = /^[A-Z][A-Z0-9_]+$/;
const LONGEST_ARGUMENTS = 100;

/** Name of a function or class, of what holds a lambda, or of a macro that makes a function of the block behind it. */
export function cName(tree: FlatTree, node: number): string | undefined {
  switch (tree.nameOf(node)) {
    case "function_definition":
      return functionName(tree, node);
    case "lambda_expression":
      return holderOf(tree, node);
    case "compound_statement":
      return macroBefore(tree, node);
    default:
      return ownerName(tree, node);
  }
}

/** The scopes before the name of a function that is defined outside of its class: `A.B` of `A::B::name`. */
export function cScope(tree: FlatTree, node: number): string | undefined {
  if (tree.nameOf(node) !== "function_definition") return undefined;
  let name = declared(tree, node)?.name;
  const scopes: string[] = [];
  while (name !== undefined && tree.nameOf(name) === "qualified_identifier") {
    const parts = partsOf(tree, name);
    const [scope] = parts;
    if (scope !== undefined && parts.length > 1) scopes.push(plain(tree, scope));
    name = parts.at(-1);
  }
  return scopes.length === 0 ? undefined : scopes.join(".");
}

interface Declared {
  /** Node of the name. */
  readonly name: number;
  /** Whether the declarator has parameters. */
  readonly callable: boolean;
}

function declared(tree: FlatTree, node: number): Declared | undefined {
  const isDeclarator = tree.grammar.mask(DECLARATORS);
  let callable = false;
  // A type may look like a declarator; the declarator is what comes last.
  let inner = tree.children(node).findLast((child) => isDeclarator[tree.typeOf(child)] === 1);
  let name: number | undefined;
  while (inner !== undefined) {
    name = inner;
    const type = tree.nameOf(inner);
    if (type === "function_declarator") callable = true;
    if (!type.endsWith("_declarator")) break;
    inner = tree.firstChild(inner, isDeclarator);
  }
  return name === undefined ? undefined : { name, callable };
}

function functionName(tree: FlatTree, node: number): string | undefined {
  const found = declared(tree, node);
  if (found === undefined) return undefined;
  const last = lastPart(tree, found.name);
  if (tree.nameOf(last) === "operator_cast") return castName(tree, last);
  if (!found.callable) return undefined;
  const name = plain(tree, last);
  if (STATEMENTS.has(name)) return undefined;
  return isMacro(tree, node, name) ? name + argumentsOf(tree, node + 1) : name;
}

/** Whether a function without a type is made by a macro, and is no constructor. */
function isMacro(tree: FlatTree, node: number, name: string): boolean {
  return (
    MACRO.test(name) &&
    tree.nameOf(node + 1) === "function_declarator" &&
    tree.nameOf(node + 2) === "identifier" &&
    tree.nameOf(tree.parentOf(node)) !== "field_declaration_list"
  );
}

function lastPart(tree: FlatTree, name: number): number {
  let last = name;
  while (tree.nameOf(last) === "qualified_identifier") last = partsOf(tree, last).at(-1) ?? last + 1;
  return last;
}

/** A name without template arguments, an operator without blanks. */
function plain(tree: FlatTree, node: number): string {
  switch (tree.nameOf(node)) {
    case "template_function":
    case "template_method":
    case "template_type":
    case "dependent_name":
      return plain(tree, partsOf(tree, node)[0] ?? node + 1);
    case "operator_name":
      return tree.text(node).replace(/\s+(?=\W)/g, "");
    default:
      return onOneLine(tree.text(node));
  }
}

/** `operator bool` of `operator bool() const`. */
function castName(tree: FlatTree, node: number): string {
  return onOneLine(tree.text(node).replace(/\(.*$/s, ""));
}

/** Tests are often defined through a macro; its arguments tell them apart. */
function argumentsOf(tree: FlatTree, declarator: number): string {
  const list = partsOf(tree, declarator)[1];
  const text = list === undefined ? "" : onOneLine(tree.text(list));
  return text.length > LONGEST_ARGUMENTS ? "" : text;
}

/** `MACRO(arguments) { … }` outside of functions, which the C grammar takes for a call and a block. */
function macroBefore(tree: FlatTree, block: number): string | undefined {
  const semicolon = block - 1;
  if (!OUTSIDE.has(tree.nameOf(tree.parentOf(block)))) return undefined;
  if (tree.nameOf(semicolon) !== ";" || tree.text(semicolon) !== "") return undefined;
  const [call] = partsOf(tree, tree.parentOf(semicolon));
  if (call === undefined || tree.nameOf(call) !== "call_expression") return undefined;
  const text = onOneLine(tree.text(call));
  return text.length > LONGEST_ARGUMENTS ? onOneLine(tree.text(call + 1)) : text;
}

function ownerName(tree: FlatTree, node: number): string | undefined {
  const name = tree.firstChild(node, tree.grammar.mask(OWNER_NAMES));
  return name === undefined ? undefined : plain(tree, lastPart(tree, name));
}

function holderOf(tree: FlatTree, lambda: number): string | undefined {
  const holder = tree.parentOf(lambda);
  switch (tree.nameOf(holder)) {
    case "field_declaration":
      return childText(tree, holder, FIELD);
    case "init_declarator": {
      const found = declared(tree, holder);
      return found === undefined ? undefined : plain(tree, lastPart(tree, found.name));
    }
    case "assignment_expression": {
      const [target] = partsOf(tree, holder);
      if (target === undefined || target === lambda) return undefined;
      return tree.nameOf(target) === "field_expression"
        ? childText(tree, target, FIELD)
        : childText(tree, holder, VARIABLE);
    }
    default:
      return undefined;
  }
}
