import type { CloneInstance } from "../model/quality.js";

/** Bits of a line. */
export const CODE = 1;
export const CLONE = 2;
export const MATCH = 4;
export const STRUCTURE = 8;

/** The lines of each file with a bit for each reason to flag them. */
export class LineMarks {
  readonly #files = new Map<string, Uint8Array>();

  /** @param sloc ascending numbers of the file's lines of code */
  addFile(path: string, sloc: readonly number[]): void {
    const marks = new Uint8Array((sloc.at(-1) ?? 0) + 1);
    for (const line of sloc) marks[line] = CODE;
    this.#files.set(path, marks);
  }

  /** Marks the lines of code within a span; spans of other files are passed over. */
  add(span: CloneInstance, bit: number): void {
    const marks = this.#files.get(span.path);
    if (marks === undefined) return;
    const last = Math.min(span.end, marks.length - 1);
    for (let line = span.start; line <= last; line++) {
      const mark = marks[line] ?? 0;
      if (mark !== 0) marks[line] = mark | bit;
    }
  }

  /** Mark → number of lines in these files that have it. */
  counts(files: readonly { readonly path: string }[]): Int32Array {
    const counts = new Int32Array(2 * STRUCTURE);
    for (const { path } of files) {
      for (const mark of this.#files.get(path) ?? []) counts[mark] = (counts[mark] ?? 0) + 1;
    }
    return counts;
  }
}

/** Number of lines with one of the bits. */
export function withAny(counts: Int32Array, bits: number): number {
  return counts.reduce((sum, count, mark) => ((mark & bits) === 0 ? sum : sum + count), 0);
}
