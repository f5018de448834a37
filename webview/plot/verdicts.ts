/** The verdicts of many runs: which rows in which order, what they come to, and who stands against whom. Pure. */
import * as l10n from "@vscode/l10n";
import type { Comparison, PlotPoint, PlotSeries } from "../../src/core/report/plot-protocol.js";
import { failedOf, type PageState, pointAt } from "./selection.js";

type RowState = Pick<PageState, "rows" | "left">;

/** How many checkpoints the problem has, as far as its runs tell. */
export function checkpointCount(all: readonly PlotSeries[]): number {
  return Math.max(0, ...all.map(({ checkpoints }) => checkpoints));
}

/**
 * The rows of the verdicts. By failed tests at the last checkpoint that the compared rows have in common, runs that did
 * not get to the end last; or newest first.
 */
export function verdictRows(all: readonly PlotSeries[], { rows, left }: RowState): readonly PlotSeries[] {
  const shown = all.filter(({ id }) => !left.includes(id));
  if (rows === "newest") return shown.toReversed();
  const end = checkpointCount(shown);
  const complete = shown.filter((series) => isReached(pointAt(series, end)));
  const partial = shown.filter((series) => !complete.includes(series));
  return [...byFailed(complete), ...byFailed(partial)];
}

function byFailed(rows: readonly PlotSeries[]): readonly PlotSeries[] {
  const common = Math.min(...rows.map(lastOrder));
  const failed = (series: PlotSeries): number => {
    const point = pointAt(series, common);
    return point === undefined || !isScored(point) ? Infinity : failedOf(point).failed;
  };
  return rows.toSorted((a, b) => (failed(a) === failed(b) ? 0 : failed(a) - failed(b)));
}

/** Order of the last checkpoint that a run took; 0 for none. */
function lastOrder({ points }: PlotSeries): number {
  return points.findLast(isReached)?.order ?? 0;
}

/** Whether a turn was taken. */
export function isReached(point: PlotPoint | undefined): point is PlotPoint {
  return point !== undefined && point.verdict !== "not-reached" && point.verdict !== "skipped";
}

/** Whether a turn says something about its agent. */
export function isScored(point: PlotPoint): boolean {
  return point.verdict !== undefined && point.verdict !== "infrastructure" && failedOf(point).total > 0;
}

/** Whether all Core tests of a turn passed. */
export function passesCore({ passRates }: PlotPoint): boolean {
  const { passed, total } = passRates.Core;
  return total > 0 && passed === total;
}

/** Whether a run says whether its agent passes the end: it got there and was scored, or the agent itself did not get there. */
function isDecided({ points, state }: PlotSeries, end: number): boolean {
  const last = points.findLast(isReached);
  if (last?.order === end && isScored(last)) return true;
  return state === "finished" && last !== undefined && last.verdict !== "infrastructure";
}

/** `No checkpoint passes whole; core passes at the end in 3 of 8 runs`. Runs that the agent did not end do not count. */
export function verdictSentence(rows: readonly PlotSeries[]): string {
  const scored = rows.flatMap(({ points }) => points.filter((point) => isReached(point) && isScored(point)));
  if (scored.length === 0) return l10n.t("No checkpoint is scored yet");
  const whole = scored.filter((point) => failedOf(point).failed === 0).length;
  const end = checkpointCount(rows);
  const decided = rows.filter((series) => isDecided(series, end));
  const core = decided.filter((series) => {
    const last = pointAt(series, end);
    return isReached(last) && isScored(last) && passesCore(last);
  }).length;
  const first =
    whole === 0
      ? l10n.t("No checkpoint passes whole")
      : l10n.t("Checkpoints that pass whole: {0} of {1}", whole, scored.length);
  if (decided.length === 0) return first;
  return l10n.t("{0}; core passes at the end in {1} of {2} runs", first, core, decided.length);
}

/**
 * The two runs that stand head to head, and where: as chosen, else the first row against the last that got as far, at the
 * last checkpoint at which both were scored, else the last that both took. Of two chosen runs without a checkpoint in common the second one stays.
 * @returns undefined where no two rows have a checkpoint in common
 */
export function comparedPair(
  rows: readonly PlotSeries[],
  { a, b, order }: Pick<PageState, "a" | "b" | "order">,
): Comparison | undefined {
  const named = (id: string | undefined): PlotSeries | undefined => rows.find((series) => series.id === id);
  const chosenB = named(b);
  const chosenA = named(a);
  const first = chosenA !== undefined && canStandAgainst(chosenA, chosenB) ? chosenA : undefined;
  for (const candidate of first === undefined ? rows : [first]) {
    const second = chosenB ?? opponentOf(candidate, rows);
    if (second === undefined || !isComparable(candidate, second)) continue;
    const at = comparedOrder(candidate, second, order);
    if (at !== undefined) return { a: candidate.id, b: second.id, order: at };
  }
  return undefined;
}

function comparedOrder(a: PlotSeries, b: PlotSeries, wanted: number | undefined): number | undefined {
  const orders = commonOrders(a, b);
  if (wanted !== undefined && orders.includes(wanted)) return wanted;
  const isScoredIn = (series: PlotSeries, order: number): boolean => {
    const point = pointAt(series, order);
    return point !== undefined && isScored(point);
  };
  return orders.findLast((order) => isScoredIn(a, order) && isScoredIn(b, order)) ?? orders.at(-1);
}

/** The last row that got as far as a run, else the last that can be compared with it. */
function opponentOf(first: PlotSeries, rows: readonly PlotSeries[]): PlotSeries | undefined {
  const others = comparableWith(first, rows);
  return others.findLast((series) => lastOrder(series) >= lastOrder(first)) ?? others.at(-1);
}

/** The rows that took a checkpoint which a run took too, without the run itself. */
export function comparableWith(series: PlotSeries, rows: readonly PlotSeries[]): readonly PlotSeries[] {
  return rows.filter((other) => isComparable(series, other));
}

/** Whether a run can stand against a chosen one; against none that is chosen it can. */
function canStandAgainst(a: PlotSeries, b: PlotSeries | undefined): boolean {
  return b === undefined || isComparable(a, b);
}

function isComparable(a: PlotSeries, b: PlotSeries): boolean {
  return a.id !== b.id && commonOrders(a, b).length > 0;
}

/** Orders of the checkpoints that both runs took, ascending. */
export function commonOrders(a: PlotSeries, b: PlotSeries): readonly number[] {
  return a.points.flatMap((point) =>
    isReached(point) && isReached(pointAt(b, point.order)) ? [point.order] : [],
  );
}
