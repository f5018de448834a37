import { lastAtOrBefore, type Source } from "../source.js";
import type { FlatTree } from "../tree/flat-tree.js";
import { stringPrefix } from "./python-strings.js";

/**
 * Characters besides the newline at which Python's `str.splitlines` ends a line. scb-check counts the lines of tokens
 * so, and the rows of syntax nodes by newlines alone; behind such a character the two differ by one, and so do we.
 */
/* eslint-disable no-control-regex -- these are control characters */
const FURTHER_BREAKS = /[\v\f\u001c-\u001e\u0085\u2028\u2029]/;
const ALL_BREAKS = /[\n\v\f\u001c-\u001e\u0085\u2028\u2029]/g;
/** What Python takes for white space. */
export const BLANK = /^[\t-\r\u001c- \u0085\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]*$/;
/* eslint-enable no-control-regex */
/** Byte order mark, word joiner, zero-width space: blanks for tree-sitter, tokens for Python. */
const INVISIBLE = /[\ufeff\u2060\u200b]/g;

/** What a node type means for the lines of tokens; other types are code. */
const KINDS = {
  comment: "comment",
  line_continuation: "nothing",
  string: "string",
  string_content: "text",
} as const;
type Kind = (typeof KINDS)[keyof typeof KINDS];
const BRACES = ["escape_interpolation"];

/** Where `str.splitlines` starts lines; the rows themselves where the text has no further breaks. */
export function splitStarts({ text, rowStarts }: Source): Int32Array {
  if (!FURTHER_BREAKS.test(text)) return rowStarts;
  const starts = [0];
  for (const match of text.matchAll(ALL_BREAKS)) starts.push(match.index + 1);
  return Int32Array.from(starts);
}

/** Line → 1 when a token starts there, as Python 3.12 and later tokenize. */
export function tokenLines(tree: FlatTree, starts: Int32Array): Uint8Array {
  const lines = new Lines(tree, starts);
  lines.markNodes();
  lines.markInvisible();
  return lines.lines;
}

class Lines {
  readonly lines: Uint8Array;
  readonly #kinds: readonly (Kind | undefined)[];
  readonly #byRow: boolean;

  constructor(
    private readonly tree: FlatTree,
    private readonly starts: Int32Array,
  ) {
    this.lines = new Uint8Array(starts.length + 1);
    this.#kinds = tree.grammar.table(KINDS);
    this.#byRow = starts === tree.source.rowStarts;
  }

  markNodes(): void {
    const { tree } = this;
    for (let node = 0; node < tree.count;) {
      const kind = this.#kinds[tree.typeOf(node)];
      if (kind === undefined) {
        if (this.#isToken(node)) this.#markStart(node);
        node++;
      } else {
        this.#markSpecial(node, kind);
        node = kind === "string" && this.#isFormatted(node) ? node + 1 : tree.after(node);
      }
    }
  }

  #markSpecial(node: number, kind: Kind): void {
    if (kind === "comment" && !this.#byRow) this.#markBehindComment(node);
    if (kind === "comment" || kind === "nothing") return;
    this.#markStart(node);
    if (kind === "text") this.#markBraces(node);
  }

  /** Characters that are a token of their own wherever no other token, comment or literal holds them. */
  markInvisible(): void {
    const { tree } = this;
    let node = 0;
    for (const { index } of tree.source.text.matchAll(INVISIBLE)) {
      node = this.#endingBehind(node, index);
      while (this.#startsUpTo(node, index) && !this.#isSolid(node))
        node = this.#endingBehind(node + 1, index);
      if (!this.#startsUpTo(node, index)) this.#markAt(index);
    }
  }

  /** The first subtree from `node` on that ends behind a position. */
  #endingBehind(node: number, position: number): number {
    let next = node;
    while (next < this.tree.count && (this.tree.end[next] ?? 0) <= position) next = this.tree.after(next);
    return next;
  }

  #startsUpTo(node: number, position: number): boolean {
    return node < this.tree.count && (this.tree.start[node] ?? 0) <= position;
  }

  #isSolid(node: number): boolean {
    if (this.tree.after(node) === node + 1) return true;
    const kind = this.#kinds[this.tree.typeOf(node)];
    return kind !== undefined && !(kind === "string" && this.#isFormatted(node));
  }

  #isFormatted(literal: number): boolean {
    return stringPrefix(this.tree, literal).includes("f");
  }

  /** Whether a node is a leaf with visible text. */
  #isToken(node: number): boolean {
    const { tree } = this;
    const start = tree.start[node] ?? 0;
    if (tree.after(node) !== node + 1 || start === (tree.end[node] ?? 0)) return false;
    return tree.source.text.charCodeAt(start) > 32 || !BLANK.test(tree.text(node));
  }

  /** Doubled braces end one piece of an f-string's text and start the next. */
  #markBraces(content: number): void {
    const { tree } = this;
    const brace = tree.grammar.mask(BRACES);
    for (let node = content + 1; node < tree.after(content); node++) {
      if (brace[tree.typeOf(node)] !== 1) continue;
      this.#markAt(tree.start[node] ?? 0);
      this.#markAt(tree.end[node] ?? 0);
    }
  }

  /** A comment ends where the line does; what stands behind a further break is code for Python. */
  #markBehindComment(comment: number): void {
    const text = this.tree.text(comment);
    let [line, at] = ["", this.tree.start[comment] ?? 0];
    for (const [index, next] of text.split(ALL_BREAKS).entries()) {
      at += index === 0 ? 0 : line.length + 1;
      line = next;
      if (index > 0 && !BLANK.test(line) && !line.trimStart().startsWith("#")) this.#markAt(at);
    }
  }

  #markStart(node: number): void {
    if (this.#byRow) this.lines[this.tree.firstLine(node)] = 1;
    else this.#markAt(this.tree.start[node] ?? 0);
  }

  #markAt(position: number): void {
    this.lines[lastAtOrBefore(this.starts, position) + 1] = 1;
  }
}
