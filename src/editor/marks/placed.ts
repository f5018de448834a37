/** Where marks are drawn, by kind of decoration. Lines and columns are 0-based, as VS Code counts. */
import { BAR_SHAPES, barShape, type BarShape } from "./clone-bar.js";
import { isEdited, moveLine, type LineEdit } from "./line-edits.js";
import type { Marks } from "./marks.js";

export type DecorationName = "complexity" | "verbosity" | BarShape;
export const DECORATION_NAMES: readonly DecorationName[] = ["complexity", "verbosity", ...BAR_SHAPES];

/** One decoration. */
export interface Placed {
  readonly line: number;
  readonly from: number;
  readonly to: number;
  /** Shown behind the line. */
  readonly text?: string;
}

export type Drawing = Readonly<Record<DecorationName, readonly Placed[]>>;

/** @param lengthOf length of a line by its 0-based number  @param lines how many there are */
export function draw(marks: Marks, lengthOf: (line: number) => number, lines: number): Drawing {
  const complexity = marks.functions
    .filter(({ line }) => line <= lines)
    .map(({ line, text }) => {
      const place = { line: line - 1, from: 0, to: lengthOf(line - 1) };
      return marks.asLenses ? place : { ...place, text };
    });
  const verbosity = (marks.asProblems ? [] : marks.verbosity)
    .filter(({ line }) => line <= lines)
    .map(({ line, startColumn, endColumn }) => {
      const length = lengthOf(line - 1);
      return {
        line: line - 1,
        from: Math.min(startColumn - 1, length),
        to: Math.min(endColumn - 1, length),
      };
    });
  return { complexity, verbosity, ...drawBars(marks, lines) };
}

function drawBars(marks: Marks, lines: number): Record<BarShape, Placed[]> {
  const bars: Record<BarShape, Placed[]> = { start: [], middle: [], end: [], single: [] };
  const taken = new Set<number>();
  for (const { start, end } of marks.clones) {
    for (let line = start; line <= Math.min(end, lines); line++) {
      if (taken.has(line)) continue;
      taken.add(line);
      bars[barShape(line, start, end)].push({ line: line - 1, from: 0, to: 0 });
    }
  }
  return bars;
}

export function areSame(a: readonly Placed[], b: readonly Placed[]): boolean {
  return a.length === b.length && a.every((one, index) => isSame(one, b[index]));
}

function isSame(a: Placed, b: Placed | undefined): boolean {
  return a.line === b?.line && a.from === b.from && a.to === b.to && a.text === b.text;
}

/**
 * Where VS Code itself has moved decorations to when a text was edited.
 * @returns undefined when an edit touched the line of one of them, which only VS Code knows the outcome of
 */
export function movedAlong(
  placed: readonly Placed[],
  edits: readonly LineEdit[],
): readonly Placed[] | undefined {
  let moved = placed;
  for (const edit of edits) {
    if (moved.some(({ line }) => isEdited(line + 1, edit))) return undefined;
    if (edit.last - edit.first + 1 === edit.now) continue;
    moved = moved.map((one) => ({ ...one, line: moveLine(one.line + 1, edit) - 1 }));
  }
  return moved;
}
