import type { IsFaulty } from "../tree/repair.js";
import { blank, endOfLine } from "./blanks.js";

interface Span {
  readonly from: number;
  readonly to: number;
}

/** The directives of an `#if` in their order, its `#endif` last. */
type Group = readonly Span[];

const DIRECTIVE = /^[ \t]*#[ \t]*(if|ifdef|ifndef|elif|elifdef|elifndef|else|endif)\b(?:\\\n|.)*$/gm;
/** Comments and literals. */
const SILENT = /\/\*[^]*?\*\/|\/\/.*|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])+'/g;
/** Longer branches stand for themselves as a rule, unless a brace opens in one and closes elsewhere. */
const SHORT = 20;

/**
 * Blanks the directives, and the branches behind the first, of each `#if` that seems to part a statement where the
 * parser lost its way. Where it parts none, all branches are read.
 */
export function readFirstBranches(text: string, isFaulty: IsFaulty): string {
  let read = text;
  // Inner groups come before those around them.
  for (const group of groupsOf(text)) {
    const [first, second] = group;
    const last = group.at(-1);
    if (first === undefined || second === undefined || last === undefined) continue;
    if (!isFaulty(first.from, endOfLine(text, last.to + 1)) || !partsStatement(read, group)) continue;
    read = blankOut(blankOut(read, first), { from: second.from, to: last.to });
  }
  return read;
}

function groupsOf(text: string): Group[] {
  const open: Span[][] = [];
  const groups: Group[] = [];
  for (const { 0: line, 1: word = "", index } of text.matchAll(DIRECTIVE)) {
    if (word.startsWith("if")) open.push([]);
    open.at(-1)?.push({ from: index, to: index + line.length });
    const closed = word === "endif" ? open.pop() : undefined;
    if (closed !== undefined) groups.push(closed);
  }
  return groups;
}

function partsStatement(text: string, group: Group): boolean {
  const branches = group.slice(1).map(({ from }, index) => text.slice(group[index]?.to, from));
  return branches.join("").split("\n").length <= SHORT || !branches.every(isBalanced);
}

function isBalanced(text: string): boolean {
  const code = text.replace(SILENT, "");
  return code.split("{").length === code.split("}").length;
}

function blankOut(text: string, { from, to }: Span): string {
  return text.slice(0, from) + blank(text.slice(from, to)) + text.slice(to);
}
