import { rowAt, type Source } from "../source.js";
import type { Grammar } from "./grammar.js";

/** Type number of what the parser could not make sense of; no grammar has a name for it. */
export const ERROR_TYPE = 0xffff;

/**
 * A syntax tree laid out in arrays, nodes in source order (parents before children). Measures walk it with plain
 * loops, however deep it is nested, and nothing has to be freed.
 */
export class FlatTree {
  constructor(
    readonly grammar: Grammar,
    readonly source: Source,
    readonly count: number,
    /** Node → type number. */
    readonly type: Uint16Array,
    /** Node → position of its first unit. */
    readonly start: Int32Array,
    /** Node → position behind its last unit. */
    readonly end: Int32Array,
    /** Node → 0-based row of its start. */
    readonly row: Int32Array,
    /** Node → number of the field of its parent that it is in; 0 when it is in none. */
    readonly field: Uint8Array,
    /** Node → its parent; −1 for the root. */
    readonly parent: Int32Array,
    /** Node → number of ancestors. */
    readonly depth: Int32Array,
    /** Node → the first node behind its subtree. */
    readonly next: Int32Array,
  ) {}

  typeOf(node: number): number {
    return this.type[node] ?? 0;
  }

  nameOf(node: number): string {
    return this.grammar.names[this.typeOf(node)] ?? "";
  }

  isNamed(node: number): boolean {
    return this.grammar.named[this.typeOf(node)] === 1;
  }

  /** First node behind the subtree of `node`. */
  after(node: number): number {
    return this.next[node] ?? this.count;
  }

  parentOf(node: number): number {
    return this.parent[node] ?? -1;
  }

  text(node: number): string {
    return this.source.text.slice(this.start[node], this.end[node]);
  }

  /** 1-based first line. */
  firstLine(node: number): number {
    return (this.row[node] ?? 0) + 1;
  }

  /** 1-based last line. */
  lastLine(node: number): number {
    return rowAt(this.source, this.end[node] ?? 0) + 1;
  }

  /** Children in source order, named and unnamed. */
  children(node: number): number[] {
    const children: number[] = [];
    const end = this.after(node);
    for (let child = node + 1; child < end; child = this.after(child)) children.push(child);
    return children;
  }

  namedChildren(node: number): number[] {
    return this.children(node).filter((child) => this.isNamed(child));
  }

  /** The first child of a type in `mask`, or undefined. */
  firstChild(node: number, mask: Uint8Array): number | undefined {
    const end = this.after(node);
    for (let child = node + 1; child < end; child = this.after(child)) {
      if (mask[this.typeOf(child)] === 1) return child;
    }
    return undefined;
  }

  /** All nodes of a type in `mask`, in source order. */
  nodesOf(mask: Uint8Array): number[] {
    const nodes: number[] = [];
    const { type, count } = this;
    for (let node = 0; node < count; node++) if (mask[type[node] ?? 0] === 1) nodes.push(node);
    return nodes;
  }
}
