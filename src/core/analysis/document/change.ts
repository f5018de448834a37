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
  let start = 0;
  while (start < shorter && before.charCodeAt(start) === after.charCodeAt(start)) start++;
  let same = 0;
  const most = shorter - start;
  while (same < most && unitFromEnd(before, same) === unitFromEnd(after, same)) same++;
  return { start, oldEnd: before.length - same, newEnd: after.length - same };
}

function unitFromEnd(text: string, back: number): number {
  return text.charCodeAt(text.length - 1 - back);
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
