/** Which runs are drawn, which point is selected, and how the keyboard moves it. Pure. */
import * as l10n from "@vscode/l10n";
import type { PlotData, PlotPoint, PlotSelection, PlotSeries } from "../../src/core/report/plot-protocol.js";

import { byAgent, meanSeries } from "./means.js";
import { MASS_VIEW, VERDICTS_VIEW } from "./metrics.js";
import { seriesNames } from "./names.js";

/** More lines than this cannot be told apart. */
export const MOST_DRAWN = 4;

/** Labels of the first and the last place of the x axis that are shown; labels, so that it holds when others come. */
export interface Zoom {
  readonly from: string;
  readonly to: string;
}

export interface PageState {
  /** Ids of the series that are drawn; undefined until the user chooses: the mean of each agent when there are many. */
  readonly drawn: readonly string[] | undefined;
  readonly selection: PlotSelection | undefined;
  readonly view: "chart" | "table";
  /** Id of the metric view. */
  readonly metric: string;
  readonly axis: "checkpoints" | "phases";
  readonly zoom: Zoom | undefined;
  /** Whether the blocks of the mass view are stretched to shares of the whole. */
  readonly massAs: "mass" | "share";
  /** Id of the callable that the mass view follows; the one with the largest share when undefined. */
  readonly followed: string | undefined;
  /** Name of the human panel that is drawn as a band; none when empty. */
  readonly human: string;
  /** Whether the published means of models stand beside the axis. */
  readonly models: boolean;
  /** What the cells of the verdicts show. */
  readonly cells: "failed" | "erosion" | "verbosity";
  /** Order of the rows of the verdicts. */
  readonly rows: "fewest-failed" | "newest";
  /** Ids of the series that the verdicts leave out. */
  readonly left: readonly string[];
  /** Ids of the two series that stand head to head, and the checkpoint; chosen by the page while undefined. */
  readonly a: string | undefined;
  readonly b: string | undefined;
  readonly order: number | undefined;
}

/** The published panel over all repositories, by its name among the references. */
const HUMAN_PANEL = "Human panel";

/** The name of a human panel as it is shown; the tiers keep their published ones. */
export function panelName(name: string): string {
  return name === HUMAN_PANEL ? l10n.t("Human panel") : name;
}

export const INITIAL_STATE: PageState = {
  drawn: undefined,
  selection: undefined,
  view: "chart",
  metric: "ratios",
  axis: "checkpoints",
  zoom: undefined,
  massAs: "mass",
  followed: undefined,
  human: HUMAN_PANEL,
  models: true,
  cells: "failed",
  rows: "fewest-failed",
  left: [],
  a: undefined,
  b: undefined,
  order: undefined,
};

/** The state in which the mass view follows a callable; its run is drawn, whatever was chosen before. */
export function following(state: PageState, selection: PlotSelection, callable: string): PageState {
  const isDrawn = state.drawn?.includes(selection.series) !== false;
  return {
    ...state,
    ...{ selection, followed: callable, metric: MASS_VIEW, view: "chart" },
    drawn: isDrawn ? state.drawn : undefined,
  };
}

/** The state in which two runs stand head to head; they are among the rows, whatever was left out before. */
export function comparing(state: PageState, { a, b }: { readonly a: string; readonly b: string }): PageState {
  return {
    ...state,
    ...{ a, b, order: undefined, metric: VERDICTS_VIEW, view: "chart" },
    left: state.left.filter((id) => id !== a && id !== b),
    // No checkpoint has this number, so that the last measured one of the run is taken.
    selection: { series: a, order: 0 },
  };
}

/** A drawn series with its place among the run styles. */
export interface DrawnSeries {
  readonly series: PlotSeries;
  /** As the series' label, or longer where another run has the same. */
  readonly name: string;
  /** 0 to 3: colour, marker shape and dash. */
  readonly style: number;
  /** The runs that a mean stands for; empty for a run of its own. */
  readonly members: readonly PlotSeries[];
}

/**
 * The series to draw: the user's choice, else all. Where those are too many, the mean of each agent, or the newest ones
 * with the one that is selected.
 */
