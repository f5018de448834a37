/** Draws the mass of one run in blocks: the followed callable at the base line, others in greys, the rest above. */
import * as l10n from "@vscode/l10n";
import { integer, share } from "../../src/core/report/format.js";
import type { PlotSelection, PlotSeries } from "../../src/core/report/plot-protocol.js";
import { element, svgElement } from "../dom.js";
import { massPicture, type MassBar, type MassPicture } from "./mass-blocks.js";
import type { PageState } from "./selection.js";
import { shortened, spread } from "./placing.js";

export interface MassViewEvents {
  readonly onFollow: (id: string) => void;
  readonly onSelect: (selection: PlotSelection) => void;
}

const WIDTH = 790;
const HEIGHT = 470;
const AREA = { left: 52, right: 560, top: 26, bottom: 380 } as const;
/** Room left of the bars at most, for the name of the followed callable. */
const MOST_LEFT = 130;
/** Mean widths of the drawing's letters. */
const LETTER = { plain: 6.4, bold: 7.2 } as const;
const GAP = 0.38;
const LABEL_GAP = 15;

/** The view of one run; a click on a block follows that callable, one on a bar's number selects the checkpoint. */
export function massView(
  series: PlotSeries,
  selection: PlotSelection | undefined,
  state: Pick<PageState, "massAs" | "followed">,
  events: MassViewEvents,
): HTMLElement {
  const picture = massPicture(series, state.followed);
  const drawing = new Drawing(picture, series, selection, state.massAs === "share", events);
  return element(
    "div",
    { class: "mass" },
    element("h2", {}, picture.title),
    element("p", {}, picture.sentence),
    element("div", { class: "mass-picture" }, drawing.toSvg()),
  );
}

class Drawing {
  private readonly top: number;
  private readonly step: number;
  private readonly left: number;

  constructor(
    private readonly picture: MassPicture,
    private readonly series: PlotSeries,
    private readonly selection: PlotSelection | undefined,
    private readonly stretched: boolean,
    private readonly events: MassViewEvents,
  ) {
    this.top = stretched ? 1 : Math.max(1, ...picture.bars.map(({ total }) => total));
    const name = this.picture.followed?.name ?? "";
    this.left = Math.min(MOST_LEFT, Math.max(AREA.left, 12 + name.length * LETTER.bold));
    this.step = (AREA.right - this.left) / Math.max(1, picture.bars.length);
  }

  toSvg(): SVGSVGElement {
    const label = `${this.picture.title} ${this.picture.sentence}`;
    const svg = svgElement("svg", { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: "img", "aria-label": label });
    const title = this.stretched ? l10n.t("Share of the mass") : l10n.t("Mass (CC × √SLOC)");
    svg.append(
      this.text(this.left, 12, title, "dim"),
      ...this.grid(),
      ...this.ribbons(),
      ...this.picture.bars.flatMap((bar, index) => this.bar(bar, index)),
      ...this.feet(),
      ...this.shares(),
    );
    return svg;
  }

  private grid(): SVGElement[] {
    const ticks = this.stretched ? [0, 0.25, 0.5, 0.75, 1] : roundTicks(this.top);
    return ticks.flatMap((tick) => {
      const y = this.yOf(tick);
      return [
        svgElement("line", { class: "grid", x1: this.left, x2: AREA.right, y1: y, y2: y }),
        this.text(this.left - 8, y + 4, this.stretched ? share(tick) : integer(tick), "dim end"),
      ];
    });
  }

  /** The followed callable from bar to bar, so that the eye sees it swell. */
  private ribbons(): SVGElement[] {
    const tops = this.picture.bars.map((bar) => {
      const followed = bar.blocks.find((block) => block.followed);
      return this.yOf(this.scaled(followed?.callable.mass ?? 0, bar));
    });
    return tops.slice(1).map((top, index) => {
      const [from, to] = [this.xOf(index) + this.barWidth, this.xOf(index + 1)];
      const points = [
        [from, AREA.bottom],
        [from, tops[index] ?? AREA.bottom],
        [to, top],
        [to, AREA.bottom],
      ];
      return svgElement("polygon", {
        class: "ribbon",
        points: points.map((point) => point.join()).join(" "),
      });
    });
  }

