import { codeLines } from "../measures/code-text.js";
import { rowAt } from "../source.js";
import type { FlatTree } from "../tree/flat-tree.js";

const DATA = ["uninterpreted"];
const MARK = "__END__";

/** Lines of code of a Ruby file: ascending 1-based line numbers, none from the mark on that ends the program. */
export function rubyLines(tree: FlatTree): number[] {
  const lines = codeLines(tree);
  const [data] = tree.nodesOf(tree.grammar.mask(DATA));
  if (data === undefined) return lines;
  const mark = rowAt(tree.source, tree.source.text.lastIndexOf(MARK, tree.start[data])) + 1;
  return lines.filter((line) => line < mark);
}
