import type { FlatTree } from "../tree/flat-tree.js";

/** Text of the first child of one of the types, or undefined. Pass a constant: it is a cache key. */
export function childText(tree: FlatTree, node: number, types: readonly string[]): string | undefined {
  const child = tree.firstChild(node, tree.grammar.mask(types));
  return child === undefined ? undefined : tree.text(child);
}

/** Named children without comments. */
export function partsOf(tree: FlatTree, node: number): number[] {
  const isExtra = tree.grammar.mask(tree.grammar.language.extras);
  return tree.namedChildren(node).filter((child) => isExtra[tree.typeOf(child)] !== 1);
}

/** Text on one line, as a name is shown. */
export function onOneLine(text: string): string {
  return text.replace(/\s+/g, " ").trim();
}