  private bar(bar: MassBar, index: number): SVGElement[] {
    const x = this.xOf(index);
    let base = 0;
    const rect = (mass: number, name: string, title: string): SVGElement => {
      const [low, high] = [this.yOf(base), this.yOf(base + this.scaled(mass, bar))];
      base += this.scaled(mass, bar);
      const drawn = svgElement("rect", { class: name, x, y: high, width: this.barWidth, height: low - high });
      drawn.append(svgElement("title", {}, title));
      return drawn;
    };
    const blocks = bar.blocks.map(({ callable, followed, place }) => {
      const title = l10n.t(
        "{0}: mass {1}, {2}, CC {3}",
        ...[callable.name, integer(callable.mass), share(callable.share), callable.cc],
      );
      const drawn = rect(
        callable.mass,
        followed ? "block followed" : `block other${Math.min(place, 4)}`,
        title,
      );
      drawn.addEventListener("click", () => {
        this.events.onFollow(callable.id);
      });
      return drawn;
    });
    const rest = l10n.t("{0} other callables: mass {1}", integer(bar.restCount), integer(bar.restMass));
    return [...blocks, rect(bar.restMass, "block rest", rest)];
  }

  /** Checkpoint, share and CC of the followed callable below each bar. */
  private feet(): SVGElement[] {
    const { followed } = this.picture;
    const named =
      followed === undefined
        ? []
        : [this.name(this.left - 8, AREA.bottom + 38, followed.name, this.left - 10, "accent end")];
    const columns = this.picture.bars.flatMap((bar, index) => {
      const x = this.xOf(index) + this.barWidth / 2;
      const now = bar.blocks.find((block) => block.followed)?.callable;
      const selected = this.selection?.order === bar.order ? " bold" : "";
      const number = this.text(
        x,
        AREA.bottom + 18,
        index === 0 ? l10n.t("Checkpoint {0}", bar.order) : String(bar.order),
        `middle foot${selected}`,
      );
      number.addEventListener("click", () => {
        this.events.onSelect({ series: this.series.id, order: bar.order });
      });
      return [
        number,
        this.text(x, AREA.bottom + 38, now === undefined ? "–" : share(now.share), "middle"),
        this.text(x, AREA.bottom + 54, now === undefined ? "" : `CC ${now.cc}`, "middle dim"),
      ];
    });
    return [...named, ...columns];
  }

  /** The names of the last bar's blocks beside them. */
  private shares(): SVGElement[] {
    const bar = this.picture.bars.at(-1);
    if (bar === undefined) return [];
    const parts = [
      ...bar.blocks.map(({ callable, followed }) => ({ name: callable.name, mass: callable.mass, followed })),
      { name: l10n.t("{0} other callables", integer(bar.restCount)), mass: bar.restMass, followed: false },
    ];
    let base = 0;
    const centres = parts.map(({ mass }) => {
      const centre = this.yOf(base + this.scaled(mass, bar) / 2);
      base += this.scaled(mass, bar);
      return centre;
    });
    const places = spread(centres, LABEL_GAP, { bottom: AREA.bottom });
    return parts.flatMap(({ name, mass, followed }, index) => {
      const [from, y] = [centres[index] ?? 0, places[index] ?? 0];
      const look = followed ? "accent" : "";
      const points = `${AREA.right - 6},${from} ${AREA.right + 4},${y} ${AREA.right + 14},${y}`;
      return [
        svgElement("polyline", { class: "lead", points }),
        this.text(AREA.right + 50, y + 4, share(mass / bar.total), `end ${look}`),
        this.name(AREA.right + 60, y + 4, name, WIDTH - AREA.right - 62, look),
      ];
    });
  }

  /** A name as far as there is room for it; the whole one is a hover. */
  private name(x: number, y: number, name: string, room: number, look: string): SVGElement {
    const letter = look.includes("accent") ? LETTER.bold : LETTER.plain;
    const drawn = this.text(x, y, shortened(name, Math.floor(room / letter)), look);
    drawn.append(svgElement("title", {}, name));
    return drawn;
  }

  private text(x: number, y: number, content: string, look: string): SVGElement {
    return svgElement("text", { x, y, class: look }, content);
  }

  private scaled(mass: number, bar: MassBar): number {
    return this.stretched ? mass / bar.total : mass;
  }

  private yOf(value: number): number {
    return AREA.bottom - ((AREA.bottom - AREA.top) * value) / this.top;
  }

  private xOf(index: number): number {
    return this.left + this.step * (index + GAP / 2);
  }

  private get barWidth(): number {
    return this.step * (1 - GAP);
  }
}

/** Three to six round figures from 0 to `top`. */
export function roundTicks(top: number): readonly number[] {
  const unit = 10 ** Math.floor(Math.log10(top));
  const step = [0.2, 0.5, 1, 2].map((factor) => factor * unit).find((size) => top / size <= 5) ?? unit;
  return Array.from({ length: Math.floor(top / step) + 1 }, (_, index) => index * step);
}
