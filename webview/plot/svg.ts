/** The plot as a vector picture: what the canvases show, drawn from the same data. Pure. */
import { GROUPS, type Group } from "../../src/core/model/problem.js";
import type { PlotPoint, PlotReferences } from "../../src/core/report/plot-protocol.js";
import { ratio } from "../../src/core/report/format.js";
import { styleOf } from "./markers.js";
import { axisOf, isEmpty, type Metric } from "./metrics.js";
import { spread } from "./placing.js";
import { type DrawnSeries, type PageState } from "./selection.js";
import type { Slot } from "./slots.js";
import type { Theme } from "./theme.js";
import { shownSlots } from "./zoom.js";

export interface SvgInput {
  readonly title: string;
  readonly drawn: readonly DrawnSeries[];
  readonly references: PlotReferences;
  readonly theme: Theme;
  readonly metrics: readonly Metric[];
  readonly state: Pick<PageState, "axis" | "human" | "zoom">;
}

interface Frame {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

const WIDTH = 900;
const MARGIN = 24;
const AXIS = 44;
const ENDS = 70;
const LEGEND_ROW = 18;
const PANEL = { height: 220, gap: 46 } as const;
const GROUP = { height: 90, gap: 18 } as const;

/** @returns a standalone SVG document */
export function svgOf(input: SvgInput): string {
  const slots = shownSlots(input.drawn, input.state);
  const legendTop = MARGIN + 24;
  let top = legendTop + input.drawn.length * LEGEND_ROW + 30;
  const metrics = input.metrics.map((metric) => {
    const frame = { left: MARGIN + AXIS, top, width: WIDTH - 2 * MARGIN - AXIS - ENDS, height: PANEL.height };
    top += PANEL.height + PANEL.gap;
    return metricPanel(input, slots, metric, frame);
  });
  const groupWidth = (WIDTH - 2 * MARGIN - AXIS) / GROUPS.length - GROUP.gap;
  const groups = GROUPS.map((group, index) => {
    const left = MARGIN + AXIS + index * (groupWidth + GROUP.gap);
    return groupPanel(input, slots, group, { left, top, width: groupWidth, height: GROUP.height });
  });
  const height = top + GROUP.height + MARGIN + 20;
  const body = [
    `<rect width="${WIDTH}" height="${height}" fill="${input.theme.background}"/>`,
    text(MARGIN, MARGIN + 6, input.title, { fill: input.theme.foreground, bold: true, size: 14 }),
    ...input.drawn.map((drawn, index) => legendEntry(drawn, input.theme, legendTop + index * LEGEND_ROW)),
    ...metrics,
    ...groups,
  ];
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${height}" viewBox="0 0 ${WIDTH} ${height}"`,
    ` font-family="${escape(input.theme.font)}" font-size="11" role="img" aria-label="${escape(input.title)}">`,
    ...body,
    "</svg>\n",
  ].join("\n");
}

function metricPanel(input: SvgInput, slots: readonly Slot[], metric: Metric, frame: Frame): string {
  const points = input.drawn.flatMap(({ series }) => series.points);
  const { top, step, tick } = axisOf(metric, points);
  const yOf = (value: number): number => frame.top + frame.height * (1 - value / top);
  const ticks = Array.from({ length: Math.round(top / step) + 1 }, (_, index) => index * step);
  const lines = input.drawn.map((drawn) => line(drawn, slots, metric.value, frame, yOf, input.theme));
  const ends = endLabels(input, slots, metric, frame, yOf);
  return [
    text(frame.left, frame.top - 12, metric.title, { fill: input.theme.foreground, bold: true, size: 12 }),
    ...ticks.map((value) => gridLine(frame, yOf(value), tick(value), input.theme)),
    humanBand(input, metric, frame, yOf),
    ...slots.map((slot, index) =>
      text(
        slotX(frame, slots.length, index),
        frame.top + frame.height + 16,
        index === 0 ? slot.title : slot.label,
        {
          fill: input.theme.dim,
          anchor: "middle",
        },
      ),
    ),
    ...lines,
    ...ends,
    isEmpty(metric, points)
      ? text(frame.left + frame.width / 2, frame.top + 20, metric.none, {
          fill: input.theme.dim,
          anchor: "middle",
        })
      : "",
  ].join("\n");
}

function groupPanel(input: SvgInput, slots: readonly Slot[], group: Group, frame: Frame): string {
  const yOf = (value: number): number => frame.top + frame.height * (1 - value);
  const value = (point: PlotPoint): number | null => {
    const { passed, total } = point.passRates[group];
    return total === 0 ? null : passed / total;
  };
  return [
    text(frame.left, frame.top - 8, group, { fill: input.theme.foreground, bold: true, size: 11 }),
    ...[0, 0.5, 1].map((tick) => gridLine(frame, yOf(tick), `${tick * 100}`, input.theme)),
    ...input.drawn.map((drawn) => line(drawn, slots, value, frame, yOf, input.theme)),
  ].join("\n");
}

