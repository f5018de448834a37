import { lastAtOrBefore } from "../source.js";
import type { FlatTree } from "../tree/flat-tree.js";

/** Characters that make no line of code by themselves: white space and `{ } [ ] ( ) ; , :`. */
const SILENT = /[\s\ufeff{}[\]();,:]/;
const ASCII = 128;
const SILENT_ASCII = Uint8Array.from({ length: ASCII }, (_, code) =>
  Number(SILENT.test(String.fromCharCode(code))),
);

/**
 * The text of a file without its comments (the language's `extras`). A line is one of code when something other than
 * white space, brackets, commas, semicolons and colons is left on it: scb-check 0.2.0's definition outside Python.
 */
export class CodeText {
  readonly #text: string;
  readonly #rowStarts: Int32Array;
  /** Comments in source order, none inside another. */
  readonly #commentStarts: Int32Array;
  readonly #commentEnds: Int32Array;

  constructor(tree: FlatTree) {
    this.#text = tree.source.text;
    this.#rowStarts = tree.source.rowStarts;
    const isComment = tree.grammar.mask(tree.grammar.language.extras);
    const comments: number[] = [];
    let behind = 0;
    for (const node of tree.nodesOf(isComment)) {
      if (node < behind) continue;
      comments.push(node);
      behind = tree.after(node);
    }
    this.#commentStarts = Int32Array.from(comments, (node) => tree.start[node] ?? 0);
    this.#commentEnds = Int32Array.from(comments, (node) => tree.end[node] ?? 0);
  }

  /** Ascending 1-based numbers of the lines of code. */
  lines(): number[] {
    const lines: number[] = [];
    for (let row = 0; row < this.#rowStarts.length; row++) {
      if (this.hasCode(this.rowStart(row), this.rowStart(row + 1))) lines.push(row + 1);
    }
    return lines;
  }

  /** Whether there is code from position `from` up to, not including, `to`. */
  hasCode(from: number, to: number): boolean {
    let comment = this.#commentStarts.length === 0 ? 0 : lastAtOrBefore(this.#commentStarts, from);
    let at = from;
    while (at < to) {
      if ((this.#commentEnds[comment] ?? Infinity) <= at) {
        comment++;
        continue;
      }
      const stop = Math.min(this.#commentStarts[comment] ?? Infinity, to);
      for (; at < stop; at++) if (!this.#isSilent(at)) return true;
      at = Math.max(at, stop < to ? (this.#commentEnds[comment] ?? to) : to);
    }
    return false;
  }

  /** Position of the first unit of a 0-based row; the text's length behind the last. */
  rowStart(row: number): number {
    return this.#rowStarts[row] ?? this.#text.length;
  }

  #isSilent(at: number): boolean {
    const code = this.#text.charCodeAt(at);
    return code < ASCII ? SILENT_ASCII[code] === 1 : SILENT.test(this.#text.charAt(at));
  }
}

/** Lines of code of a file by {@link CodeText}: what languages other than Python have for `sloc`. */
export function codeLines(tree: FlatTree): number[] {
  return new CodeText(tree).lines();
}
