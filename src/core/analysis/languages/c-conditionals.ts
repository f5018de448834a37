import type { IsFaulty } from "../tree/repair.js";
import { blank } from "./blanks.js";

/** Rows of a directive and of what its backslashes join to it; both ends inclusive. */
interface Directive {
  readonly first: number;
  readonly last: number;
}

/** The directives of an `#if` in their order, its `#endif` last. */
type Group = readonly Directive[];

const DIRECTIVE = /^[ \t]*#[ \t]*(if|ifdef|ifndef|elif|elifdef|elifndef|else|endif)\b/;
/** Comments and literals. */
const SILENT = /\/\*[^]*?\*\/|\/\/.*|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])+'/g;
/** Branches of more lines stand for themselves as a rule, unless a brace opens in one and closes elsewhere. */
const SHORT = 20;
/** An `#if` around more lines is never within a statement. */
const LONGEST = 1000;

/**
 * Blanks the directives, and the branches behind the first, of each `#if` that seems to part a statement where the
 * parser lost its way. Where it parts none, all branches are read.
 */
export function readFirstBranches(text: string, isFaulty: IsFaulty): string {
  const lines = text.split("\n");
  const starts = startsOf(lines);
  // Inner groups come before those around them.
  for (const group of groupsOf(lines)) {
    const [first, second] = group;
    const last = group.at(-1);
    if (first === undefined || second === undefined || last === undefined) continue;
    const end = starts[last.last + 2] ?? text.length;
    if (!isFaulty(starts[first.first] ?? 0, end) || !partsStatement(lines, group)) continue;
    blankRows(lines, first.first, first.last);
    blankRows(lines, second.first, last.last);
  }
  return lines.join("\n");
}

function startsOf(lines: readonly string[]): number[] {
  let at = 0;
  return lines.map((line) => {
    const start = at;
    at += line.length + 1;
    return start;
  });
}

function groupsOf(lines: readonly string[]): Group[] {
  const open: Directive[][] = [];
  const groups: Group[] = [];
  for (const [row, line] of lines.entries()) {
    const word = DIRECTIVE.exec(line)?.[1];
    if (word === undefined) continue;
    if (word.startsWith("if")) open.push([]);
    open.at(-1)?.push({ first: row, last: lastRow(lines, row) });
    const closed = word === "endif" ? open.pop() : undefined;
    if (closed !== undefined) groups.push(closed);
  }
  return groups;
}

function lastRow(lines: readonly string[], first: number): number {
  let row = first;
  while (lines[row]?.endsWith("\\") === true && row + 1 < lines.length) row++;
  return row;
}

function partsStatement(lines: readonly string[], group: Group): boolean {
  const height = (group.at(-1)?.first ?? 0) - (group[0]?.first ?? 0);
  if (height > LONGEST) return false;
  const branches = group
    .slice(1)
    .map(({ first }, index) => lines.slice((group[index]?.last ?? 0) + 1, first));
  return height <= SHORT || !branches.every((branch) => isBalanced(branch.join("\n")));
}

function isBalanced(text: string): boolean {
  const code = text.replace(SILENT, "");
  return code.split("{").length === code.split("}").length;
}

function blankRows(lines: string[], first: number, last: number): void {
  for (let row = first; row <= last; row++) lines[row] = blank(lines[row] ?? "");
}