function humanBand(
  { references, state, theme }: SvgInput,
  { published }: Metric,
  frame: Frame,
  yOf: (value: number) => number,
): string {
  const panel = references.humans.find(({ name }) => name === state.human);
  const human = published && panel?.[published];
  if (!human) return "";
  const top = Math.max(frame.top, yOf(human.mean + human.sd));
  const bottom = Math.min(frame.top + frame.height, yOf(human.mean - human.sd));
  const right = frame.left + frame.width;
  return [
    `<rect x="${frame.left}" y="${round(top)}" width="${round(frame.width)}" height="${round(bottom - top)}" fill="${theme.humanBand}"/>`,
    `<line x1="${frame.left}" x2="${round(right)}" y1="${round(yOf(human.mean))}" y2="${round(yOf(human.mean))}" stroke="${theme.humanLine}" stroke-dasharray="2 3"/>`,
    text(right - 4, yOf(human.mean) + 13, `${state.human}: ${ratio(human.mean)} ± ${ratio(human.sd)}`, {
      fill: theme.dim,
      anchor: "end",
    }),
  ].join("\n");
}

/** One run's line, interrupted where nothing was measured, with its markers. */
function line(
  { series, style }: DrawnSeries,
  slots: readonly Slot[],
  value: (point: PlotPoint) => number | null,
  frame: Frame,
  yOf: (value: number) => number,
  theme: Theme,
): string {
  const color = theme.runs[style] ?? theme.foreground;
  let path = "";
  let pen = "M";
  const markers: string[] = [];
  slots.forEach((slot, index) => {
    const point = slot.pointOf(series);
    const at = point ? value(point) : null;
    if (at === null) {
      pen = "M";
      return;
    }
    const [x, y] = [slotX(frame, slots.length, index), yOf(at)];
    path += `${pen}${round(x)} ${round(y)}`;
    pen = "L";
    markers.push(marker(style, x, y, color));
  });
  const dash = styleOf(style).dash.join(" ");
  const dashed = dash === "" ? "" : ` stroke-dasharray="${dash}"`;
  return `<path d="${path}" fill="none" stroke="${color}" stroke-width="2"${dashed}/>${markers.join("")}`;
}

function endLabels(
  { drawn, theme }: SvgInput,
  slots: readonly Slot[],
  metric: Metric,
  frame: Frame,
  yOf: (value: number) => number,
): string[] {
  const ends = drawn.flatMap(({ series, style }) => {
    const last = slots.flatMap((slot, index) => {
      const point = slot.pointOf(series);
      const value = point ? metric.value(point) : null;
      return value === null ? [] : [{ index, value, style }];
    });
    return last.slice(-1);
  });
  const places = spread(
    ends.map(({ value }) => yOf(value)),
    13,
    { bottom: frame.top + frame.height },
  );
  return ends.map(({ index, value, style }, at) =>
    text(slotX(frame, slots.length, index) + 10, (places[at] ?? yOf(value)) + 4, metric.text(value), {
      fill: theme.runs[style] ?? theme.foreground,
      bold: true,
    }),
  );
}

function legendEntry({ series, name, style }: DrawnSeries, theme: Theme, top: number): string {
  const color = theme.runs[style] ?? theme.foreground;
  const isolation = series.isolation === "local" ? " · not isolated" : "";
  return [
    marker(style, MARGIN + 6, top, color),
    text(MARGIN + 18, top + 4, `${name}${isolation}`, { fill: theme.foreground }),
  ].join("");
}

function marker(style: number, x: number, y: number, color: string): string {
  const at = `transform="translate(${round(x)} ${round(y)})" fill="${color}"`;
  const shapes = {
    circle: `<circle r="3.5" ${at}/>`,
    rectRot: `<path d="M0-4.5L4.5 0L0 4.5L-4.5 0z" ${at}/>`,
    triangle: `<path d="M0-4L4 3.5H-4z" ${at}/>`,
    rect: `<path d="M-3.2-3.2h6.4v6.4h-6.4z" ${at}/>`,
  };
  return shapes[styleOf(style).point];
}

function gridLine(frame: Frame, y: number, label: string, theme: Theme): string {
  return [
    `<line x1="${frame.left}" x2="${round(frame.left + frame.width)}" y1="${round(y)}" y2="${round(y)}" stroke="${theme.dim}" stroke-opacity="0.25"/>`,
    text(frame.left - 8, y + 4, label, { fill: theme.dim, anchor: "end" }),
  ].join("");
}

function slotX(frame: Frame, count: number, index: number): number {
  return frame.left + (frame.width * (index + 0.5)) / Math.max(1, count);
}

interface TextLook {
  readonly fill: string;
  readonly bold?: boolean;
  readonly size?: number;
  readonly anchor?: "middle" | "end";
}

function text(x: number, y: number, content: string, { fill, bold, size, anchor }: TextLook): string {
  const attributes = [
    bold === true ? ' font-weight="600"' : "",
    size === undefined ? "" : ` font-size="${size}"`,
    anchor === undefined ? "" : ` text-anchor="${anchor}"`,
  ].join("");
  return `<text x="${round(x)}" y="${round(y)}" fill="${fill}"${attributes}>${escape(content)}</text>`;
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}

function escape(content: string): string {
  return content
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;");
}
