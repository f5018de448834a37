/** The places of the x axis: checkpoints, or phases of progress. Pure. */
import * as l10n from "@vscode/l10n";
import { phaseOf, PROGRESS_PHASES } from "../../src/core/report/phases.js";
import type { PlotPoint, PlotSeries } from "../../src/core/report/plot-protocol.js";
import { type DrawnSeries, ordersOf, type PageState, pointAt } from "./selection.js";

export interface Slot {
  /** What stands below the first place, where there is most room. */
  readonly title: string;
  /** What stands below the others. */
  readonly label: string;
  /** The point of a series that stands here. */
  readonly pointOf: (series: PlotSeries) => PlotPoint | undefined;
  /** Whether a checkpoint of a series belongs here, shown or not. */
  readonly holds: (series: PlotSeries, order: number) => boolean;
}

/** The places of an axis for the drawn runs, from left to right. */
export function slotsOf(drawn: readonly DrawnSeries[], axis: PageState["axis"]): readonly Slot[] {
  return axis === "phases" ? PROGRESS_PHASES.map(phaseSlot) : ordersOf(drawn).map(checkpointSlot);
}

function checkpointSlot(order: number): Slot {
  return {
    title: l10n.t("Checkpoint {0}", order),
    label: String(order),
    pointOf: (series) => pointAt(series, order),
    holds: (_series, candidate) => candidate === order,
  };
}

/** Of several checkpoints in one phase the last one that was measured stands for it, as in the paper. */
function phaseSlot(phase: (typeof PROGRESS_PHASES)[number]): Slot {
  const holds = (series: PlotSeries, order: number): boolean => phaseOf(order, series.checkpoints) === phase;
  return {
    title: phase,
    label: phase,
    pointOf: (series) => {
      const inside = series.points.filter(({ order }) => holds(series, order));
      return inside.findLast(({ erosion }) => erosion !== null) ?? inside.at(-1);
    },
    holds,
  };
}
