import { ERROR_TYPE, type FlatTree } from "../../tree/flat-tree.js";
import { Bindings } from "./bindings.js";

/** A syntax tree under rules, and what the rule at work has bound its metavariables to. */
export class Subject {
  bindings = new Bindings();
  /** Whether the whole text is. */
  readonly isAscii: boolean;
  #previous: Int32Array | undefined;

  constructor(readonly tree: FlatTree) {
    this.isAscii = /^[\0-\x7f]*$/u.test(tree.source.text);
  }

  /** What `test` says while nothing is bound; its own bindings are dropped. */
  apart(test: () => boolean): boolean {
    const before = this.bindings;
    this.bindings = new Bindings();
    try {
      return test();
    } finally {
      this.bindings = before;
    }
  }

  /** Whether a node is more than a token; what the parser could not read is. */
  isNamed(node: number): boolean {
    return this.tree.isNamed(node) || this.tree.typeOf(node) === ERROR_TYPE;
  }

  isComment(node: number): boolean {
    return this.tree.grammar.comments[this.tree.typeOf(node)] === 1;
  }

  /** The sibling before a node; −1 when it is the first. */
  previous(node: number): number {
    this.#previous ??= previousSiblings(this.tree);
    return this.#previous[node] ?? -1;
  }

  /** The sibling behind a node; −1 when it is the last. */
  following(node: number): number {
    const { tree } = this;
    const parent = tree.parentOf(node);
    const next = tree.after(node);
    return parent >= 0 && next < tree.after(parent) ? next : -1;
  }

  /** The first child of a node with a field's name; −1 when there is none. */
  childOfField(node: number, field: number): number {
    const { tree } = this;
    const end = tree.after(node);
    for (let child = node + 1; child < end; child = tree.after(child)) {
      if (tree.field[child] === field) return child;
    }
    return -1;
  }

  /** Whether two nodes have the same code: leaves by their text, others by their type and children. */
  isSame(a: number, b: number): boolean {
    if (a === b) return true;
    if (this.#isNamedLeaf(a) || this.#isNamedLeaf(b)) return this.#haveSameText(a, b);
    const { tree } = this;
    if (tree.typeOf(a) !== tree.typeOf(b)) return false;
    let left = a + 1;
    let right = b + 1;
    while (left < tree.after(a) && right < tree.after(b)) {
      if (!this.isSame(left, right)) return false;
      left = tree.after(left);
      right = tree.after(right);
    }
    return left === tree.after(a) && right === tree.after(b);
  }

  /** Whether the text of a node is `text`. */
  reads(node: number, text: string): boolean {
    const { start, end, source } = this.tree;
    const from = start[node] ?? 0;
    return (end[node] ?? 0) - from === text.length && source.text.startsWith(text, from);
  }

  #isNamedLeaf(node: number): boolean {
    const { tree } = this;
    for (let child = node + 1; child < tree.after(node); child = tree.after(child)) {
      if (this.isNamed(child)) return false;
    }
    return true;
  }

  #haveSameText(a: number, b: number): boolean {
    return this.reads(a, this.tree.text(b));
  }
}

function previousSiblings(tree: FlatTree): Int32Array {
  const previous = new Int32Array(tree.count).fill(-1);
  for (let node = 1; node < tree.count; node++) {
    const next = tree.after(node);
    if (next < tree.after(tree.parentOf(node))) previous[next] = node;
  }
  return previous;
}
