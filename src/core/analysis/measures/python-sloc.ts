import { lastAtOrBefore, type Source } from "../source.js";
import type { FlatTree } from "../tree/flat-tree.js";
import { plainStringOf, stringPrefix } from "./python-strings.js";

/**
 * Characters besides the newline at which Python's `str.splitlines` ends a line. scb-check counts the lines of tokens
 * so, and the rows of syntax nodes by newlines alone; behind such a character the two differ by one, and so do we.
 */
/* eslint-disable no-control-regex -- these are control characters */
const FURTHER_BREAKS = /[\v\f\u001c-\u001e\u0085\u2028\u2029]/;
const ALL_BREAKS = /[\n\v\f\u001c-\u001e\u0085\u2028\u2029]/g;
/** What Python takes for white space. */
const BLANK = /^[\t-\r\u001c- \u0085\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]*$/;
/* eslint-enable no-control-regex */

/** What a node type means for the lines of tokens; other types are code. */
const KINDS = {
  comment: "nothing",
  line_continuation: "nothing",
  string: "string",
  string_content: "text",
} as const;
const BRACES = ["escape_interpolation"];
const STATEMENTS = ["expression_statement"];

/**
 * Lines on which a token of the code starts, without those of free-standing strings such as docstrings. A literal over
 * several lines counts once; an f-string counts where its text resumes and where it closes, as Python 3.12 tokenizes it.
 */
export function pythonSloc(tree: FlatTree): number[] {
  const starts = splitStarts(tree.source);
  const lines = tokenLines(tree, starts);
  const isStatement = tree.grammar.mask(STATEMENTS);
  for (let node = 0; node < tree.count; node++) {
    if (isStatement[tree.typeOf(node)] !== 1) continue;
    const literal = plainStringOf(tree, node);
    if (literal === undefined || !ownsItsLines(tree, literal, starts)) continue;
    lines.fill(0, tree.firstLine(literal), tree.lastLine(literal) + 1);
  }
  const sloc: number[] = [];
  for (let line = 1; line < lines.length; line++) if (lines[line] === 1) sloc.push(line);
  return sloc;
}

/** Line → 1 when a token starts there. */
function tokenLines(tree: FlatTree, starts: Int32Array): Uint8Array {
  const kinds = tree.grammar.table(KINDS);
  const lines = new Uint8Array(starts.length + 1);
  const byRow = starts === tree.source.rowStarts;
  const mark = (node: number) => {
    lines[byRow ? tree.firstLine(node) : lastAtOrBefore(starts, tree.start[node] ?? 0) + 1] = 1;
  };
  // scb-check leaves a byte order mark in the text, and Python's tokenizer takes it for a token.
  if (tree.source.text.startsWith("\ufeff")) lines[1] = 1;
  for (let node = 0; node < tree.count;) {
    const kind = kinds[tree.typeOf(node)];
    if (kind === undefined) {
      if (isToken(tree, node)) mark(node);
      node++;
      continue;
    }
    if (kind !== "nothing") mark(node);
    if (kind === "text") markBraces(tree, node, starts, lines);
    node = kind === "string" && stringPrefix(tree, node).includes("f") ? node + 1 : tree.after(node);
  }
  return lines;
}

/** Doubled braces end one piece of an f-string's text and start the next. */
function markBraces(tree: FlatTree, content: number, starts: Int32Array, lines: Uint8Array): void {
  const brace = tree.grammar.mask(BRACES);
  for (let node = content + 1; node < tree.after(content); node++) {
    if (brace[tree.typeOf(node)] !== 1) continue;
    lines[lastAtOrBefore(starts, tree.start[node] ?? 0) + 1] = 1;
    lines[lastAtOrBefore(starts, tree.end[node] ?? 0) + 1] = 1;
  }
}

/** Whether a node is a leaf with visible text. */
function isToken(tree: FlatTree, node: number): boolean {
  const start = tree.start[node] ?? 0;
  const end = tree.end[node] ?? 0;
  if (tree.after(node) !== node + 1 || start === end) return false;
  return tree.source.text.charCodeAt(start) > 32 || !BLANK.test(tree.text(node));
}

/** Where `str.splitlines` starts lines; the rows themselves where the text has no further breaks. */
function splitStarts({ text, rowStarts }: Source): Int32Array {
  if (!FURTHER_BREAKS.test(text)) return rowStarts;
  const starts = [0];
  for (const match of text.matchAll(ALL_BREAKS)) starts.push(match.index + 1);
  return Int32Array.from(starts);
}

/** Whether nothing but white space stands before and behind a literal on its lines. */
function ownsItsLines(tree: FlatTree, literal: number, starts: Int32Array): boolean {
  const { source } = tree;
  const before = splitLine(source, starts, tree.firstLine(literal) - 1);
  const behind = splitLine(source, starts, tree.lastLine(literal) - 1);
  const startColumn = byteColumn(source, tree.firstLine(literal) - 1, tree.start[literal] ?? 0);
  const endColumn = byteColumn(source, tree.lastLine(literal) - 1, tree.end[literal] ?? 0);
  return BLANK.test(slice(before, 0, startColumn)) && BLANK.test(slice(behind, endColumn));
}

function splitLine({ text }: Source, starts: Int32Array, index: number): string {
  return index < starts.length ? text.slice(starts[index], starts[index + 1]) : "";
}

/** scb-check cuts lines at UTF-8 columns as if they were characters. */
function byteColumn({ text, rowStarts }: Source, row: number, position: number): number {
  return Buffer.byteLength(text.slice(rowStarts[row], position));
}

/** Slices by characters, not by UTF-16 units. */
function slice(text: string, start: number, end?: number): string {
  if (!/[\ud800-\udfff]/.test(text)) return text.slice(start, end);
  return Array.from(text).slice(start, end).join("");
}
