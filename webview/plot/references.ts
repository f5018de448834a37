/** Draws what chart.js has no element for: human band, model ticks, selected column and ring, end labels, live stub. */
import type { Chart, Plugin } from "chart.js";
import type { Reference } from "../../src/core/report/plot-protocol.js";
import { freeHeight, isCrossed, namedPlaces, type Point, spread } from "./placing.js";
import type { Theme } from "./theme.js";

export interface EndLabel {
  readonly dataset: number;
  readonly text: string;
  readonly color: string;
  readonly bold: boolean;
  readonly live: boolean;
}

export interface Overlay {
  readonly theme: Theme;
  /** Mean and spread of the human panel that is drawn. */
  readonly human: Reference | undefined;
  readonly humanLabel: string;
  readonly models: readonly { readonly name: string; readonly value: number }[];
  /** Index on the x axis. */
  readonly column: number | undefined;
  readonly ring: { readonly dataset: number; readonly index: number } | undefined;
  readonly ends: readonly EndLabel[];
  /** The spread around means; a place without one interrupts its band. */
  readonly bands: readonly Band[];
}

export interface Band {
  readonly color: string;
  readonly places: readonly ({ readonly low: number; readonly high: number } | undefined)[];
}

const LABEL_GAP = 13;
const STRIP = { offset: 12, width: 8 } as const;

function drawColumn(chart: Chart, overlay: Overlay): void {
  if (overlay.column === undefined) return;
  const { ctx, chartArea, scales } = chart;
  const count = chart.data.labels?.length ?? 1;
  const width = (chartArea.right - chartArea.left) / count;
  const x = scales["x"]?.getPixelForValue(overlay.column) ?? 0;
  const left = Math.max(chartArea.left, x - width / 2);
  const right = Math.min(chartArea.right, x + width / 2);
  ctx.save();
  ctx.globalAlpha = 0.05;
  ctx.fillStyle = overlay.theme.foreground;
  ctx.fillRect(left, chartArea.top, right - left, chartArea.bottom - chartArea.top);
  ctx.restore();
}

/** Each stretch of neighbouring places as one area. */
function drawBands(chart: Chart, { bands }: Overlay): void {
  const { x, y } = chart.scales;
  if (!x || !y) return;
  const { ctx } = chart;
  ctx.save();
  ctx.globalAlpha = 0.16;
  for (const { color, places } of bands) {
    ctx.fillStyle = color;
    for (const stretch of stretches(places)) {
      ctx.beginPath();
      for (const { at, high } of stretch) ctx.lineTo(x.getPixelForValue(at), y.getPixelForValue(high));
      for (const { at, low } of stretch.toReversed())
        ctx.lineTo(x.getPixelForValue(at), y.getPixelForValue(low));
      ctx.closePath();
      ctx.fill();
    }
  }
  ctx.restore();
}

interface BandPlace {
  readonly at: number;
  readonly low: number;
  readonly high: number;
}

function stretches(places: Band["places"]): BandPlace[][] {
  const found: BandPlace[][] = [[]];
  places.forEach((place, at) => {
    if (place === undefined) found.push([]);
    else found.at(-1)?.push({ at, ...place });
  });
  return found.filter((stretch) => stretch.length > 1);
}

