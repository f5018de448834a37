import type { Decision } from "../../model/quality.js";
import type { DecisionLabel } from "../languages/language.js";
import type { FlatTree } from "../tree/flat-tree.js";

/** A node and the first one behind its subtree. */
export interface NodeSpan {
  readonly node: number;
  readonly end: number;
}

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
      if (label === undefined || !isDecision(tree, node, label)) continue;
      nodes.push(node);
      found.push(toDecision(tree, node, label));
    }
    this.#nodes = Int32Array.from(nodes);
    this.#decisions = found;
  }

  /**
   * Decisions from a node up to another, in source order. Cyclomatic complexity is 1 + their number.
   * @param apart spans of nodes in between that are left out, in source order
   */
  within(node: number, end: number, apart: readonly NodeSpan[]): readonly Decision[] {
    let from = node;
    return [...apart, { node: end, end }].flatMap((span) => {
      const piece = this.#decisions.slice(this.#firstFrom(from), this.#firstFrom(span.node));
      from = span.end;
      return piece;
    });
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

/** Whether a node of a decision's type is one where it stands. */
export function isDecision(tree: FlatTree, node: number, { only, when }: DecisionLabel): boolean {
  const parent = tree.parentOf(node);
  if (only !== undefined && (parent < 0 || !only.includes(tree.nameOf(parent)))) return false;
  return when === undefined || when(tree, node);
}

/** What a decision's node is shown as. */
export function toDecision(
  tree: FlatTree,
  node: number,
  { label, shownAt, within }: DecisionLabel,
): Decision {
  const anchor = shownAt === undefined ? undefined : tree.firstChild(node, tree.grammar.mask(shownAt));
  const parent = tree.parentOf(node);
  const special = within === undefined || parent < 0 ? undefined : within[tree.nameOf(parent)];
  return { line: tree.firstLine(anchor ?? node), label: special ?? label };
}
