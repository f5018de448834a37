import { rowAt } from "../source.js";
import { ERROR_TYPE, type FlatTree } from "../tree/flat-tree.js";
import type { LineCount } from "./line-count.js";

/**
 * Number of lines of code on which the parser passed over something that it could not make sense of. What it could
 * parse inside a faulty stretch is not lost.
 */
export function countLostLines(tree: FlatTree, lines: LineCount): number {
  const isExtra = tree.grammar.mask(tree.grammar.language.extras);
  const lost = new Set<number>();
  for (let node = 0; node < tree.count; node++) {
    if (tree.after(node) !== node + 1 || isExtra[tree.typeOf(node)] === 1) continue;
    const parent = tree.parentOf(node);
    if (tree.typeOf(node) !== ERROR_TYPE && (parent < 0 || tree.typeOf(parent) !== ERROR_TYPE)) continue;
    const last = rowAt(tree.source, tree.end[node] ?? 0) + 1;
    for (let line = tree.firstLine(node); line <= last; line++) {
      if (lines.within(line, line) === 1) lost.add(line);
    }
  }
  return lost.size;
}
