import { GROUPS } from "../../src/core/model/problem.js";
import { type DrawnSeries, failedOf } from "./selection.js";

export const COLUMNS = [
  "Run",
  "Started",
  "Checkpoint",
  "Verdict",
  "Erosion",
  "Verbosity",
  "SLOC",
  "Callables",
  "CC > 10",
  "Highest CC",
  ...GROUPS,
  "Failed tests",
] as const;

type Cell = string | number | null;

/** One row a point, figures unrounded; the table view and the CSV show the same rows. */
export function rowsOf(drawn: readonly DrawnSeries[]): readonly (readonly Cell[])[] {
  return drawn.flatMap(({ series }) =>
    series.points.map((point): Cell[] => [
      series.attempt === undefined ? series.label : `${series.label} #${series.attempt}`,
      series.startedAt ?? null,
      point.checkpoint,
      point.verdict ?? null,
      point.erosion,
      point.verbosity,
      point.sloc,
      point.callables,
      point.highCc,
      point.maxCc,
      ...GROUPS.map((group) => {
        const rate = point.passRates[group];
        return rate.total === 0 ? null : `${rate.passed}/${rate.total}`;
      }),
      failedOf(point).failed,
    ]),
  );
}

function quote(cell: Cell): string {
  if (cell === null) return "";
  const text = String(cell);
  return /[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** The rows as RFC 4180 text with a head line. */
export function toCsv(drawn: readonly DrawnSeries[]): string {
  return [COLUMNS, ...rowsOf(drawn)].map((row) => row.map(quote).join(",")).join("\r\n") + "\r\n";
}
