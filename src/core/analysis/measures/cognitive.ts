import type { FlatTree } from "../tree/flat-tree.js";

/**
 * Cognitive complexity of a callable as scb-check defines it: a branch adds 1 plus its nesting depth, where `elif` and
 * `else` lie one deeper than their `if`; `and`/`or` and jumps add 1.
 */
export function cognitiveComplexity(tree: FlatTree, callable: number): number {
  const { cognitive } = tree.grammar.language;
  const nesting = tree.grammar.mask(cognitive.nesting);
  const flat = tree.grammar.mask(cognitive.flat);
  const jump = tree.grammar.mask(cognitive.jumps);
  const end = tree.after(callable);
  const nested = new Nesting();
  let score = 0;
  for (let node = callable + 1; node < end;) {
    const type = tree.typeOf(node);
    const after = tree.after(node);
    if (nesting[type] === 1) {
      score += 1 + nested.depthAt(node);
      nested.open(after);
    } else if (flat[type] === 1 || jump[type] === 1) {
      score++;
    }
    node = jump[type] === 1 ? after : node + 1;
  }
  return score;
}

/** Ends of the subtrees that are open, innermost last. */
class Nesting {
  readonly #ends: number[] = [];

  open(end: number): void {
    this.#ends.push(end);
  }

  depthAt(node: number): number {
    while ((this.#ends.at(-1) ?? Infinity) <= node) this.#ends.pop();
    return this.#ends.length;
  }
}
