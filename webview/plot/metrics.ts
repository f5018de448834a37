/** What can be plotted over checkpoints, and how each figure is written. */
import * as l10n from "@vscode/l10n";
import { duration, integer, ratio } from "../../src/core/report/format.js";
import type { PlotPoint } from "../../src/core/report/plot-protocol.js";

export interface Metric {
  readonly id: string;
  readonly title: string;
  readonly value: (point: PlotPoint) => number | null;
  /** A figure as it stands at the end of a line. */
  readonly text: (value: number | null | undefined) => string;
  /** A figure as it stands at the axis. */
  readonly tick: (value: number) => string;
  /** Least upper end of the axis, and the steps of its ticks where they are fixed. */
  readonly top: number;
  readonly step: number | undefined;
  /** Published figures stand beside it. */
  readonly published: "erosion" | "verbosity" | undefined;
}

const RATIO = { text: ratio, tick: (value: number) => value.toFixed(1), step: 0.2 } as const;
const COUNT = { text: integer, tick: integer, step: undefined, published: undefined } as const;

const erosion: Metric = {
  ...{ id: "erosion", title: l10n.t("Erosion"), ...RATIO, top: 1, published: "erosion" },
  value: (point) => point.erosion,
};
const verbosity: Metric = {
  ...{ id: "verbosity", title: l10n.t("Verbosity"), ...RATIO, top: 0.6, published: "verbosity" },
  value: (point) => point.verbosity,
};
const highCc: Metric = {
  ...{ id: "high-cc", title: l10n.t("Callables with CC > 10"), ...COUNT, top: 4 },
  value: (point) => point.highCc,
};
const maxCc: Metric = {
  ...{ id: "max-cc", title: l10n.t("Highest CC"), ...COUNT, top: 10 },
  value: (point) => point.maxCc,
};
const sloc: Metric = {
  ...{ id: "sloc", title: "SLOC", ...COUNT, top: 100 },
  value: (point) => point.sloc,
};
const cost: Metric = {
  ...{ id: "cost", title: l10n.t("Cost of the turn"), top: 0.1, step: undefined, published: undefined },
  text: (value) => (value == null ? "–" : dollars(value)),
  tick: dollars,
  value: (point) => point.costUsd,
};
const time: Metric = {
  ...{ id: "time", title: l10n.t("Agent time of the turn"), text: duration, tick: duration, top: 60 },
  ...{ step: undefined, published: undefined },
  value: (point) => point.agentSeconds,
};

function dollars(value: number): string {
  return `$${value.toFixed(2)}`;
}

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

/** Upper end of a metric's axis: its least one, or a round figure above the highest point. */
export function axisTop(metric: Metric, points: readonly PlotPoint[]): number {
  const highest = Math.max(0, ...points.map((point) => metric.value(point) ?? 0));
  if (highest <= metric.top) return metric.top;
  if (metric.step !== undefined) return Math.ceil(highest / metric.step) * metric.step;
  const unit = 10 ** Math.floor(Math.log10(highest));
  const rounds = [1, 1.5, 2, 3, 4, 5, 6, 8, 10];
  return unit * (rounds.find((factor) => factor * unit >= highest) ?? 10);
}
