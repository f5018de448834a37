/** Draws the verdicts of runs over checkpoints: a row a run, a cell a checkpoint, two of the rows named A and B. */
import * as l10n from "@vscode/l10n";
import { duration, ratio, slope } from "../../src/core/report/format.js";
import type {
  Comparison,
  PlotPoint,
  PlotSelection,
  PlotSeries,
} from "../../src/core/report/plot-protocol.js";
import { svgElement } from "../dom.js";
import { type DrawnSeries, failedOf, type PageState, pointAt } from "./selection.js";
import { cellLabel, cellText } from "./strip.js";
import { checkpointCount, isReached, isScored, passesCore } from "./verdicts.js";
import { startWords } from "../language.js";

export interface HeatmapInput {
  readonly drawn: readonly DrawnSeries[];
  readonly selection: PlotSelection | undefined;
  readonly pair: Comparison | undefined;
  readonly cells: PageState["cells"];
}

export interface HeatmapEvents {
  readonly onOpen: (selection: PlotSelection) => void;
  /** A row was chosen as B, or as A with Shift. */
  readonly onCompare: (series: string, side: "a" | "b") => void;
}

const WIDTH = 1010;
const LEFT = 272;
const RIGHT = 788;
const ROW = 37;
const TOP = 30;
/** Right ends of the columns beside the cells. */
const FIGURES = [56, 126, 206] as const;

/** The drawing; a click on a cell opens its checkpoint, one on a run's name sets B, with Shift A. */
export function heatmap(input: HeatmapInput, label: string, events: HeatmapEvents): SVGSVGElement {
  return new Heatmap(input, events).toSvg(label);
}

class Heatmap {
  private readonly count: number;
  private readonly cell: number;

  constructor(
    private readonly input: HeatmapInput,
    private readonly events: HeatmapEvents,
  ) {
    this.count = Math.max(1, checkpointCount(input.drawn.map(({ series }) => series)));
    this.cell = (RIGHT - LEFT) / this.count;
  }

  toSvg(label: string): SVGSVGElement {
    const height = TOP + this.input.drawn.length * ROW + 34;
    const svg = svgElement("svg", { viewBox: `0 0 ${WIDTH} ${height}`, role: "img", "aria-label": label });
    svg.append(
      ...this.head(),
      ...this.input.drawn.flatMap((row, index) => this.row(row, index)),
      this.key(height),
    );
    return svg;
  }

  private head(): SVGElement[] {
    const numbers = Array.from({ length: this.count }, (_, index) => {
      const isWide = index === 0 && this.cell > 76;
      return this.text(
        LEFT + this.cell * (index + 0.5),
        TOP - 9,
        isWide ? l10n.t("Checkpoint {0}", 1) : String(index + 1),
        "middle dim",
      );
    });
    const titles = [l10n.t("Erosion"), l10n.t("Slope"), l10n.t("Agent time")];
    return [
      ...numbers,
      ...titles.map((title, at) => this.text(RIGHT + (FIGURES[at] ?? 0), TOP - 9, title, "end dim")),
    ];
  }

  private row(row: DrawnSeries, index: number): SVGElement[] {
    const { series } = row;
    const y = TOP + index * ROW;
    const { pair, selection } = this.input;
    const side = series.id === pair?.a ? "A" : series.id === pair?.b ? "B" : undefined;
    const focused = selection?.series === series.id;
    const last = series.points.findLast(({ erosion }) => erosion !== null);
    const seconds = series.points.flatMap(({ agentSeconds }) => agentSeconds ?? []);
    const time = seconds.length === 0 ? null : seconds.reduce((sum, one) => sum + one, 0);
    const figures = [ratio(last?.erosion), slope(series.slope.erosion), duration(time)];
    return [
      ...(focused
        ? [
            svgElement("rect", {
              class: "row focused",
              x: 22,
              y: y + 2,
              width: LEFT - 26,
              height: ROW - 4,
              rx: 2,
            }),
          ]
        : []),
      ...(side === undefined ? [] : this.badge(side, y)),
      this.name(series, y, side !== undefined),
      this.text(LEFT - 10, y + 23, startWords(series.startedAt), "end dim small"),
      ...Array.from({ length: this.count }, (_, column) => this.verdict(row, column, y)),
      ...figures.map((figure, at) =>
        this.text(RIGHT + (FIGURES[at] ?? 0), y + 23, figure, at === 0 ? "end" : "end dim"),
      ),
    ];
  }

