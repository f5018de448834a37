import type { FlatTree } from "../tree/flat-tree.js";
import { childText, onOneLine, partsOf } from "./parts.js";

const FUNCTION_NAME = ["identifier", "metavariable"];
const TRAIT_NAME = ["type_identifier"];
const VARIABLE = ["identifier"];
const FIELD = ["field_identifier"];
const FOR = ["for"];
/** What may stand in an `impl` before the types. */
const BEFORE_TYPES: ReadonlySet<string> = new Set(["type_parameters", "attribute_item"]);

/** Name of a function, of the type that an `impl` or `trait` is about, or of what holds a closure. */
export function rustName(tree: FlatTree, node: number): string | undefined {
  switch (tree.nameOf(node)) {
    case "function_item":
      return childText(tree, node, FUNCTION_NAME);
    case "trait_item":
      return childText(tree, node, TRAIT_NAME);
    case "impl_item":
      return implemented(tree, node);
    default:
      return holderOf(tree, node);
  }
}

/** `impl Type` or `impl Trait for Type`. */
function implemented(tree: FlatTree, node: number): string | undefined {
  const after = tree.firstChild(node, tree.grammar.mask(FOR)) ?? node;
  const type = partsOf(tree, node).find((part) => part > after && !BEFORE_TYPES.has(tree.nameOf(part)));
  return type === undefined ? undefined : typeName(tree, type);
}

/** A type without its path and its arguments. */
function typeName(tree: FlatTree, type: number): string {
  switch (tree.nameOf(type)) {
    case "generic_type":
      return typeName(tree, type + 1);
    case "scoped_type_identifier":
      return childText(tree, type, TRAIT_NAME) ?? tree.text(type);
    default:
      return onOneLine(tree.text(type));
  }
}

function holderOf(tree: FlatTree, closure: number): string | undefined {
  const holder = tree.parentOf(closure);
  switch (tree.nameOf(holder)) {
    case "let_declaration":
    case "const_item":
    case "static_item":
      return childText(tree, holder, VARIABLE);
    case "field_initializer":
      return childText(tree, holder, FIELD);
    case "assignment_expression": {
      const [target] = partsOf(tree, holder);
      if (target === undefined || target === closure) return undefined;
      return tree.nameOf(target) === "field_expression"
        ? childText(tree, target, FIELD)
        : childText(tree, holder, VARIABLE);
    }
    default:
      return undefined;
  }
}