function drawHumanBand(chart: Chart, overlay: Overlay): void {
  const { human, theme } = overlay;
  const y = chart.scales["y"];
  if (!human || !y) return;
  const { ctx, chartArea } = chart;
  const bottom = Math.min(chartArea.bottom, y.getPixelForValue(human.mean - human.sd));
  const top = Math.max(chartArea.top, y.getPixelForValue(human.mean + human.sd));
  const mean = Math.round(y.getPixelForValue(human.mean)) + 0.5;
  ctx.save();
  ctx.fillStyle = theme.humanBand;
  ctx.fillRect(chartArea.left, top, chartArea.right - chartArea.left, bottom - top);
  ctx.strokeStyle = theme.humanLine;
  ctx.setLineDash([2, 3]);
  ctx.beginPath();
  ctx.moveTo(chartArea.left, mean);
  ctx.lineTo(chartArea.right, mean);
  ctx.stroke();
  ctx.fillStyle = theme.dim;
  ctx.font = `11px ${theme.font}`;
  ctx.textBaseline = "top";
  const width = ctx.measureText(overlay.humanLabel).width;
  const ends = placedEnds(chart, overlay).map(({ at }) => [at, { x: at.x + END_LABEL.width, y: at.y }]);
  const place = freePlace(chart, mean, width, ends);
  ctx.fillText(overlay.humanLabel, place.x, place.y);
  ctx.restore();
}

const LABEL_HEIGHT = 13;

/** Where the band's label crosses no line: below or above the mean, at the right or the left end. */
function freePlace(chart: Chart, mean: number, width: number, ends: readonly (readonly Point[])[]): Point {
  const { left, right } = chart.chartArea;
  const xs = [right - 6 - width, left + 6];
  const ys = [mean + 4, mean - 4 - LABEL_HEIGHT];
  const places = ys.flatMap((y) => xs.map((x) => ({ x, y })));
  const lines = [...chart.data.datasets.map((_, dataset) => pointsOf(chart, dataset)), ...ends];
  const isFree = ({ x, y }: Point): boolean =>
    !lines.some((points) =>
      isCrossed(points, { left: x - 4, right: x + width + 4, top: y - 4, bottom: y + LABEL_HEIGHT + 4 }),
    );
  return places.find(isFree) ?? { x: xs[0] ?? left, y: ys[0] ?? mean };
}

/** Room that the figure at a line's end takes. */
const END_LABEL = { width: 33, height: LABEL_GAP } as const;

/** The measured points of a line, in pixels. */
function pointsOf(chart: Chart, dataset: number): readonly Point[] {
  const values = chart.data.datasets[dataset]?.data ?? [];
  return chart
    .getDatasetMeta(dataset)
    .data.flatMap(({ x, y }, index) => (values[index] == null ? [] : [{ x, y }]));
}

function drawModels(chart: Chart, overlay: Overlay): void {
  const y = chart.scales["y"];
  if (!y || overlay.models.length === 0) return;
  const { ctx, chartArea } = chart;
  const x = chartArea.right + STRIP.offset;
  ctx.save();
  ctx.strokeStyle = overlay.theme.dim;
  ctx.fillStyle = overlay.theme.dim;
  ctx.font = `10.5px ${overlay.theme.font}`;
  ctx.textBaseline = "middle";
  const places = overlay.models.map(({ name, value }) => ({ name, y: y.getPixelForValue(value) }));
  for (const place of places) {
    const at = Math.round(place.y) + 0.5;
    ctx.beginPath();
    ctx.moveTo(x, at);
    ctx.lineTo(x + STRIP.width, at);
    ctx.stroke();
  }
  for (const { name, y: at } of namedPlaces(places, MODEL_GAP)) ctx.fillText(name, x + STRIP.width + 4, at);
  ctx.restore();
}

const MODEL_GAP = 12;

interface PlacedEnd extends EndLabel {
  readonly point: Point;
  /** Middle of its left edge. */
  readonly at: Point;
}

/**
 * Where the figures at the ends of lines stand: below each other at the last place, and beside a run that ended earlier
 * where no other line runs.
 */
