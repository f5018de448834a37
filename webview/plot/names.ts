/** Names of runs that can be told apart: their labels, and as much more as that takes. */
import type { PlotSeries } from "../../src/core/report/plot-protocol.js";
import { startWords } from "../language.js";

/** What is added to a label, in this order, until no two runs are named alike. */
const MORE: readonly ((series: PlotSeries) => string)[] = [
  ({ attempt }) => (attempt === undefined ? "" : `#${attempt}`),
  ({ startedAt }) => startWords(startedAt),
  ({ run }) => run.split(/[\\/]/).at(-1) ?? run,
];

/** Names by the ids of the series. A label that only one run has stays as it is. */
export function seriesNames(all: readonly PlotSeries[]): ReadonlyMap<string, string> {
  const names = new Map(all.map(({ id, label }) => [id, label]));
  for (const more of MORE) {
    const count = new Map<string, number>();
    for (const name of names.values()) count.set(name, (count.get(name) ?? 0) + 1);
    for (const series of all) {
      const name = names.get(series.id) ?? series.label;
      const added = more(series);
      if (added !== "" && (count.get(name) ?? 0) > 1) names.set(series.id, `${name} · ${added}`);
    }
  }
  return names;
}

/** Names with the start of every run, for choosing among many. */
export function datedNames(all: readonly PlotSeries[]): ReadonlyMap<string, string> {
  const names = seriesNames(all);
  return new Map(all.map((series) => [series.id, dated(names.get(series.id) ?? series.label, series)]));
}

/** A name with the start of its run, once. */
export function dated(name: string, { startedAt }: Pick<PlotSeries, "startedAt">): string {
  const started = startWords(startedAt);
  return started === "" || name.includes(started) ? name : `${name} · ${started}`;
}
