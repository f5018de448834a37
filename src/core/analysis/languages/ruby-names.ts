import type { FlatTree } from "../tree/flat-tree.js";
import { childText, onOneLine, partsOf } from "./parts.js";

const OWNER_NAMES = ["constant", "scope_resolution"];
const DOTS = [".", "::"];
const CALL_NAME = ["identifier"];
const ARGUMENTS = ["argument_list"];
const KEY = ["hash_key_symbol"];
/** Calls that make a method of their block. */
const DEFINERS: ReadonlySet<string> = new Set(["define_method", "define_singleton_method"]);
/** Calls that make a value of their block. */
const CLOSURES: ReadonlySet<string> = new Set(["lambda", "proc"]);
const VARIABLES: ReadonlySet<string> = new Set([
  "identifier",
  "constant",
  "instance_variable",
  "class_variable",
  "global_variable",
]);

/** Name of a method, class or module, or of what a block or lambda is bound to. */
export function rubyName(tree: FlatTree, node: number): string | undefined {
  switch (tree.nameOf(node)) {
    case "method":
      return textOf(tree, partsOf(tree, node)[0]);
    case "singleton_method":
      return singletonName(tree, node);
    case "lambda":
      return holderOf(tree, node);
    case "block":
    case "do_block":
      return blockName(tree, node);
    default:
      return ownerName(tree, node);
  }
}

function textOf(tree: FlatTree, node: number | undefined): string | undefined {
  return node === undefined ? undefined : onOneLine(tree.text(node));
}

/** What follows the dot of `self.name`. */
function singletonName(tree: FlatTree, node: number): string | undefined {
  const dot = tree.firstChild(node, tree.grammar.mask(DOTS));
  return textOf(
    tree,
    partsOf(tree, node).find((part) => dot !== undefined && part > dot),
  );
}

/** `A.B` of `class A::B`; `class << self` lends no name. */
function ownerName(tree: FlatTree, node: number): string | undefined {
  return childText(tree, node, OWNER_NAMES)?.replaceAll("::", ".");
}

function blockName(tree: FlatTree, block: number): string | undefined {
  const call = tree.parentOf(block);
  if (tree.nameOf(call) !== "call") return undefined;
  const method = calledBy(tree, call, block);
  if (method === undefined) return undefined;
  if (DEFINERS.has(method)) return firstArgument(tree, call);
  return CLOSURES.has(method) || onOneLine(tree.text(call)).startsWith("Proc.new")
    ? holderOf(tree, call)
    : undefined;
}

/** Name of the method that gets the block. */
function calledBy(tree: FlatTree, call: number, block: number): string | undefined {
  const isName = tree.grammar.mask(CALL_NAME);
  const isArguments = tree.grammar.mask(ARGUMENTS);
  const names = tree
    .children(call)
    .filter((child) => child < block && isArguments[tree.typeOf(child)] !== 1)
    .filter((child) => isName[tree.typeOf(child)] === 1);
  const name = names.at(-1);
  return name === undefined ? undefined : tree.text(name);
}

function firstArgument(tree: FlatTree, call: number): string | undefined {
  const list = tree.firstChild(call, tree.grammar.mask(ARGUMENTS));
  const argument = list === undefined ? undefined : partsOf(tree, list)[0];
  if (argument === undefined) return undefined;
  switch (tree.nameOf(argument)) {
    case "simple_symbol":
      return tree.text(argument).slice(1);
    case "string":
    case "delimited_symbol":
      return onOneLine(tree.text(argument)).replace(/^:?["']|["']$/g, "");
    default:
      return undefined;
  }
}

function holderOf(tree: FlatTree, value: number): string | undefined {
  const holder = tree.parentOf(value);
  switch (tree.nameOf(holder)) {
    case "assignment":
    case "operator_assignment": {
      const [target] = partsOf(tree, holder);
      return target === undefined || target === value ? undefined : targetName(tree, target);
    }
    case "pair":
      return childText(tree, holder, KEY);
    default:
      return undefined;
  }
}

function targetName(tree: FlatTree, target: number): string | undefined {
  const type = tree.nameOf(target);
  if (VARIABLES.has(type)) return tree.text(target);
  // `object.name = …`
  return type === "call" ? textOf(tree, partsOf(tree, target).at(-1)) : undefined;
}
