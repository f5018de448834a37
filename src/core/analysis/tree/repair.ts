import type { Tree } from "web-tree-sitter";
import { ERROR_TYPE, type FlatTree } from "./flat-tree.js";
import { flatten } from "./flatten.js";
import type { ReadyGrammar } from "./parsers.js";

/** Tells whether the parser lost its way between two positions of a text. */
export type IsFaulty = (from: number, to: number) => boolean;

/**
 * Blanks what may keep the parser from reading a text; every other character keeps its place.
 * @returns the same text when there is nothing to blank
 */
export type Repair = (text: string, isFaulty: IsFaulty) => string;

/**
 * Reads a text once more for each repair of its language, as long as syntax errors are left, and keeps those repairs
 * that make for fewer. Nodes still tell the text as it was.
 * @returns the tree itself when nothing can be repaired
 */
export function repaired(tree: FlatTree, ready: ReadyGrammar): FlatTree {
  let best = tree;
  let { text } = tree.source;
  let faults = faultsOf(tree);
  for (const repair of tree.grammar.language.repairs ?? []) {
    if (faults.length === 0) break;
    const attempt = repair(text, finder(faults));
    const read = attempt === text ? undefined : parse(attempt, tree, ready);
    const left = read === undefined ? faults : faultsOf(read);
    if (read === undefined || left.length >= faults.length) continue;
    best = read;
    text = attempt;
    faults = left;
  }
  return best;
}

function parse(
  text: string,
  { source }: FlatTree,
  { parser, grammar, walk }: ReadyGrammar,
): FlatTree | undefined {
  const tree: Tree | null = parser.parse(text);
  if (tree === null) return undefined;
  try {
    return flatten(walk(tree), grammar, source);
  } finally {
    tree.delete();
  }
}

/** Positions of what the parser passed over or made up, ascending. */
function faultsOf(tree: FlatTree): Int32Array {
  const faults: number[] = [];
  for (let node = 1; node < tree.count; node++) {
    if (tree.after(node) !== node + 1) continue;
    const isMissing = tree.start[node] === tree.end[node];
    const isLost = tree.typeOf(node) === ERROR_TYPE || tree.typeOf(tree.parentOf(node)) === ERROR_TYPE;
    if (isMissing || isLost) faults.push(tree.start[node] ?? 0);
  }
  return Int32Array.from(faults);
}

function finder(faults: Int32Array): IsFaulty {
  return (from, to) => {
    let low = 0;
    let high = faults.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((faults[middle] ?? Infinity) < from) low = middle + 1;
      else high = middle;
    }
    return (faults[low] ?? Infinity) <= to;
  };
}
