/** Draws a trajectory as it is played: what is past in solid lines, what comes dotted, a cursor between them. */
import * as l10n from "@vscode/l10n";
import { change, MISSING, ratio, share } from "../../src/core/report/format.js";
import type { PlayData, PlayStep } from "../../src/core/report/play-protocol.js";
import { svgElement } from "../dom.js";
import { spokenErosion } from "../spoken.js";
import { spread } from "../plot/placing.js";

/** Room left of the first and right of the last checkpoint, in pixels; the slider lies between. */
export const CHART_LEFT = 96;
export const CHART_RIGHT = 124;
/** Height of the slider and what stands below it. */
const FEET = 62;
const TOP = 12;
const LABEL_GAP = 15;
const BOX = { width: 188, height: 44, gap: 10 } as const;

export interface ChartSize {
  readonly width: number;
  readonly height: number;
}

/** Where a step stands, in pixels from the left. */
export function xOf(index: number, count: number, width: number): number {
  const room = Math.max(0, width - CHART_LEFT - CHART_RIGHT);
  return count < 2 ? CHART_LEFT + room / 2 : CHART_LEFT + (room * index) / (count - 1);
}

/** Height of the slider's middle, in pixels from the top. */
export function sliderY({ height }: ChartSize): number {
  return height - FEET + 10;
}

interface Line {
  readonly name: string;
  readonly label: string;
  readonly values: readonly (number | null)[];
}

/** The layers of the picture below the cursor, and the box beside it. */
export function chartLayers(data: PlayData, at: number, size: ChartSize): SVGElement[] {
  return new ChartDrawing(data, at, size).layers();
}

class ChartDrawing {
  private readonly lines: readonly Line[];
  private readonly bottom: number;

  constructor(
    private readonly data: PlayData,
    private readonly at: number,
    private readonly size: ChartSize,
  ) {
    this.bottom = sliderY(size) - 22;
    this.lines = [
      { name: "erosion", label: `● ${l10n.t("erosion")}`, values: data.steps.map(({ erosion }) => erosion) },
      {
        name: "share",
        label: `■ ${l10n.t("{0} share", data.followed?.name ?? "")}`,
        values: data.steps.map(({ followed }) => followed?.share ?? null),
      },
    ];
  }

  layers(): SVGElement[] {
    const right = this.size.width - CHART_RIGHT;
    return [
      ...this.humans(right),
      ...[0, 0.5, 1].flatMap((value) => [
        svgElement("line", {
          class: "grid",
          ...{ x1: CHART_LEFT - 20, x2: right + 20, y1: this.yOf(value), y2: this.yOf(value) },
        }),
        this.text(CHART_LEFT - 28, this.yOf(value) + 4, value.toFixed(1), "dim end"),
      ]),
      ...this.lines.flatMap((line) => this.line(line)),
      ...this.names(right),
      ...this.feet(),
      ...this.box(),
    ];
  }

  private humans(right: number): SVGElement[] {
    const { human } = this.data;
    if (human === undefined) return [];
    const top = this.yOf(Math.min(1, human.mean + human.sd));
    const bottom = this.yOf(Math.max(0, human.mean - human.sd));
    const mean = this.yOf(human.mean);
    const [x, width] = [CHART_LEFT - 20, right - CHART_LEFT + 40];
    return [
      svgElement("rect", { class: "band", x, y: top, width, height: bottom - top }),
      svgElement("line", { class: "human", x1: x, x2: x + width, y1: mean, y2: mean }),
    ];
  }

  /** Solid up to the present step, dotted from there on; interrupted where nothing was measured. */
  private line({ name, values }: Line): SVGElement[] {
    const pieces = values.slice(1).flatMap((value, index) => {
      const before = values[index];
      if (value === null || before == null) return [];
      const ends = { x1: this.x(index), x2: this.x(index + 1), y1: this.yOf(before), y2: this.yOf(value) };
      return [svgElement("line", { class: `line ${name} ${this.time(index + 1)}`, ...ends })];
    });
    const marks = values.flatMap((value, index): SVGElement[] => {
      if (value === null) return [];
      const [x, y] = [this.x(index), this.yOf(value)];
      const look = `mark ${name} ${this.time(index)}`;
      return name === "share"
        ? [svgElement("rect", { class: look, x: x - 3, y: y - 3, width: 6, height: 6 })]
        : [svgElement("circle", { class: look, cx: x, cy: y, r: 3.4 })];
    });
    return [...pieces, ...marks];
  }

