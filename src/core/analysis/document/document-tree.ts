import { Edit, type Tree } from "web-tree-sitter";
import { toSource, type Source } from "../source.js";
import type { FlatTree } from "../tree/flat-tree.js";
import { isRefused, type ReadyGrammar } from "../tree/parsers.js";
import { repaired } from "../tree/repair.js";
import { replacementBetween, rowChange, type Replacement } from "./change.js";
import { TreeLayout } from "./layout.js";

/** How many trees are held by all documents together. They are memory of the parser, which nothing frees but `close`. */
let held = 0;

export function heldTrees(): number {
  return held;
}

/** The syntax tree of a document, parsed again from its last state after each edit. */
export class DocumentTree {
  readonly #layout: TreeLayout;
  #source: Source | undefined;
  #tree: Tree | undefined;
  /** The tree that was laid out last, whose addresses the layout goes by. */
  #laid: Tree | undefined;

  constructor(private readonly ready: ReadyGrammar) {
    this.#layout = new TreeLayout(ready.grammar);
  }

  /**
   * Brings the tree up to the text.
   * @returns a tree that holds until the call after the next; undefined when syntax errors keep it from being measured
   */
  update(text: string): FlatTree | undefined {
    const source = toSource(text);
    const tree = this.#parse(source);
    if (tree === undefined || isRefused(tree, this.ready.grammar.language)) return undefined;
    const flat = this.#layout.lay(this.ready.walk(tree), source);
    if (this.#laid !== undefined && this.#laid !== tree) release(this.#laid);
    this.#laid = tree;
    return tree.rootNode.hasError ? repaired(flat, this.ready) : flat;
  }

  close(): void {
    if (this.#tree !== undefined) release(this.#tree);
    if (this.#laid !== undefined && this.#laid !== this.#tree) release(this.#laid);
    this.#tree = undefined;
    this.#laid = undefined;
    this.#source = undefined;
  }

  #parse(source: Source): Tree | undefined {
    const before = this.#source;
    const old = this.#tree;
    const change = before === undefined ? undefined : replacementBetween(before.text, source.text);
    if (old !== undefined && before !== undefined) {
      if (change === undefined) return old;
      old.edit(editOf(change, before, source));
    }
    const tree = this.ready.parser.parse(source.text, old) ?? undefined;
    if (old !== undefined && old !== this.#laid) release(old);
    if (tree !== undefined) held++;
    this.#tree = tree;
    this.#source = source;
    return tree;
  }
}

function release(tree: Tree): void {
  tree.delete();
  held--;
}

function editOf(change: Replacement, before: Source, after: Source): Edit {
  const { start, oldEnd, newEnd } = rowChange(change, before, after);
  return new Edit({
    startIndex: change.start,
    oldEndIndex: change.oldEnd,
    newEndIndex: change.newEnd,
    startPosition: start,
    oldEndPosition: oldEnd,
    newEndPosition: newEnd,
  });
}
