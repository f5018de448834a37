import { rowAt, type Source } from "../source.js";

/** A change as an editor tells it: `length` UTF-16 units from `offset` on give way to `text`. */
export interface TextChange {
  readonly offset: number;
  readonly length: number;
  readonly text: string;
}

/** What lies between `start` and `oldEnd` in one text lies between `start` and `newEnd` in the other. */
export interface Replacement {
  readonly start: number;
  readonly oldEnd: number;
  readonly newEnd: number;
}

/** Applies changes one after the other; each is placed in the text that the one before left. */
export function applyChanges(text: string, changes: readonly TextChange[]): string {
  return changes.reduce(
    (before, { offset, length, text: inserted }) =>
      before.slice(0, offset) + inserted + before.slice(offset + length),
    text,
  );
}

/** The one span in which two texts differ, however they came to; undefined when they are equal. */
export function replacementBetween(before: string, after: string): Replacement | undefined {
  if (before === after) return undefined;
  const shorter = Math.min(before.length, after.length);
  const start = sameUnits(shorter, (from, to) => before.slice(from, to) === after.slice(from, to));
  const same = sameUnits(
    shorter - start,
    (from, to) =>
      before.slice(before.length - to, before.length - from) ===
      after.slice(after.length - to, after.length - from),
  );
  return { start, oldEnd: before.length - same, newEnd: after.length - same };
}

/** Lengths that are compared, the next where the one before finds a difference. Long ones cost a fraction a unit. */
const STRIDES = [4096, 64, 1];

/** How many units are the same, at most `most`, when `isSame` compares those from one to another. */
function sameUnits(most: number, isSame: (from: number, to: number) => boolean): number {
  let at = 0;
  for (const stride of STRIDES) {
    while (at + stride <= most && isSame(at, at + stride)) at += stride;
  }
  return at;
}

/** A replacement by 0-based rows and columns. */
export interface RowChange {
  readonly start: Point;
  readonly oldEnd: Point;
  readonly newEnd: Point;
}

export interface Point {
  readonly row: number;
  /** In UTF-16 units. */
  readonly column: number;
}

export function rowChange({ start, oldEnd, newEnd }: Replacement, before: Source, after: Source): RowChange {
  return { start: pointAt(before, start), oldEnd: pointAt(before, oldEnd), newEnd: pointAt(after, newEnd) };
}

function pointAt(source: Source, position: number): Point {
  const row = rowAt(source, position);
  return { row, column: position - (source.rowStarts[row] ?? 0) };
}

/** Where a point of the text before stands after; undefined when it lay within what was replaced. */
export function movePoint(point: Point, { start, oldEnd, newEnd }: RowChange): Point | undefined {
  if (comparePoints(point, start) <= 0) return point;
  if (comparePoints(point, oldEnd) < 0) return undefined;
  if (point.row > oldEnd.row) return { row: point.row + newEnd.row - oldEnd.row, column: point.column };
  return { row: newEnd.row, column: point.column - oldEnd.column + newEnd.column };
}

function comparePoints(a: Point, b: Point): number {
  return a.row - b.row || a.column - b.column;
}
