import { rowAt } from "../source.js";
import type { FlatTree } from "../tree/flat-tree.js";

/** A node on the top level of a text. Rows are 0-based. */
export interface Statement {
  readonly type: number;
  readonly firstRow: number;
  /** Row of the position behind the last unit. */
  readonly endRow: number;
  /** A comment or the like, which is not counted. */
  readonly isExtra: boolean;
}

export function outlineOf(tree: FlatTree): Statement[] {
  const { source, grammar } = tree;
  const isExtra = grammar.mask(grammar.language.extras);
  return tree.children(0).map((node) => {
    const type = tree.typeOf(node);
    return {
      type,
      firstRow: tree.row[node] ?? 0,
      endRow: rowAt(source, tree.end[node] ?? 0),
      isExtra: isExtra[type] === 1,
    };
  });
}

/** Statements from `from` up to, not including, `to`. */
export interface Stretch {
  readonly from: number;
  readonly to: number;
}

/**
 * The statements that differ from those before.
 * @param rows rows that were replaced: `first` to `oldLast` before, `first` to `newLast` now
 */
export function changedStretch(
  before: readonly Statement[],
  now: readonly Statement[],
  rows: { readonly first: number; readonly oldLast: number; readonly newLast: number },
): Stretch {
  const most = Math.min(before.length, now.length);
  let from = 0;
  while (from < most && isMoved(before[from], now[from], 0, (last) => last < rows.first)) from++;
  const moved = rows.newLast - rows.oldLast;
  const isBehind = (_: number, first: number): boolean => first > rows.newLast;
  let behind = 0;
  while (behind < most - from && isMoved(before.at(-1 - behind), now.at(-1 - behind), moved, isBehind))
    behind++;
  return { from, to: now.length - behind };
}

/** Whether a statement is the one before, so many rows further down, and lies where it should. */
function isMoved(
  before: Statement | undefined,
  now: Statement | undefined,
  rows: number,
  liesRight: (endRow: number, firstRow: number) => boolean,
): boolean {
  if (before === undefined || now?.type !== before.type) return false;
  const { firstRow, endRow } = now;
  return (
    before.firstRow + rows === firstRow && before.endRow + rows === endRow && liesRight(endRow, firstRow)
  );
}

/**
 * Widens a stretch by so many statements on both sides, by the comments around them, and by what shares a line with
 * one of them.
 */
export function widen(outline: readonly Statement[], { from, to }: Stretch, statements: number): Stretch {
  return { from: earlier(outline, from, statements), to: later(outline, to, statements) };
}

function earlier(outline: readonly Statement[], from: number, statements: number): number {
  let at = from;
  let left = statements;
  for (; at > 0; at--) {
    const before = outline[at - 1];
    const sharesLine = (before?.endRow ?? 0) >= (outline[at]?.firstRow ?? Infinity);
    if (before?.isExtra === true || sharesLine) continue;
    if (left === 0) break;
    left--;
  }
  return at;
}

function later(outline: readonly Statement[], to: number, statements: number): number {
  let at = to;
  let left = statements;
  for (; at < outline.length; at++) {
    const next = outline[at];
    const sharesLine = (outline[at - 1]?.endRow ?? -1) >= (next?.firstRow ?? 0);
    if (next?.isExtra === true || sharesLine) continue;
    if (left === 0) break;
    left--;
  }
  return at;
}
