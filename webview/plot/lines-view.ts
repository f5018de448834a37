/** The page's views of lines: the panels of a metric, the strip of failed tests, and the pass rates. */
import * as l10n from "@vscode/l10n";
import type { PlotData, PlotSelection } from "../../src/core/report/plot-protocol.js";
import { element } from "../dom.js";
import { spokenErosion } from "../spoken.js";
import { metricView } from "./metrics.js";
import type { PanelEvents } from "./panel.js";
import { Panels } from "./panels.js";
import type { PlotImages } from "./picture.js";
import { type DrawnSeries, failedOf, type PageState, pointAt, type Zoom } from "./selection.js";
import { type Slot, slotsOf } from "./slots.js";
import { failedTestsStrip } from "./strip.js";
import { readTheme } from "./theme.js";
import { scaled, shownSlots, spokenZoom, stretched } from "./zoom.js";
import { ZoomGestures } from "./zoom-gestures.js";

export interface LinesEvents extends PanelEvents {
  onZoom(zoom: Zoom | undefined): void;
}

export interface LinesInput {
  readonly data: PlotData;
  readonly drawn: readonly DrawnSeries[];
  readonly selection: PlotSelection | undefined;
  readonly state: PageState;
}

export class LinesView {
  /** From top to bottom. */
  readonly parts: readonly HTMLElement[];
  private readonly metrics = element("div", { class: "metrics" });
  private readonly strip = element("div");
  private readonly groups = element("div", { class: "groups" });
  private readonly gestures: ZoomGestures;
  private panels: Panels | undefined;
  private input: LinesInput | undefined;

  constructor(private readonly events: LinesEvents) {
    this.gestures = new ZoomGestures(this.metrics, {
      onStretch: (places) => {
        this.zoom((slots, zoom) => stretched(slots, zoom, places));
      },
      onStep: (direction, at) => {
        this.zoom((slots, zoom) => scaled(slots, zoom, direction, at));
      },
    });
    this.parts = [this.gestures.root, this.strip, this.groups];
  }

  /** @returns what the picture says, for a screen reader */
  render(input: LinesInput): string {
    this.input = input;
    const { data, drawn, selection, state } = input;
    const slots = shownSlots(drawn, state);
    this.gestures.update(slots.length);
    this.strip.replaceChildren(
      failedTestsStrip(drawn, selection, slots, (chosen) => {
        this.events.onClick(chosen);
      }),
    );
    const { metrics } = metricView(state.metric);
    const shown = { drawn, selection, references: data.references, theme: readTheme(), metrics, state };
    if (this.panels) this.panels.update(shown);
    else this.panels = new Panels(this.metrics, this.groups, shown, this.events);
    const label = [...plotLabel(drawn, selection), spokenZoom(drawn, state)].join(" ").trim();
    this.metrics.querySelector("canvas")?.setAttribute("aria-label", label);
    return label;
  }

  get images(): PlotImages {
    return this.panels?.images ?? { metrics: [], groups: [] };
  }

  private zoom(to: (slots: readonly Slot[], zoom: Zoom | undefined) => Zoom | undefined): void {
    if (this.input === undefined) return;
    const { drawn, state } = this.input;
    this.events.onZoom(to(slotsOf(drawn, state.axis), state.zoom));
  }
}

/** An overview, and what is selected. */
function plotLabel(drawn: readonly DrawnSeries[], selection: PlotSelection | undefined): readonly string[] {
  const checkpoints = Math.max(0, ...drawn.map(({ series }) => series.points.length));
  const overview = l10n.t("Erosion of {0} runs over {1} checkpoints.", drawn.length, checkpoints);
  const run = drawn.find(({ series }) => series.id === selection?.series);
  const point = run && selection && pointAt(run.series, selection.order);
  if (!point) return [overview];
  const before = pointAt(run.series, point.order - 1);
  const { failed, total } = failedOf(point);
  const erosion = spokenErosion(point.erosion, before?.erosion);
  const selected = l10n.t(
    "Selected: {0}, checkpoint {1}: {2}; {3} of {4} tests failed.",
    ...[run.name, point.order, erosion, failed, total],
  );
  return [overview, selected];
}
