/** Which copies of clones can be compared, as plain data. */
import type { CloneInstance } from "../../core/model/quality.js";
import type { CloneMark } from "./marks.js";

/** Two copies of a clone; the first lies in the document that was asked about. */
export interface ClonePair {
  readonly own: CloneInstance;
  readonly other: CloneInstance;
}

/** More to choose from is no help. */
export const MOST_PAIRS = 200;

/** Every two copies of which one is among the marks, once each; the first of very many. @param path of the document in its report */
export function clonePairs(marks: readonly CloneMark[], path: string): ClonePair[] {
  const pairs = new Map<string, ClonePair>();
  for (const { start, end, copies } of marks) {
    if (pairs.size >= MOST_PAIRS) break;
    const own = { path, start, end };
    for (const other of copies) {
      const key = [own, other].map((one) => `${one.path}:${one.start}-${one.end}`);
      if (!pairs.has(key.toReversed().join("\n"))) pairs.set(key.join("\n"), { own, other });
    }
  }
  return [...pairs.values()];
}

/** Lines without the white space that all of them begin with. */
export function dedent(lines: readonly string[]): string[] {
  const indents = lines
    .filter((line) => line.trim() !== "")
    .map((line) => line.length - line.trimStart().length);
  const common = indents.length === 0 ? 0 : Math.min(...indents);
  return lines.map((line) => line.slice(Math.min(common, line.length - line.trimStart().length)));
}

/** `24–26`, `24`. */
export function lineSpan(start: number, end: number): string {
  return start === end ? String(start) : `${start}–${end}`;
}
