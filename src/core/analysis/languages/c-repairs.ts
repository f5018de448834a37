import type { IsFaulty, Repair } from "../tree/repair.js";
import { blank, endOfLine } from "./blanks.js";
import { readFirstBranches } from "./c-conditionals.js";

const ARGUMENTS = String.raw`\((?:[^();{}]|\((?:[^();{}]|\([^();{}]*\))*\))*\)`;
/** A macro by its customary name, in capitals; with an underscore where a type may stand in its place. */
const MACRO = String.raw`\b[A-Z][A-Z0-9_]+\b`;
const LONG_MACRO = String.raw`\b[A-Z][A-Z0-9]*_[A-Z0-9_]*\b`;

/** `class MACRO Name {` */
const BEFORE_CLASS = new RegExp(
  String.raw`(?<=\b(?:class|struct|union)\s+)(?:${MACRO}(?:\s*${ARGUMENTS})?\s+)+(?=[A-Za-z_]\w*\s*(?:final\s*)?[:{])`,
  "g",
);
/** `f(…) const MACRO(…) {` */
const BEHIND_FUNCTION = new RegExp(
  String.raw`(?<=\)\s*(?:(?:const|noexcept|override|final)\s+)*)(?:${LONG_MACRO}(?:\s*${ARGUMENTS})?\s*)+(?=[;{]|=\s*0)`,
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
  (text: string): string => text.replace(BEFORE_CLASS, blank),
  (text: string, isFaulty: IsFaulty): string => blankNearFaults(text, BEHIND_FUNCTION, isFaulty),
  (text: string, isFaulty: IsFaulty): string => blankNearFaults(text, BEFORE_DECLARATION, isFaulty),
  readFirstBranches,
];

function blankNearFaults(text: string, pattern: RegExp, isFaulty: IsFaulty): string {
  return text.replace(pattern, (found: string, at: number) => {
    const lineStart = text.lastIndexOf("\n", at) + 1;
    if (/^\s*#/.test(text.slice(lineStart, at))) return found;
    const from = text.lastIndexOf("\n", lineStart - 2) + 1;
    const lineEnd = endOfLine(text, at + found.length);
    return isFaulty(from, endOfLine(text, lineEnd + 1)) ? blank(found) : found;
  });
}
