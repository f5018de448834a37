/** Draws a trajectory as it is played: what is past in solid lines, what comes dotted, a cursor between them. */
import * as l10n from "@vscode/l10n";
import { change, MISSING, ratio, share } from "../../src/core/report/format.js";
import type { PlayData, PlayStep } from "../../src/core/report/play-protocol.js";
import { svgElement } from "../dom.js";
import { spokenErosion } from "../spoken.js";
import { shortened, spread } from "../plot/placing.js";

/** Room left of the first and right of the last checkpoint, in pixels; the slider lies between. */
const WIDE = { left: 96, right: 124 } as const;
const NARROW = { left: 40, right: 24 } as const;
/** Below this width the lines have no names at their ends; the box beside the cursor has them. */
const NARROW_WIDTH = 520;

function isNarrow(width: number): boolean {
  return width < NARROW_WIDTH;
}

export function chartMargins(width: number): { readonly left: number; readonly right: number } {
  return isNarrow(width) ? NARROW : WIDE;
}
/** Height of the slider and what stands below it. */
const FEET = 62;
const TOP = 12;
const LABEL_GAP = 15;
/** Room that a figure below the slider takes. */
const FOOT_WIDTH = 44;
const BOX = { width: 188, height: 44, gap: 10 } as const;

export interface ChartSize {
  readonly width: number;
  readonly height: number;
}

/** Where a step stands, in pixels from the left. */
export function xOf(index: number, count: number, width: number): number {
  const { left, right } = chartMargins(width);
  const room = Math.max(0, width - left - right);
  return count < 2 ? left + room / 2 : left + (room * index) / (count - 1);
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
  private readonly left: number;
  private readonly right: number;
  private readonly isNarrow: boolean;

  constructor(
    private readonly data: PlayData,
    private readonly at: number,
    private readonly size: ChartSize,
  ) {
    this.bottom = sliderY(size) - 22;
    const margins = chartMargins(size.width);
    this.left = margins.left;
    this.right = size.width - margins.right;
    this.isNarrow = isNarrow(size.width);
    this.lines = [
      { name: "erosion", label: `● ${l10n.t("erosion")}`, values: data.steps.map(({ erosion }) => erosion) },
      {
        name: "share",
        label: `■ ${l10n.t("{0} share", shortened(data.followed?.name ?? "", 7))}`,
        values: data.steps.map(({ followed }) => followed?.share ?? null),
      },
    ];
  }

  layers(): SVGElement[] {
    const overhang = this.isNarrow ? 6 : 20;
    return [
      ...this.humans(overhang),
      ...[0, 0.5, 1].flatMap((value) => [
        svgElement("line", {
          class: "grid",
          ...{ x1: this.left - overhang, x2: this.right + overhang },
          ...{ y1: this.yOf(value), y2: this.yOf(value) },
        }),
        this.text(this.left - overhang - 8, this.yOf(value) + 4, value.toFixed(1), "dim end"),
      ]),
      ...this.lines.flatMap((line) => this.line(line)),
      ...(this.isNarrow ? [] : this.names()),
      ...this.feet(),
      ...this.box(),
    ];
  }

  private humans(overhang: number): SVGElement[] {
    const { human } = this.data;
    if (human === undefined) return [];
    const top = this.yOf(Math.min(1, human.mean + human.sd));
    const bottom = this.yOf(Math.max(0, human.mean - human.sd));
    const mean = this.yOf(human.mean);
    const [x, width] = [this.left - overhang, this.right - this.left + 2 * overhang];
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
  private names(): SVGElement[] {
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
      this.text(this.right + 26, (places[index] ?? y) + 4, label, `name ${name}`),
    );
  }

  /** The slider's track, and number and complexity below each of its stops. */
  private feet(): SVGElement[] {
    const { steps, followed } = this.data;
    const y = sliderY(this.size);
    const [first, last] = [this.x(0), this.x(steps.length - 1)];
    const room = steps.length < 2 ? this.right - this.left : this.x(1) - this.x(0);
    const told = toldSteps(steps.length, this.at, room);
    const dots = steps.flatMap((step, index) => [
      svgElement("circle", { class: `stop ${this.time(index)}`, cx: this.x(index), cy: y, r: 3 }),
      ...(told.has(index) ? this.foot(step, index, room) : []),
    ]);
    const name =
      followed === undefined || this.isNarrow
        ? []
        : [this.text(this.left - 34, y + 41, shortened(followed.name, 8), "end name share", followed.name)];
    return [
      svgElement("line", { class: "track", x1: first, x2: last, y1: y, y2: y }),
      svgElement("line", { class: "track past", x1: first, x2: this.x(this.at), y1: y, y2: y }),
      ...dots,
      ...name,
    ];
  }

  private foot(step: PlayStep, index: number, room: number): SVGElement[] {
    const y = sliderY(this.size);
    const isWhole = index === 0 && room > 60;
    const words = isWhole ? l10n.t("Checkpoint {0}", step.order) : String(step.order);
    return [
      this.text(this.x(index), y + 24, words, `middle ${index === this.at ? "now" : "dim"}`),
      this.text(this.x(index), y + 41, ccOf(step), "middle dim"),
    ];
  }

  /** The present figures beside the cursor, where the lines leave most room. */
  private box(): SVGElement[] {
    const now = this.data.steps[this.at];
    if (now === undefined) return [];
    const rows = boxRows(
      now,
      this.data.steps[this.at - 1],
      this.isNarrow ? this.data.followed?.name : undefined,
    );
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
    const isLeft = x + BOX.gap + BOX.width > this.right + 20;
    const beside = isLeft ? x - BOX.gap - BOX.width : x + BOX.gap;
    const left = Math.max(4, Math.min(this.size.width - BOX.width - 4, beside));
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

  private text(x: number, y: number, content: string, look: string, whole = content): SVGElement {
    const drawn = svgElement("text", { x, y, class: look }, content);
    if (whole !== content) drawn.append(svgElement("title", {}, whole));
    return drawn;
  }
}

/** Steps that have a figure below them: the present one, and of the others as many as there is room for. */
export function toldSteps(count: number, at: number, room: number): ReadonlySet<number> {
  const every = Math.max(1, Math.ceil(FOOT_WIDTH / Math.max(1, room)));
  const all = Array.from({ length: count }, (_, index) => index);
  return new Set(all.filter((index) => Math.abs(index - at) % every === 0));
}

/** @param name of the followed callable where nothing else in the picture has it */
function boxRows(
  now: PlayStep,
  before: PlayStep | undefined,
  name: string | undefined,
): { erosion: string; share: string } {
  const percent = (step: PlayStep | undefined): number | undefined =>
    step?.followed == null ? undefined : step.followed.share * 100;
  const part = now.followed === null ? MISSING : share(now.followed.share);
  const isNamed = name !== undefined;
  const held = now.followed === null || isNamed ? part : l10n.t("{0} of the snapshot", part);
  return {
    erosion: [
      "●",
      ...(isNamed ? [l10n.t("erosion")] : []),
      ratio(now.erosion),
      change(now.erosion, before?.erosion),
    ]
      .join(" ")
      .trim(),
    share: ["■", ...(isNamed ? [shortened(name, 12)] : []), held, change(percent(now), percent(before), 0)]
      .join(" ")
      .trim(),
  };
}

function ccOf({ followed }: PlayStep): string {
  return followed === null ? MISSING : `CC ${followed.cc}`;
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
