import { rowAt } from "../source.js";
import type { FlatTree } from "../tree/flat-tree.js";
import { CodeText } from "./code-text.js";
import type { LineCount } from "./line-count.js";

interface Piece {
  readonly start: number;
  readonly end: number;
}

/** Counts the lines of a callable on which code of its own stands, not only of callables inside it. */
export class OwnLines {
  #code: CodeText | undefined;

  constructor(
    private readonly tree: FlatTree,
    private readonly lines: LineCount,
  ) {}

  /**
   * @param start position at which the callable begins
   * @param end position behind its last unit
   * @param inner nodes of the callables directly inside, in source order
   */
  count(start: number, end: number, inner: readonly number[]): number {
    const { source } = this.tree;
    let count = this.lines.within(rowAt(source, start) + 1, rowAt(source, end) + 1);
    const pieces = inner.map((node) => ({
      start: this.tree.start[node] ?? 0,
      end: this.tree.end[node] ?? 0,
    }));
    const edges = new Set<number>();
    for (const piece of pieces) {
      const first = rowAt(source, piece.start);
      const last = rowAt(source, piece.end);
      // Lines are rows + 1, so these are the lines between the first and the last.
      if (last > first) count -= this.lines.within(first + 2, last);
      edges.add(first).add(last);
    }
    for (const row of edges) {
      if (this.lines.within(row + 1, row + 1) === 1 && !this.#shows(row, start, end, pieces)) count--;
    }
    return count;
  }

  /** Whether code within the callable and outside all pieces stands on a row. */
  #shows(row: number, start: number, end: number, pieces: readonly Piece[]): boolean {
    this.#code ??= new CodeText(this.tree);
    const stop = Math.min(end, this.#code.rowStart(row + 1));
    let at = Math.max(start, this.#code.rowStart(row));
    for (const piece of pieces) {
      if (piece.end <= at) continue;
      if (piece.start >= stop) break;
      if (this.#code.hasCode(at, piece.start)) return true;
      at = piece.end;
    }
    return this.#code.hasCode(at, stop);
  }
}
