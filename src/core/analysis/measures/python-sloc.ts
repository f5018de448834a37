import type { Source } from "../source.js";
import type { FlatTree } from "../tree/flat-tree.js";
import { plainStringOf } from "./python-strings.js";
import { BLANK, splitStarts, tokenLines } from "./python-tokens.js";

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
