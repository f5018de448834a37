import type { Decision } from "../../model/quality.js";
import type { DecisionLabel } from "../languages/language.js";
import type { FlatTree } from "../tree/flat-tree.js";

/** The decisions of a file; a callable's are those between its node and the end of its subtree. */
export class Decisions {
  readonly #nodes: Int32Array;
  readonly #decisions: readonly Decision[];

  constructor(tree: FlatTree) {
    const { decisions } = tree.grammar.language;
    const labels = tree.grammar.table(decisions);
    const nodes: number[] = [];
    const found: Decision[] = [];
    for (let node = 0; node < tree.count; node++) {
      const label = labels[tree.typeOf(node)];
      if (label === undefined) continue;
      nodes.push(node);
      found.push(toDecision(tree, node, label));
    }
    this.#nodes = Int32Array.from(nodes);
    this.#decisions = found;
  }

  /** Decisions inside a node, in source order. Cyclomatic complexity is 1 + their number. */
  within(node: number, end: number): readonly Decision[] {
    return this.#decisions.slice(this.#firstFrom(node), this.#firstFrom(end));
  }

  /** Index of the first decision whose node is `node` or later. */
  #firstFrom(node: number): number {
    let low = 0;
    let high = this.#nodes.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.#nodes[middle] ?? Infinity) < node) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

function toDecision(tree: FlatTree, node: number, { label, shownAt, within }: DecisionLabel): Decision {
  const anchor = shownAt === undefined ? undefined : tree.firstChild(node, tree.grammar.mask(shownAt));
  const parent = tree.parentOf(node);
  const special = within === undefined || parent < 0 ? undefined : within[tree.nameOf(parent)];
  return { line: tree.firstLine(anchor ?? node), label: special ?? label };
}
