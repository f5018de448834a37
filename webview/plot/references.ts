/** Draws what chart.js has no element for: human band, model ticks, selected column and ring, end labels, live stub. */
import type { Chart, ChartArea, Plugin } from "chart.js";
import type { Reference } from "../../src/core/report/plot-protocol.js";
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
  readonly human: Reference | undefined;
  readonly humanLabel: string;
  readonly models: readonly { readonly name: string; readonly value: number }[];
  /** Index on the x axis. */
  readonly column: number | undefined;
  readonly ring: { readonly dataset: number; readonly index: number } | undefined;
  readonly ends: readonly EndLabel[];
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
  ctx.fillText(overlay.humanLabel, humanLabelX(chart, mean + 4, width), mean + 4);
  ctx.restore();
}

/** The right end of the band, or its left end where the label would lie on a line's end. */
function humanLabelX(chart: Chart, top: number, width: number): number {
  const { left, right } = chart.chartArea;
  const atRight = right - 6 - width;
  const isTaken = chart.data.datasets.some((_, dataset) => {
    const end = lastPoint(chart, dataset);
    return end !== undefined && end.x > atRight - 8 && end.y > top - 8 && end.y < top + 20;
  });
  return isTaken ? left + 6 : atRight;
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
  const named = namedModels(overlay.models);
  for (const { value } of overlay.models) {
    const at = Math.round(y.getPixelForValue(value)) + 0.5;
    ctx.beginPath();
    ctx.moveTo(x, at);
    ctx.lineTo(x + STRIP.width, at);
    ctx.stroke();
  }
  const places = spread(
    named.map(({ value }) => y.getPixelForValue(value)),
    11.5,
    chartArea,
  );
  named.forEach(({ name }, index) => {
    ctx.fillText(name, x + STRIP.width + 4, places[index] ?? 0);
  });
  ctx.restore();
}

/** The models whose names are written: lowest, highest, and those a quarter, a half and three quarters between. */
function namedModels<Model extends { readonly value: number }>(models: readonly Model[]): readonly Model[] {
  const sorted = [...models].sort((left, right) => left.value - right.value);
  const picks = [0, 0.25, 0.5, 0.75, 1].map((part) => Math.round(part * (sorted.length - 1)));
  return [...new Set(picks)].flatMap((index) => sorted[index] ?? []);
}

/** Moves label centres apart so that none lies closer than `gap` to the next; keeps their order and the area. */
export function spread(
  centres: readonly number[],
  gap: number,
  area: Pick<ChartArea, "bottom">,
): readonly number[] {
  const order = centres.map((_, index) => index).sort((a, b) => (centres[a] ?? 0) - (centres[b] ?? 0));
  const placed = [...centres];
  let previous = -Infinity;
  for (const index of order) {
    previous = Math.max(centres[index] ?? 0, previous + gap);
    placed[index] = previous;
  }
  let next = area.bottom + gap;
  for (const index of order.toReversed()) {
    next = Math.min(placed[index] ?? 0, next - gap);
    placed[index] = next;
  }
  return placed;
}

function lastPoint(chart: Chart, dataset: number): { x: number; y: number } | undefined {
  const meta = chart.getDatasetMeta(dataset);
  const point = meta.data.findLast((candidate) => !("skip" in candidate && candidate.skip === true));
  return point && { x: point.x, y: point.y };
}

function drawEnds(chart: Chart, overlay: Overlay): void {
  const { ctx, chartArea } = chart;
  const ends = overlay.ends.flatMap((end) => {
    const point = lastPoint(chart, end.dataset);
    return point ? [{ ...end, ...point }] : [];
  });
  const places = spread(
    ends.map((end) => end.y),
    LABEL_GAP,
    chartArea,
  );
  ctx.save();
  ctx.textBaseline = "middle";
  ends.forEach((end, index) => {
    const labelX = end.live ? drawStub(chart, end) : end.x + 11;
    ctx.fillStyle = end.color;
    ctx.font = `${end.bold ? "600 " : ""}11.5px ${overlay.theme.font}`;
    ctx.fillText(end.text, labelX, places[index] ?? end.y);
  });
  ctx.restore();
}

/** The open end of a run in progress; returns where its label begins. */
function drawStub(chart: Chart, end: { x: number; y: number; color: string }): number {
  const { ctx, chartArea } = chart;
  const to = Math.min(end.x + 34, chartArea.right - 4);
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
  return to + 8;
}

function drawRing(chart: Chart, overlay: Overlay): void {
  if (!overlay.ring) return;
  const point = chart.getDatasetMeta(overlay.ring.dataset).data[overlay.ring.index];
  if (!point || Number.isNaN(point.y)) return;
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
    },
    afterDatasetsDraw(chart) {
      const current = overlay();
      drawModels(chart, current);
      drawRing(chart, current);
      drawEnds(chart, current);
    },
  };
}
