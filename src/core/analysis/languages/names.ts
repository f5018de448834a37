import type { FlatTree } from "../tree/flat-tree.js";

/** Where a closure gets its name from. */
export interface Holders {
  /** Nodes between a closure and its holder that change nothing, such as parentheses and casts. */
  readonly through: readonly string[];
  /** Holder → types of the child that names what it holds. */
  readonly named: Readonly<Record<string, readonly string[]>>;
}

const LONGEST_NAME = 60;

/** Name of a closure by the variable, field or property that holds it; undefined when nothing does. */
export function heldName(tree: FlatTree, closure: number, { through, named }: Holders): string | undefined {
  const isThrough = tree.grammar.mask(through);
  let holder = tree.parentOf(closure);
  while (holder >= 0 && isThrough[tree.typeOf(holder)] === 1) holder = tree.parentOf(holder);
  const types = holder < 0 ? undefined : tree.grammar.table(named)[tree.typeOf(holder)];
  const target = types === undefined ? undefined : tree.firstChild(holder, tree.grammar.mask(types));
  return target === undefined || target >= closure ? undefined : readableName(tree.text(target));
}

/** Text of the first child of one of the types, in a form that reads as a name. */
export function childName(tree: FlatTree, node: number, types: readonly string[]): string | undefined {
  const child = tree.firstChild(node, tree.grammar.mask(types));
  return child === undefined ? undefined : readableName(tree.text(child));
}

/** `this.on` is called `on`, `"on"` too, and a name never breaks a line. */
function readableName(text: string): string {
  const name = text
    .replace(/\s+/g, " ")
    .replace(/^(?:this\.|\$this->)/, "")
    .replace(/^(["'])(.*)\1$/, "$2");
  return name.length <= LONGEST_NAME ? name : `${name.slice(0, LONGEST_NAME - 1)}…`;
}