function placedEnds(chart: Chart, { ends }: Overlay): readonly PlacedEnd[] {
  const found = ends.flatMap((end) => {
    const point = end.text === "" ? undefined : pointsOf(chart, end.dataset).at(-1);
    return point ? [{ ...end, point }] : [];
  });
  const furthest = Math.max(...found.map(({ point }) => point.x));
  const last = found.filter(({ point }) => point.x >= furthest - 1);
  const places = spread(
    last.map(({ point }) => point.y),
    LABEL_GAP,
    chart.chartArea,
  );
  const placed: PlacedEnd[] = last.map((end, index) => ({
    ...end,
    at: { x: labelX(chart, end), y: places[index] ?? end.point.y },
  }));
  for (const end of found.filter((candidate) => !last.includes(candidate))) {
    const others = chart.data.datasets.map((_, dataset) => pointsOf(chart, dataset));
    const x = labelX(chart, end);
    const y = freeHeight({ x, y: end.point.y }, END_LABEL, chart.chartArea, [
      ...others.filter((_, dataset) => dataset !== end.dataset),
      ...placed.map(({ at }) => [at, { x: at.x + END_LABEL.width, y: at.y }]),
    ]);
    placed.push({ ...end, at: { x, y } });
  }
  return placed;
}

function drawEnds(chart: Chart, overlay: Overlay): void {
  const { ctx } = chart;
  ctx.save();
  ctx.textBaseline = "middle";
  ctx.lineJoin = "round";
  for (const { at, live, point, color, bold, text } of placedEnds(chart, overlay)) {
    if (live) drawStub(chart, { ...point, color });
    // The rim keeps figures readable on grid lines and on the lines of runs that go on.
    ctx.strokeStyle = overlay.theme.background;
    ctx.lineWidth = 3;
    ctx.fillStyle = color;
    ctx.font = `${bold ? "600 " : ""}11.5px ${overlay.theme.font}`;
    ctx.strokeText(text, at.x, at.y);
    ctx.fillText(text, at.x, at.y);
  }
  ctx.restore();
}

function labelX(chart: Chart, { live, point }: { readonly live: boolean; readonly point: Point }): number {
  return live ? stubEnd(chart, point) + 8 : point.x + 11;
}

/** Where the open end of a run in progress stands. */
function stubEnd({ chartArea }: Chart, { x }: Point): number {
  return Math.min(x + 34, chartArea.right - 4);
}

/** The open end of a run in progress. */
function drawStub(chart: Chart, end: { x: number; y: number; color: string }): void {
  const { ctx } = chart;
  const to = stubEnd(chart, end);
  ctx.save();
  ctx.strokeStyle = end.color;
  ctx.lineWidth = 1.5;
  ctx.setLineDash([2, 3]);
  ctx.beginPath();
  ctx.moveTo(end.x + 5, end.y);
  ctx.lineTo(to - 4, end.y);
  ctx.stroke();
  ctx.setLineDash([]);
  ctx.beginPath();
  ctx.arc(to, end.y, 3.5, 0, 2 * Math.PI);
  ctx.stroke();
  ctx.restore();
}

function drawRing(chart: Chart, overlay: Overlay): void {
  if (!overlay.ring) return;
  const { dataset, index } = overlay.ring;
  const point = chart.getDatasetMeta(dataset).data[index];
  // chart.js gives a missing value the place of 0.
  if (!point || chart.data.datasets[dataset]?.data[index] == null) return;
  const { ctx } = chart;
  ctx.save();
  ctx.strokeStyle = overlay.theme.foreground;
  ctx.lineWidth = 1.5;
  ctx.beginPath();
  ctx.arc(point.x, point.y, 9, 0, 2 * Math.PI);
  ctx.stroke();
  ctx.restore();
}

/** The plugin of one panel; `overlay` is asked at each drawing, so an update is a redraw. */
export function overlayPlugin(overlay: () => Overlay): Plugin<"line"> {
  return {
    id: "slopLensOverlay",
    beforeDatasetsDraw(chart) {
      const current = overlay();
      drawColumn(chart, current);
      drawHumanBand(chart, current);
      drawBands(chart, current);
    },
    afterDatasetsDraw(chart) {
      const current = overlay();
      drawModels(chart, current);
      drawRing(chart, current);
      drawEnds(chart, current);
    },
  };
}