  private badge(side: "A" | "B", y: number): SVGElement[] {
    const look = `badge ${side === "A" ? "run1" : "run2"}`;
    return [
      svgElement("rect", { class: look, x: 0.75, y: y + 10, width: 17, height: 17, rx: 2 }),
      this.text(9.25, y + 23, side, `middle bold ${look}`),
    ];
  }

  private name(series: PlotSeries, y: number, compared: boolean): SVGElement {
    const isolation = series.isolation === "local" ? ` · ${l10n.t("not isolated")}` : "";
    const full = `${series.label}${isolation}`;
    const created = this.text(
      26,
      y + 23,
      full.length > 24 ? `${full.slice(0, 23)}…` : full,
      compared ? "name bold" : "name",
    );
    created.append(svgElement("title", {}, `${full}\n${l10n.t("Click sets B, Shift+click A")}`));
    created.addEventListener("click", (event) => {
      this.events.onCompare(series.id, event.shiftKey ? "a" : "b");
    });
    return created;
  }

  private verdict({ series, name }: DrawnSeries, column: number, y: number): SVGElement {
    const order = column + 1;
    const point = pointAt(series, order);
    const x = LEFT + this.cell * column;
    const frame = { x: x + 2, y: y + 2, width: this.cell - 4, height: ROW - 4, rx: 2 };
    if (!isReached(point)) {
      const words = this.cell > 70 ? l10n.t("not reached") : "–";
      const absent = svgElement("g", {});
      absent.append(
        svgElement("rect", { class: "cell absent", ...frame }),
        this.text(x + this.cell / 2, y + 22, words, "middle dim small"),
      );
      return absent;
    }
    const { selection } = this.input;
    const selected = selection?.series === series.id && selection.order === order ? " selected" : "";
    const { text, kind, strength } = this.content(point);
    const created = svgElement("g", { class: "pick" });
    created.append(
      svgElement("rect", { class: `cell ${kind}${selected}`, ...frame, "fill-opacity": strength }),
      this.text(x + this.cell / 2, y + 23, text, "middle"),
      svgElement(
        "title",
        {},
        [cellLabel(name, point), point.reason ?? ""].filter((line) => line !== "").join("\n"),
      ),
    );
    created.addEventListener("click", () => {
      this.events.onOpen({ series: series.id, order });
    });
    return created;
  }

  /** Text, look and strength of a cell. Failed tests by their part, 0.05 to 0.42; ratios as they are. */
  private content(point: PlotPoint): { text: string; kind: string; strength: number } {
    const { cells } = this.input;
    if (cells !== "failed") {
      const value = point[cells];
      return { text: ratio(value), kind: cells, strength: value === null ? 0 : 0.42 * Math.min(1, value) };
    }
    const { failed, total } = failedOf(point);
    if (!isScored(point)) return { text: cellText(point), kind: "unscored", strength: 0 };
    if (failed === 0) return { text: cellText(point), kind: "passed", strength: 0 };
    const kind = passesCore(point) ? "failed" : "failed no-core";
    return { text: cellText(point), kind, strength: 0.05 + (0.37 * failed) / total };
  }

  private key(height: number): SVGElement {
    const words =
      this.input.cells === "failed"
        ? l10n.t(
            "Number: failed tests.   ✓ all passed   ◐ core passed   ✕ core failed   △ infrastructure, not scored",
          )
        : l10n.t("– not measured");
    return this.text(LEFT, height - 12, words, "dim small");
  }

  private text(x: number, y: number, content: string, look: string): SVGTextElement {
    return svgElement("text", { x, y, class: look }, content);
  }
}