export function drawnSeries(data: PlotData, { drawn, selection }: PageState): readonly DrawnSeries[] {
  const isMany = drawn === undefined && data.series.length > MOST_DRAWN;
  const selected = data.series.find(({ id }) => id === selection?.series);
  if (isMany && selected === undefined) return drawnMeans(data.series);
  const others = data.series.filter((series) => series !== selected).slice(1 - MOST_DRAWN);
  const chosen = isMany && selected ? [selected, ...others].map(({ id }) => id) : drawn;
  const shown = data.series.filter(({ id }) => chosen === undefined || chosen.includes(id));
  return drawnRuns(data.series, shown.slice(0, MOST_DRAWN));
}

/** Runs that are drawn by themselves, named among all runs of the problem. */
export function drawnRuns(all: readonly PlotSeries[], shown: readonly PlotSeries[]): readonly DrawnSeries[] {
  const names = seriesNames(all);
  return shown.map((series, index) => ({
    series,
    name: names.get(series.id) ?? series.label,
    style: index % MOST_DRAWN,
    members: [],
  }));
}

/** An agent with a single run is drawn by that run. */
function drawnMeans(all: readonly PlotSeries[]): readonly DrawnSeries[] {
  return byAgent(all)
    .slice(0, MOST_DRAWN)
    .map((members, style) => {
      const [only] = members;
      const isMean = members.length > 1 || only === undefined;
      const series = isMean ? meanSeries(members) : only;
      return { series, name: series.label, style, members: isMean ? members : [] };
    });
}

/** All checkpoint orders of the drawn series, ascending. */
export function ordersOf(drawn: readonly DrawnSeries[]): readonly number[] {
  const orders = new Set(drawn.flatMap(({ series }) => series.points.map((point) => point.order)));
  return [...orders].sort((left, right) => left - right);
}

export function pointAt(series: PlotSeries, order: number): PlotPoint | undefined {
  return series.points.find((point) => point.order === order);
}

function lastMeasured(series: PlotSeries): PlotPoint | undefined {
  return series.points.findLast((point) => point.erosion !== null) ?? series.points[0];
}

/** The selected point, or the last measured one of the newest drawn run while nothing valid is selected. */
export function effectiveSelection(
  drawn: readonly DrawnSeries[],
  selection: PlotSelection | undefined,
): PlotSelection | undefined {
  const selected = drawn.find(({ series }) => series.id === selection?.series);
  if (selection && selected && pointAt(selected.series, selection.order)) return selection;
  const newest = (selected ?? drawn.at(-1))?.series;
  const point = newest && lastMeasured(newest);
  return newest && point ? { series: newest.id, order: point.order } : undefined;
}

/** Selection after a key: ← → Home End move along a run, ↑ ↓ between runs; undefined for any other key. */
export function moveSelection(
  drawn: readonly DrawnSeries[],
  selection: PlotSelection,
  key: string,
): PlotSelection | undefined {
  const run = drawn.findIndex(({ series }) => series.id === selection.series);
  const orders = drawn[run]?.series.points.map((point) => point.order) ?? [];
  const at = orders.indexOf(selection.order);
  const along = (index: number): PlotSelection => ({
    series: selection.series,
    order: orders[Math.max(0, Math.min(orders.length - 1, index))] ?? selection.order,
  });
  const across = (index: number): PlotSelection => {
    const target = drawn[Math.max(0, Math.min(drawn.length - 1, index))]?.series;
    const point = target && (pointAt(target, selection.order) ?? target.points.at(-1));
    return target && point ? { series: target.id, order: point.order } : selection;
  };
  const moves: Readonly<Record<string, () => PlotSelection>> = {
    ArrowLeft: () => along(at - 1),
    ArrowRight: () => along(at + 1),
    Home: () => along(0),
    End: () => along(orders.length - 1),
    ArrowUp: () => across(run - 1),
    ArrowDown: () => across(run + 1),
  };
  return moves[key]?.();
}

/** Tests that did not pass, and all that were scored. */
export function failedOf(point: PlotPoint): { failed: number; total: number } {
  const rates = Object.values(point.passRates);
  const total = rates.reduce((sum, rate) => sum + rate.total, 0);
  return { total, failed: total - rates.reduce((sum, rate) => sum + rate.passed, 0) };
}
