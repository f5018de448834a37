import type { FlatTree } from "../tree/flat-tree.js";
import { childText, partsOf } from "./parts.js";

const NAMES = ["identifier", "field_identifier"];
const RECEIVER = ["parameter_list"];
const TYPE_NAME = ["type_identifier"];
const FIELD = ["field_identifier"];

/** Name of a function or method, or of what holds a function literal: variable, field or key. */
export function goName(tree: FlatTree, node: number): string | undefined {
  return tree.nameOf(node) === "func_literal" ? holderOf(tree, node) : childText(tree, node, NAMES);
}

/** The type that a method belongs to, without pointer and type arguments. */
export function goReceiver(tree: FlatTree, node: number): string | undefined {
  if (tree.nameOf(node) !== "method_declaration") return undefined;
  const receiver = tree.firstChild(node, tree.grammar.mask(RECEIVER));
  if (receiver === undefined) return undefined;
  const isTypeName = tree.grammar.mask(TYPE_NAME);
  for (let part = receiver + 1; part < tree.after(receiver); part++) {
    if (isTypeName[tree.typeOf(part)] === 1) return tree.text(part);
  }
  return undefined;
}

function holderOf(tree: FlatTree, literal: number): string | undefined {
  const list = tree.parentOf(literal);
  const holder = tree.parentOf(list);
  switch (tree.nameOf(holder)) {
    case "short_var_declaration":
    case "assignment_statement": {
      const [left] = partsOf(tree, holder);
      return left === undefined ? undefined : nameAt(tree, partsOf(tree, left), indexIn(tree, list, literal));
    }
    case "var_spec":
      return nameAt(tree, partsOf(tree, holder), indexIn(tree, list, literal));
    case "keyed_element": {
      const [key] = partsOf(tree, holder);
      const [name] = key === undefined ? [] : partsOf(tree, key);
      return key === list || name === undefined ? undefined : nameAt(tree, [name], 0);
    }
    default:
      return undefined;
  }
}

function indexIn(tree: FlatTree, list: number, node: number): number {
  return partsOf(tree, list).indexOf(node);
}

/** The name of a variable, or the last part of `value.field`. */
function nameAt(tree: FlatTree, targets: readonly number[], index: number): string | undefined {
  const target = targets[index];
  if (target === undefined) return undefined;
  switch (tree.nameOf(target)) {
    case "identifier":
      return tree.text(target) === "_" ? undefined : tree.text(target);
    case "selector_expression":
      return childText(tree, target, FIELD);
    default:
      return undefined;
  }
}