  /** The names of the lines at their ends, and that of the band. */
  private names(right: number): SVGElement[] {
    const { human } = this.data;
    const named = [
      ...this.lines.flatMap(({ name, label, values }) => {
        const last = values.findLast((value) => value !== null);
        return last == null ? [] : [{ name, label, y: this.yOf(last) }];
      }),
      ...(human === undefined
        ? []
        : [{ name: "dim", label: l10n.t("humans {0}", ratio(human.mean)), y: this.yOf(human.mean) }]),
    ];
    const places = spread(
      named.map(({ y }) => y),
      LABEL_GAP,
      { bottom: this.bottom + LABEL_GAP },
    );
    return named.map(({ name, label, y }, index) =>
      this.text(right + 26, (places[index] ?? y) + 4, shortened(label), `name ${name}`),
    );
  }

  /** The slider's track, and number and complexity below each of its stops. */
  private feet(): SVGElement[] {
    const { steps, followed } = this.data;
    const y = sliderY(this.size);
    const [first, last] = [this.x(0), this.x(steps.length - 1)];
    const dots = steps.flatMap((step, index) => [
      svgElement("circle", { class: `stop ${this.time(index)}`, cx: this.x(index), cy: y, r: 3 }),
      this.text(
        this.x(index),
        y + 24,
        index === 0 ? l10n.t("Checkpoint {0}", step.order) : String(step.order),
        `middle ${index === this.at ? "now" : "dim"}`,
      ),
      this.text(this.x(index), y + 41, ccOf(step), "middle dim"),
    ]);
    const name =
      followed === undefined
        ? []
        : [this.text(CHART_LEFT - 34, y + 41, shortened(followed.name, 9), "end name share")];
    return [
      svgElement("line", { class: "track", x1: first, x2: last, y1: y, y2: y }),
      svgElement("line", { class: "track past", x1: first, x2: this.x(this.at), y1: y, y2: y }),
      ...dots,
      ...name,
    ];
  }

  /** The present figures beside the cursor, where the lines leave most room. */
  private box(): SVGElement[] {
    const now = this.data.steps[this.at];
    if (now === undefined) return [];
    const rows = boxRows(now, this.data.steps[this.at - 1]);
    const heights = this.lines.flatMap(({ values }) => {
      const value = values[this.at];
      return value == null ? [] : [this.yOf(value)];
    });
    const edges = [TOP - 8, ...heights.sort((a, b) => a - b), this.bottom + 8];
    const gaps = edges.slice(1).map((to, index) => ({ from: edges[index] ?? to, to }));
    const widest = gaps.reduce((best, gap) => (gap.to - gap.from > best.to - best.from ? gap : best), {
      from: TOP,
      to: TOP,
    });
    const y = (widest.from + widest.to - BOX.height) / 2;
    const x = this.x(this.at);
    const isLeft = x + BOX.gap + BOX.width > this.size.width - CHART_RIGHT + 20;
    const left = isLeft ? x - BOX.gap - BOX.width : x + BOX.gap;
    return [
      svgElement("rect", { class: "box", x: left, y, width: BOX.width, height: BOX.height, rx: 3 }),
      this.text(left + 10, y + 18, rows.erosion, "name erosion"),
      this.text(left + 10, y + 35, rows.share, "name share"),
    ];
  }

  private time(index: number): "past" | "future" {
    return index <= this.at ? "past" : "future";
  }

  private x(index: number): number {
    return xOf(index, this.data.steps.length, this.size.width);
  }

  private yOf(value: number): number {
    return this.bottom - (this.bottom - TOP) * Math.max(0, Math.min(1, value));
  }

  private text(x: number, y: number, content: string, look: string): SVGElement {
    return svgElement("text", { x, y, class: look }, content);
  }
}

function boxRows(now: PlayStep, before: PlayStep | undefined): { erosion: string; share: string } {
  const percent = (step: PlayStep | undefined): number | undefined =>
    step?.followed == null ? undefined : step.followed.share * 100;
  const held = now.followed === null ? MISSING : l10n.t("{0} of the snapshot", share(now.followed.share));
  return {
    erosion: ["●", ratio(now.erosion), change(now.erosion, before?.erosion)].join(" ").trim(),
    share: ["■", held, change(percent(now), percent(before), 0)].join(" ").trim(),
  };
}

function ccOf({ followed }: PlayStep): string {
  return followed === null ? MISSING : `CC ${followed.cc}`;
}

function shortened(name: string, most = 15): string {
  return name.length > most ? `${name.slice(0, most - 1)}…` : name;
}

/** What the picture says at a step, for a screen reader. */
export function spokenStep(data: PlayData, at: number): string {
  const now = data.steps[at];
  if (now === undefined) return "";
  const erosion = spokenErosion(now.erosion, data.steps[at - 1]?.erosion);
  const place = [now.order, at + 1, data.steps.length, erosion];
  const { followed } = now;
  if (followed === null) return l10n.t("Checkpoint {0}, {1} of {2}: {3}.", ...place);
  return l10n.t(
    "Checkpoint {0}, {1} of {2}: {3}; {4} holds {5} percent of the mass of the snapshot, complexity {6}.",
    ...[...place, followed.name, Math.round(followed.share * 100), followed.cc],
  );
}
