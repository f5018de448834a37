import { l10n } from "vscode";
import { integer, ratio } from "../../core/report/format.js";
import type { QualityReport } from "../../core/model/quality.js";
import type { Marks } from "./marks.js";

/** How the marks of the active editor stand. */
export type MarkStanding =
  | { readonly kind: "off" }
  | { readonly kind: "language" }
  | { readonly kind: "size" }
  /** A diff, an output: marks are not shown there. */
  | { readonly kind: "not-here" }
  /** Code that nobody of the project writes by hand; commands skip it too. */
  | { readonly kind: "foreign"; readonly reason: string }
  | { readonly kind: "analysing" }
  /** The text has had syntax errors since it was opened. */
  | { readonly kind: "syntax" }
  /** It holds characters that no text has. */
  | { readonly kind: "no-text" }
  | { readonly kind: "failed"; readonly reason: string }
  | { readonly kind: "done"; readonly report: QualityReport; readonly marks: Marks; readonly stale: boolean };

/** Text of the status item; undefined hides it. */
export function statusText(standing: MarkStanding): string | undefined {
  if (standing.kind === "not-here") return undefined;
  if (standing.kind === "done") return doneText(standing);
  if (standing.kind === "foreign") {
    return l10n.t("Slop Lens: no marks, {0}", standing.reason.split(",")[0] ?? "");
  }
  const words = {
    off: l10n.t("Slop Lens: marks off"),
    language: l10n.t("Slop Lens: not for this language"),
    size: l10n.t("Slop Lens: file over 1 MB"),
    analysing: l10n.t("Slop Lens: analysing"),
    syntax: l10n.t("Slop Lens: syntax error"),
    "no-text": l10n.t("Slop Lens: not a text file"),
    failed: l10n.t("Slop Lens: marks failed"),
  };
  return words[standing.kind];
}

function doneText({ report, marks, stale }: Extract<MarkStanding, { kind: "done" }>): string {
  if (stale) return l10n.t("Slop Lens: syntax error, last result kept");
  if (marks.shown < marks.total) {
    return l10n.t("Slop Lens: {0} of {1} marks shown", integer(marks.shown), integer(marks.total));
  }
  return `$(graph-line) ${totalsText(report.totals)}`;
}

/** `1 complex · erosion 0.98 · verbosity 0.27`. */
export function totalsText({ highCcFunctions, erosion, verbosity }: QualityReport["totals"]): string {
  return l10n.t(
    "{0} complex · erosion {1} · verbosity {2}",
    highCcFunctions,
    ratio(erosion),
    ratio(verbosity),
  );
}

/** The same for a screen reader, and as a tooltip. */
export function statusTooltip(standing: MarkStanding): string {
  if (standing.kind === "failed") return standing.reason;
  if (standing.kind === "foreign") return l10n.t("Not marked and not counted: {0}", standing.reason);
  if (standing.kind !== "done") return l10n.t("Marks of Slop Lens in this editor");
  const { totals, profile, rules, suppressed } = standing.report;
  return [
    l10n.t(
      "{0} of {1} functions with a complexity above 10, the highest {2}",
      totals.highCcFunctions,
      totals.totalFunctions,
      totals.maxCc,
    ),
    l10n.t(
      "Erosion {0}, verbosity {1} of {2} SLOC in this file",
      ratio(totals.erosion),
      ratio(totals.verbosity),
      integer(totals.totalLoc),
    ),
    l10n.t("Profile {0}, {1} rules ({2})", profile, rules.count, rules.name),
    ...suppressedLine(suppressed.length),
  ].join("\n");
}

function suppressedLine(count: number): string[] {
  if (count === 0) return [];
  return [
    count === 1
      ? l10n.t("1 rule match suppressed by a comment")
      : l10n.t("{0} rule matches suppressed by comments", integer(count)),
  ];
}
