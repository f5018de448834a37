/** What can be plotted over checkpoints, and how each figure is written. */
import * as l10n from "@vscode/l10n";
import { dollars, duration, integer, ratio } from "../../src/core/report/format.js";
import type { PlotPoint } from "../../src/core/report/plot-protocol.js";
import { type Axis, countAxis, dollarAxis, ratioAxis, timeAxis } from "./axes.js";

export interface Metric {
  readonly id: string;
  readonly title: string;
  readonly value: (point: PlotPoint) => number | null;
  /** A figure as it stands at the end of a line. */
  readonly text: (value: number | null | undefined) => string;
  /** The axis up to the highest figure. */
  readonly axis: (highest: number) => Axis;
  /** What stands in place of lines where no run has a figure. */
  readonly none: string;
  /** Published figures stand beside it. */
  readonly published: "erosion" | "verbosity" | undefined;
}

const NOT_MEASURED = l10n.t("Nothing is measured yet.");
const COUNT = { text: integer, none: NOT_MEASURED, published: undefined } as const;

const erosion: Metric = {
  ...{ id: "erosion", title: l10n.t("Erosion"), text: ratio, none: NOT_MEASURED, published: "erosion" },
  axis: ratioAxis(1),
  value: (point) => point.erosion,
};
const verbosity: Metric = {
  ...{ id: "verbosity", title: l10n.t("Verbosity"), text: ratio, none: NOT_MEASURED, published: "verbosity" },
  axis: ratioAxis(0.6),
  value: (point) => point.verbosity,
};
const highCc: Metric = {
  ...{ id: "high-cc", title: l10n.t("Callables with CC > 10"), ...COUNT, axis: countAxis(4) },
  value: (point) => point.highCc,
};
const maxCc: Metric = {
  ...{ id: "max-cc", title: l10n.t("Highest CC"), ...COUNT, axis: countAxis(10) },
  value: (point) => point.maxCc,
};
const sloc: Metric = {
  ...{ id: "sloc", title: "SLOC", ...COUNT, axis: countAxis(100) },
  value: (point) => point.sloc,
};
const cost: Metric = {
  ...{ id: "cost", title: l10n.t("Cost of the turn"), text: dollars, axis: dollarAxis, published: undefined },
  none: l10n.t("No cost was recorded."),
  value: (point) => point.costUsd,
};
const time: Metric = {
  ...{ id: "time", title: l10n.t("Agent time of the turn"), text: duration, axis: timeAxis },
  ...{ none: l10n.t("No agent time was recorded."), published: undefined },
  value: (point) => point.agentSeconds,
};

/** The view that draws one run's mass in blocks instead of lines. */
export const MASS_VIEW = "mass";

/** The view that draws the verdicts of all runs, and two of them head to head. */
export const VERDICTS_VIEW = "verdicts";

export interface MetricView {
  readonly id: string;
  readonly label: string;
  /** From top to bottom; none for a view of its own kind. */
  readonly metrics: readonly Metric[];
}

/** What the metric picker offers, in its order; the first is shown at first. */
export const METRIC_VIEWS: readonly MetricView[] = [
  { id: "ratios", label: l10n.t("Erosion and verbosity"), metrics: [erosion, verbosity] },
  { id: "high-cc", label: l10n.t("Callables with CC > 10"), metrics: [highCc] },
  { id: "max-cc", label: l10n.t("Highest CC"), metrics: [maxCc] },
  { id: "sloc", label: "SLOC", metrics: [sloc] },
  { id: "cost", label: l10n.t("Cost"), metrics: [cost] },
  { id: "time", label: l10n.t("Time"), metrics: [time] },
  { id: MASS_VIEW, label: l10n.t("Mass by callable"), metrics: [] },
  { id: VERDICTS_VIEW, label: l10n.t("Verdicts"), metrics: [] },
];

/** The view of an id, or the first one. */
export function metricView(id: string | undefined): MetricView {
  const [first] = METRIC_VIEWS;
  const found = METRIC_VIEWS.find((view) => view.id === id) ?? first;
  if (found === undefined) throw new Error("no metric views");
  return found;
}

/** Whether the chosen view draws lines over an x axis. */
export function isLines({ metric }: { readonly metric: string }): boolean {
  return metricView(metric).metrics.length > 0;
}

/** The axis that holds all points of a metric. */
export function axisOf(metric: Metric, points: readonly PlotPoint[]): Axis {
  return metric.axis(Math.max(0, ...points.map((point) => metric.value(point) ?? 0)));
}

/** Whether no point has a figure, so that an empty grid would say nothing. */
export function isEmpty(metric: Metric, points: readonly PlotPoint[]): boolean {
  return points.every((point) => metric.value(point) === null);
}
