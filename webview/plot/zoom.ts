/** The stretch of the x axis that is shown. Pure. */
import * as l10n from "@vscode/l10n";
import { PLOT_LEFT, PLOT_RIGHT } from "./edges.js";
import { type DrawnSeries, effectiveSelection, type PageState, type Zoom } from "./selection.js";
import { type Slot, slotsOf } from "./slots.js";

/** Indexes of the first and the last place. */
interface Range {
  readonly first: number;
  readonly last: number;
}

/** A line needs two places. */
const LEAST = 2;

/** The places that are shown, from left to right. */
export function shownSlots(
  drawn: readonly DrawnSeries[],
  { axis, zoom }: Pick<PageState, "axis" | "zoom">,
): readonly Slot[] {
  const slots = slotsOf(drawn, axis);
  const { first, last } = rangeOf(slots, zoom);
  return slots.slice(first, last + 1);
}

/** The whole axis where nothing is zoomed, and where a place that bounds the zoom is gone. */
function rangeOf(slots: readonly Slot[], zoom: Zoom | undefined): Range {
  const first = slots.findIndex(({ label }) => label === zoom?.from);
  const last = slots.findIndex(({ label }) => label === zoom?.to);
  return first >= 0 && last > first ? { first, last } : { first: 0, last: slots.length - 1 };
}

function zoomOf(slots: readonly Slot[], { first, last }: Range): Zoom | undefined {
  const from = slots[first]?.label;
  const to = slots[last]?.label;
  const isWhole = first <= 0 && last >= slots.length - 1;
  return isWhole || from === undefined || to === undefined ? undefined : { from, to };
}

/** A range of `width` places that begins at `first`, moved as far as the axis demands. */
function placed(slots: readonly Slot[], first: number, width: number): Zoom | undefined {
  const begin = Math.max(0, Math.min(slots.length - width, first));
  return zoomOf(slots, { first: begin, last: begin + width - 1 });
}

/** Zooms to a stretch between two of the shown places, in either direction; one place alone changes nothing. */
export function stretched(
  slots: readonly Slot[],
  zoom: Zoom | undefined,
  [from, to]: readonly [number, number],
): Zoom | undefined {
  if (Math.abs(to - from) + 1 < LEAST) return zoom;
  const { first } = rangeOf(slots, zoom);
  return zoomOf(slots, { first: first + Math.min(from, to), last: first + Math.max(from, to) });
}

/** Takes a quarter of the shown places away or adds a third. @param at index among the shown places that keeps its place */
export function scaled(
  slots: readonly Slot[],
  zoom: Zoom | undefined,
  direction: "in" | "out",
  at: number,
): Zoom | undefined {
  const { first, last } = rangeOf(slots, zoom);
  const width = last - first + 1;
  const wanted =
    direction === "in"
      ? width - Math.max(1, Math.round(width / 4))
      : width + Math.max(1, Math.round(width / 3));
  const bounded = Math.min(slots.length, Math.max(LEAST, wanted));
  const part = width < 2 ? 0 : at / (width - 1);
  return placed(slots, Math.round(first + at - part * (bounded - 1)), bounded);
}

/** Zoom after a key: `+` and `-` around the selected checkpoint, `0` shows all; undefined for any other key. */
export function zoomAfter(
  key: string,
  drawn: readonly DrawnSeries[],
  state: PageState,
): { readonly zoom: Zoom | undefined } | undefined {
  const slots = slotsOf(drawn, state.axis);
  const { first, last } = rangeOf(slots, state.zoom);
  const selected = selectedPlace(slots, drawn, state);
  const at = selected >= first && selected <= last ? selected - first : (last - first) / 2;
  if (key === "+" || key === "=") return { zoom: scaled(slots, state.zoom, "in", at) };
  if (key === "-") return { zoom: scaled(slots, state.zoom, "out", at) };
  return key === "0" ? { zoom: undefined } : undefined;
}

/** The zoom, moved so far that the selected checkpoint is in sight. */
export function withSelection(drawn: readonly DrawnSeries[], state: PageState): Zoom | undefined {
  const slots = slotsOf(drawn, state.axis);
  const { first, last } = rangeOf(slots, state.zoom);
  const at = selectedPlace(slots, drawn, state);
  if (at < 0 || (at >= first && at <= last)) return state.zoom;
  const width = last - first + 1;
  return placed(slots, at < first ? at : at - width + 1, width);
}

function selectedPlace(slots: readonly Slot[], drawn: readonly DrawnSeries[], state: PageState): number {
  const selection = effectiveSelection(drawn, state.selection);
  const series = drawn.find((run) => run.series.id === selection?.series)?.series;
  return slots.findIndex((slot) => series && selection && slot.holds(series, selection.order));
}

/** Index of the shown place below a point of a panel; beyond the ends that at the end. @param x pixels from its left edge */
export function placeAt(x: number, width: number, count: number): number {
  const part = (x - PLOT_LEFT) / Math.max(1, width - PLOT_LEFT - PLOT_RIGHT);
  return Math.max(0, Math.min(count - 1, Math.floor(part * count)));
}

/** Edges of a stretch of places, in pixels from the left edge of a panel. */
export function edgesOf(
  [from, to]: readonly [number, number],
  width: number,
  count: number,
): { readonly left: number; readonly width: number } {
  const step = Math.max(1, width - PLOT_LEFT - PLOT_RIGHT) / Math.max(1, count);
  return { left: PLOT_LEFT + step * Math.min(from, to), width: step * (Math.abs(to - from) + 1) };
}

export function isZoomed(drawn: readonly DrawnSeries[], state: Pick<PageState, "axis" | "zoom">): boolean {
  return shownSlots(drawn, state).length < slotsOf(drawn, state.axis).length;
}

/** Says which part of the axis is shown, for a screen reader; empty when it is all. */
export function spokenZoom(drawn: readonly DrawnSeries[], state: Pick<PageState, "axis" | "zoom">): string {
  if (!isZoomed(drawn, state)) return "";
  const shown = shownSlots(drawn, state);
  const ends = [shown[0]?.label ?? "", shown.at(-1)?.label ?? ""];
  return state.axis === "phases"
    ? l10n.t("Zoomed to the phases {0} to {1}.", ...ends)
    : l10n.t("Zoomed to the checkpoints {0} to {1}.", ...ends);
}
