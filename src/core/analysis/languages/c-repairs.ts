import { lastAtOrBefore, toSource } from "../source.js";
import type { IsFaulty, Repair } from "../tree/repair.js";
import { blank } from "./blanks.js";
import { readFirstBranches } from "./c-conditionals.js";

const ARGUMENTS = String.raw`\((?:[^();{}]|\((?:[^();{}]|\([^();{}]*\))*\))*\)`;
/** A macro by its customary name, in capitals; with an underscore where a type may stand in its place. */
const MACRO = String.raw`\b[A-Z][A-Z0-9_]+\b`;
const LONG_MACRO = String.raw`\b[A-Z][A-Z0-9]*_[A-Z0-9_]*\b`;

const DIRECTIVE = /^[ \t]*#/;
const LONGEST_INDENT = 200;

/** `class MACRO Name {` */
const BEFORE_CLASS = new RegExp(
  String.raw`(?=[A-Z])(?<=\b(?:class|struct|union)\s{1,99})(?:${MACRO}(?:\s*${ARGUMENTS})?\s+){1,9}(?=[A-Za-z_]\w*\s*(?:final\s*)?[:{])`,
  "g",
);
/** `f(…) const MACRO(…) {` */
const BEHIND_FUNCTION = new RegExp(
  String.raw`(?=[A-Z])(?<=\)\s{0,99}(?:(?:const|noexcept|override|final)\s{1,99}){0,3})(?:${LONG_MACRO}(?:\s*${ARGUMENTS})?\s*){1,9}(?=[;{]|=\s*0)`,
  "g",
);
/** `MACRO type name` */
const BEFORE_DECLARATION = new RegExp(
  String.raw`(?<![\w.>"'])${LONG_MACRO}(?:${ARGUMENTS})?(?=\s+[\w~*[])`,
  "g",
);

/**
 * What the preprocessor would take away from C and C++ and may keep the parser from reading: macros in place of
 * attributes, and the branches of an `#if` that parts a statement.
 */
export const C_REPAIRS: readonly Repair[] = [
  (text: string, isFaulty: IsFaulty): string =>
    blankNearFaults(text.replace(BEFORE_CLASS, blank), BEHIND_FUNCTION, isFaulty),
  // A type may be written like a macro, so this one stands for itself: it counts when there are fewer errors.
  (text: string, isFaulty: IsFaulty): string => blankNearFaults(text, BEFORE_DECLARATION, isFaulty),
  readFirstBranches,
];

function blankNearFaults(text: string, pattern: RegExp, isFaulty: IsFaulty): string {
  const { rowStarts } = toSource(text);
  return text.replace(pattern, (found: string, at: number) => {
    const row = lastAtOrBefore(rowStarts, at);
    const start = rowStarts[row] ?? 0;
    if (DIRECTIVE.test(text.slice(start, Math.min(at, start + LONGEST_INDENT)))) return found;
    const from = rowStarts[row - 1] ?? start;
    const to = rowStarts[lastAtOrBefore(rowStarts, at + found.length) + 2] ?? text.length;
    return isFaulty(from, to) ? blank(found) : found;
  });
}
