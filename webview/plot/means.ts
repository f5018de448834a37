/** Many runs at once: the mean of each agent's runs, with the spread around it. Pure. */
import * as l10n from "@vscode/l10n";
import { GROUPS } from "../../src/core/model/problem.js";
import type { PassRate, PlotPoint, PlotSeries } from "../../src/core/report/plot-protocol.js";

/** The series by their labels, most runs first; series of one label stay in their order. */
export function byAgent(series: readonly PlotSeries[]): readonly (readonly PlotSeries[])[] {
  const groups = new Map<string, PlotSeries[]>();
  for (const one of series) groups.set(one.label, [...(groups.get(one.label) ?? []), one]);
  return [...groups.values()].sort((a, b) => b.length - a.length);
}

/**
 * One series that stands for several runs of an agent: each point holds the means over the runs that have a figure at
 * that checkpoint. It has no callables, because those of different runs are not the same.
 * @param members at least one
 */
export function meanSeries(members: readonly PlotSeries[]): PlotSeries {
  const orders = new Set(members.flatMap(({ points }) => points.map(({ order }) => order)));
  const [first] = members;
  if (first === undefined) throw new Error("a mean needs a member");
  return {
    ...first,
    id: `mean:${first.label}`,
    label: `${first.label} · ${l10n.t("mean of {0} runs", members.length)}`,
    startedAt: undefined,
    checkpoints: Math.max(...members.map(({ checkpoints }) => checkpoints)),
    points: [...orders].sort((a, b) => a - b).map((order) => meanPoint(pointsAt(members, order), order)),
    slope: {
      erosion: mean(members.map(({ slope }) => slope.erosion)),
      verbosity: mean(members.map(({ slope }) => slope.verbosity)),
    },
    state: members.some(({ state }) => state === "running") ? "running" : first.state,
  };
}

/** Mean minus and plus one standard deviation (of a sample) of a figure at a checkpoint; undefined for fewer than two. */
export function bandAt(
  members: readonly PlotSeries[],
  order: number,
  value: (point: PlotPoint) => number | null,
): { readonly low: number; readonly high: number } | undefined {
  const figures = pointsAt(members, order).flatMap((point) => value(point) ?? []);
  const middle = mean(figures);
  if (middle === null || figures.length < 2) return undefined;
  const variance = figures.reduce((sum, figure) => sum + (figure - middle) ** 2, 0) / (figures.length - 1);
  const deviation = Math.sqrt(variance);
  return { low: middle - deviation, high: middle + deviation };
}

function pointsAt(members: readonly PlotSeries[], order: number): readonly PlotPoint[] {
  return members.flatMap(({ points }) => points.filter((point) => point.order === order));
}

function meanPoint(points: readonly PlotPoint[], order: number): PlotPoint {
  const of = (pick: (point: PlotPoint) => number | null): number | null => mean(points.map(pick));
  return {
    turn: "",
    checkpoint: `checkpoint_${order}`,
    order,
    verdict: points.every(({ verdict }) => verdict === "passed") ? "passed" : "failed",
    reason: undefined,
    erosion: of((point) => point.erosion),
    verbosity: of((point) => point.verbosity),
    sloc: of((point) => point.sloc),
    callables: of((point) => point.callables),
    highCc: of((point) => point.highCc),
    maxCc: of((point) => point.maxCc),
    passRates: Object.fromEntries(
      GROUPS.map((group) => [group, meanRate(points.map(({ passRates }) => passRates[group]))]),
    ) as PlotPoint["passRates"],
    agentSeconds: of((point) => point.agentSeconds),
    costUsd: of((point) => point.costUsd),
    totalMass: null,
    heaviest: [],
  };
}

/** Passed and scored tests of a mean run, in whole tests. */
function meanRate(rates: readonly PassRate[]): PassRate {
  const scored = rates.filter(({ total }) => total > 0);
  const rounded = (pick: (rate: PassRate) => number): number => Math.round(mean(scored.map(pick)) ?? 0);
  return { passed: rounded(({ passed }) => passed), total: rounded(({ total }) => total) };
}

function mean(values: readonly (number | null)[]): number | null {
  const figures = values.filter((value) => value !== null);
  return figures.length === 0 ? null : figures.reduce((sum, figure) => sum + figure, 0) / figures.length;
}
