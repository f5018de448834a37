import type { Tree } from "web-tree-sitter";
import type { Source } from "../source.js";
import { FlatTree } from "./flat-tree.js";
import type { Grammar } from "./grammar.js";

/** A position in a tree that moves in source order, as tree-sitter's cursor does. */
export interface Walk {
  /** Writes the node under the cursor to `record` as (type, start, end, field). */
  read(record: (type: number, start: number, end: number, field: number) => void): void;
  /** Identity of the node under the cursor: the same in two trees when one was parsed anew from the other. */
  id(): number;
  toFirstChild(): boolean;
  toNextSibling(): boolean;
  toParent(): boolean;
  close(): void;
}

/** Copies a tree into arrays. The tree may be deleted afterwards. */
export function flatten(walk: Walk, grammar: Grammar, source: Source): FlatTree {
  const arrays = new TreeArrays(source.text.length / 3 + 64);
  const open: number[] = [];
  const record = (type: number, start: number, end: number, field: number) => {
    open[depth] = arrays.add(type, start, end, field, open[depth - 1] ?? -1, depth);
  };
  let depth = 0;
  try {
    for (;;) {
      walk.read(record);
      if (walk.toFirstChild()) {
        depth++;
        continue;
      }
      arrays.close(open[depth] ?? 0);
      while (!walk.toNextSibling()) {
        if (!walk.toParent()) return arrays.toTree(grammar, source);
        depth--;
        arrays.close(open[depth] ?? 0);
      }
    }
  } finally {
    walk.close();
  }
}

/** Growing arrays, one entry a node. */
export class TreeArrays {
  #count = 0;
  #type: Uint16Array;
  #start: Int32Array;
  #end: Int32Array;
  #field: Uint8Array;
  #parent: Int32Array;
  #depth: Int32Array;
  #next: Int32Array;

  constructor(capacity: number) {
    const size = Math.ceil(capacity);
    this.#type = new Uint16Array(size);
    this.#start = new Int32Array(size);
    this.#end = new Int32Array(size);
    this.#field = new Uint8Array(size);
    this.#parent = new Int32Array(size);
    this.#depth = new Int32Array(size);
    this.#next = new Int32Array(size);
  }

  /** @returns the number of the new node */
  add(type: number, start: number, end: number, field: number, parent: number, depth: number): number {
    const node = this.#count++;
    if (node >= this.#type.length) this.#grow();
    this.#type[node] = type;
    this.#start[node] = start;
    this.#end[node] = end;
    this.#field[node] = field;
    this.#parent[node] = parent;
    this.#depth[node] = depth;
    return node;
  }

  /** Ends the subtree of a node at the last node added. */
  close(node: number): void {
    this.#next[node] = this.#count;
  }

  toTree(grammar: Grammar, source: Source): FlatTree {
    const row = rowsOf(this.#start, this.#count, source);
    return new FlatTree(
      grammar,
      source,
      this.#count,
      this.#type,
      this.#start,
      this.#end,
      row,
      this.#field,
      this.#parent,
      this.#depth,
      this.#next,
    );
  }

  #grow(): void {
    const grown = new TreeArrays(this.#type.length * 2);
    grown.#type.set(this.#type);
    grown.#start.set(this.#start);
    grown.#end.set(this.#end);
    grown.#field.set(this.#field);
    grown.#parent.set(this.#parent);
    grown.#depth.set(this.#depth);
    grown.#next.set(this.#next);
    this.#type = grown.#type;
    this.#start = grown.#start;
    this.#end = grown.#end;
    this.#field = grown.#field;
    this.#parent = grown.#parent;
    this.#depth = grown.#depth;
    this.#next = grown.#next;
  }
}

/** Rows of ascending positions, in one pass. */
function rowsOf(start: Int32Array, count: number, { rowStarts }: Source): Int32Array {
  const rows = new Int32Array(count);
  let row = 0;
  for (let node = 0; node < count; node++) {
    const position = start[node] ?? 0;
    while (row + 1 < rowStarts.length && (rowStarts[row + 1] ?? Infinity) <= position) row++;
    rows[node] = row;
  }
  return rows;
}

/** A walk through tree-sitter's public cursor. */
export function cursorWalk(tree: Tree): Walk {
  const cursor = tree.walk();
  return {
    read: (record) => {
      record(cursor.nodeTypeId, cursor.startIndex, cursor.endIndex, cursor.currentFieldId);
    },
    id: () => cursor.nodeId,
    toFirstChild: () => cursor.gotoFirstChild(),
    toNextSibling: () => cursor.gotoNextSibling(),
    toParent: () => cursor.gotoParent(),
    close: () => {
      cursor.delete();
    },
  };
}
