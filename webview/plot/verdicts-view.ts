/** The page's Verdicts view: all runs over all checkpoints, and two of them head to head. */
import * as l10n from "@vscode/l10n";
import type { HeadToHead } from "../../src/core/report/head-to-head.js";
import type { Comparison, PlotSelection, ToPlotHost } from "../../src/core/report/plot-protocol.js";
import { element, keepingFocus } from "../dom.js";
import { headToHeadPart } from "./head-to-head.js";
import { heatmap } from "./heatmap.js";
import { type DrawnSeries, type PageState, pointAt } from "./selection.js";
import { cellLabel } from "./strip.js";
import { comparableWith, comparedPair, verdictSentence } from "./verdicts.js";

export interface VerdictsEvents {
  readonly onChange: (part: Partial<PageState>) => void;
  readonly onOpen: (selection: PlotSelection) => void;
  readonly post: (message: ToPlotHost) => void;
}

export class VerdictsView {
  readonly root = element("div", { class: "verdicts" });
  private readonly upper = element("div", { class: "heatmap" });
  private readonly lower = element("div");
  /** What the host was last asked for, and what it answered. */
  private asked = "";
  private result: HeadToHead | "missing" | undefined;
  private compared = "";
  private drawn: readonly DrawnSeries[] = [];
  private pair: Comparison | undefined;

  constructor(private readonly events: VerdictsEvents) {
    this.root.append(this.upper, this.lower);
  }

  /** Draws rows in their order. @returns what the picture says, for a screen reader */
  render(drawn: readonly DrawnSeries[], selection: PlotSelection | undefined, state: PageState): string {
    this.drawn = drawn;
    const rows = drawn.map(({ series }) => series);
    this.pair = comparedPair(rows, state);
    const sentence = verdictSentence(rows);
    const label = `${sentence}. ${selectedWords(drawn, selection)}`.trim();
    const picture = heatmap({ drawn, selection, pair: this.pair, cells: state.cells }, label, {
      onOpen: this.events.onOpen,
      onCompare: (series, side) => {
        this.choose(series, side);
      },
    });
    this.upper.replaceChildren(element("h2", {}, sentence), picture);
    this.ask();
    this.renderLower();
    return label;
  }

  /** Makes a run A or B; the one that it was takes the other's place. */
  choose(series: string, side: "a" | "b"): void {
    const { a, b } = this.pair ?? {};
    const other = side === "a" ? b : a;
    const swapped = series === other ? (side === "a" ? a : b) : this.comparable(series, other);
    this.events.onChange(side === "a" ? { a: series, b: swapped } : { a: swapped, b: series });
  }

  /** A run's id when it can be compared with another. */
  private comparable(one: string, other: string | undefined): string | undefined {
    const rows = this.drawn.map(({ series }) => series);
    const series = rows.find(({ id }) => id === one);
    return series && comparableWith(series, rows).find(({ id }) => id === other)?.id;
  }

  /** The runs were read anew, so that what was compared may have changed. */
  forget(): void {
    this.asked = "";
  }

  take(pair: Comparison, result: HeadToHead | undefined): void {
    if (keyOf(pair) !== this.asked) return;
    this.result = result ?? "missing";
    this.renderLower();
  }

  /** The drawing, to be saved. */
  get picture(): SVGSVGElement | null {
    return this.upper.querySelector("svg");
  }

  private ask(): void {
    const { pair } = this;
    if (pair === undefined || keyOf(pair) === this.asked) return;
    this.asked = keyOf(pair);
    // While the same pair is compared anew, what was found before stays.
    if (this.compared !== this.asked) this.result = undefined;
    this.compared = this.asked;
    this.events.post({ type: "compare", pair });
  }

  private renderLower(): void {
    const { pair, drawn, result } = this;
    if (pair === undefined) {
      const words = l10n.t("Two runs with a checkpoint in common can be compared.");
      this.lower.replaceChildren(element("p", { class: "message" }, words));
      return;
    }
    const part = headToHeadPart(
      { drawn, pair, result },
      {
        onChoose: (chosen) => {
          this.events.onChange({ ...pair, ...chosen });
        },
        onDiff: () => {
          this.events.post({ type: "diff-snapshots", pair });
        },
        onList: () => {
          this.events.post({ type: "list-differences", pair });
        },
      },
    );
    keepingFocus(this.lower, () => {
      this.lower.replaceChildren(part);
    });
  }
}

function keyOf({ a, b, order }: Comparison): string {
  return [a, b, order].join("\n");
}

function selectedWords(drawn: readonly DrawnSeries[], selection: PlotSelection | undefined): string {
  const row = drawn.find(({ series }) => series.id === selection?.series);
  const point = row && selection && pointAt(row.series, selection.order);
  return row && point ? l10n.t("Selected: {0}.", cellLabel(row.name, point)) : "";
}
