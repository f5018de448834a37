import { integer, ratio } from "../../core/report/format.js";
import type { QualityReport } from "../../core/model/quality.js";
import type { Marks } from "./marks.js";

/** How the marks of the active editor stand. */
export type MarkStanding =
  | { readonly kind: "off" }
  | { readonly kind: "language" }
  | { readonly kind: "size" }
  /** A diff, an output, a notebook cell: marks are never shown there. */
  | { readonly kind: "not-here" }
  /** Code that nobody of the project writes by hand; commands skip it too. */
  | { readonly kind: "foreign"; readonly reason: string }
  | { readonly kind: "analysing" }
  /** The text has had syntax errors since it was opened. */
  | { readonly kind: "syntax" }
  | { readonly kind: "failed"; readonly reason: string }
  | { readonly kind: "done"; readonly report: QualityReport; readonly marks: Marks; readonly stale: boolean };

const WHY_NONE = {
  off: "marks off",
  language: "not for this language",
  size: "file over 1 MB",
  analysing: "analysing",
  syntax: "syntax error",
  failed: "marks failed",
} as const;

/** Text of the status item; undefined hides it. */
export function statusText(standing: MarkStanding): string | undefined {
  if (standing.kind === "not-here") return undefined;
  if (standing.kind === "done") return doneText(standing);
  if (standing.kind === "foreign") return `Slop Lens: no marks, ${standing.reason.split(",")[0] ?? ""}`;
  return `Slop Lens: ${WHY_NONE[standing.kind]}`;
}

function doneText({ report, marks, stale }: Extract<MarkStanding, { kind: "done" }>): string {
  if (stale) return "Slop Lens: syntax error, last result kept";
  if (marks.shown < marks.total) {
    return `Slop Lens: ${integer(marks.shown)} of ${integer(marks.total)} marks shown`;
  }
  const { highCcFunctions, erosion, verbosity } = report.totals;
  return `$(graph-line) ${highCcFunctions} complex · erosion ${ratio(erosion)} · verbosity ${ratio(verbosity)}`;
}

/** The same for a screen reader, and as a tooltip. */
export function statusTooltip(standing: MarkStanding): string {
  if (standing.kind === "failed") return standing.reason;
  if (standing.kind === "foreign") return `Not marked and not counted: ${standing.reason}`;
  if (standing.kind !== "done") return "Marks of Slop Lens in this editor";
  const { totals, profile, rules, suppressed } = standing.report;
  return [
    `${totals.highCcFunctions} of ${totals.totalFunctions} functions with a complexity above 10, the highest ${totals.maxCc}`,
    `Erosion ${ratio(totals.erosion)}, verbosity ${ratio(totals.verbosity)} of ${integer(totals.totalLoc)} SLOC in this file`,
    `Profile ${profile}, ${rules.count} rules (${rules.name})`,
    ...(suppressed.length === 0 ? [] : [`${integer(suppressed.length)} rule matches suppressed by comments`]),
  ].join("\n");
}
