/** The six panels of the page: erosion, verbosity, and the pass rate of each group. */
import { GROUPS, type Group } from "../../src/core/model/problem.js";
import type { PlotPoint, PlotReferences, PlotSelection } from "../../src/core/report/plot-protocol.js";
import { ratio } from "../../src/core/report/format.js";
import { element } from "./dom.js";
import { Panel, type PanelEvents, type PanelInput, type PanelSpec, PLOT_RIGHT } from "./panel.js";
import type { EndLabel, Overlay } from "./references.js";
import { type DrawnSeries, ordersOf, pointAt } from "./selection.js";
import type { Theme } from "./theme.js";

type Metric = "erosion" | "verbosity";

export interface PanelsInput {
  readonly drawn: readonly DrawnSeries[];
  readonly selection: PlotSelection | undefined;
  readonly references: PlotReferences;
  readonly theme: Theme;
}

const METRICS: readonly { metric: Metric; title: string; step: number }[] = [
  { metric: "erosion", title: "Erosion", step: 0.2 },
  { metric: "verbosity", title: "Verbosity", step: 0.2 },
];

function metricSpec(metric: Metric, step: number, max: number): PanelSpec {
  return {
    value: (point) => point[metric],
    min: 0,
    max,
    step,
    tick: (value) => value.toFixed(1),
    right: PLOT_RIGHT,
    columns: true,
    showX: metric === "verbosity",
    showY: true,
  };
}

function groupSpec(group: Group, first: boolean): PanelSpec {
  return {
    value: (point) => {
      const { passed, total } = point.passRates[group];
      return total === 0 ? null : passed / total;
    },
    min: 0,
    max: 1,
    step: 0.5,
    tick: (value) => `${Math.round(value * 100)}${value === 1 ? " %" : ""}`,
    right: 10,
    columns: false,
    showX: true,
    showY: first,
  };
}

function endsOf(input: PanelsInput, value: (point: PlotPoint) => number | null): readonly EndLabel[] {
  return input.drawn.map(({ series, style }, dataset) => {
    const last = series.points.findLast((point) => value(point) !== null);
    return {
      dataset,
      text: last ? ratio(value(last)) : "",
      color: input.theme.runs[style] ?? input.theme.foreground,
      bold: series.id === input.selection?.series,
      live: series.live,
    };
  });
}

function bareOverlay(input: PanelsInput, orders: readonly number[]): Overlay {
  const column = input.selection ? orders.indexOf(input.selection.order) : -1;
  return {
    theme: input.theme,
    human: undefined,
    humanLabel: "",
    models: [],
    column: column < 0 ? undefined : column,
    ring: undefined,
    ends: [],
  };
}

function metricOverlay(input: PanelsInput, orders: readonly number[], metric: Metric): Overlay {
  const { human, models } = input.references;
  const { mean, sd } = human[metric];
  const bare = bareOverlay(input, orders);
  const dataset = input.drawn.findIndex(({ series }) => series.id === input.selection?.series);
  const panel = metric === "erosion" ? `Human panel, ${human.repositories} repositories` : "Human panel";
  return {
    ...bare,
    human: human[metric],
    humanLabel: `${panel}: ${ratio(mean)} ± ${ratio(sd)}`,
    models: models.map((model) => ({ name: model.name, value: model[metric] })),
    ring: bare.column === undefined || dataset < 0 ? undefined : { dataset, index: bare.column },
    ends: endsOf(input, (point) => point[metric]),
  };
}

/** Upper end of the verbosity axis: 0.6, or more where a run needs it. */
function verbosityMax(drawn: readonly DrawnSeries[]): number {
  const highest = Math.max(
    0,
    ...drawn.flatMap(({ series }) => series.points.map((point) => point.verbosity ?? 0)),
  );
  return Math.max(0.6, Math.ceil(highest * 5) / 5);
}

interface Placed {
  readonly panel: Panel;
  readonly canvas: HTMLCanvasElement;
  readonly figure: HTMLElement;
  readonly overlay: (input: PanelsInput, orders: readonly number[]) => Overlay;
  readonly caption: (input: PanelsInput) => string;
}

/** Builds the panels into `metricsHost` and `groupsHost` and keeps them up to date. */
export class Panels {
  private placed: readonly Placed[];
  private verbosityTop: number;

  constructor(
    private readonly metricsHost: HTMLElement,
    private readonly groupsHost: HTMLElement,
    input: PanelsInput,
    private readonly events: PanelEvents,
  ) {
    this.verbosityTop = verbosityMax(input.drawn);
    this.placed = this.build(input);
    this.update(input);
  }

  update(input: PanelsInput): void {
    if (verbosityMax(input.drawn) !== this.verbosityTop) this.rebuild(input);
    const orders = ordersOf(input.drawn);
    for (const { panel, overlay, caption, figure } of this.placed) {
      panel.update(this.panelInput(input, orders, overlay(input, orders)));
      figure.querySelector(".value")?.replaceChildren(caption(input));
    }
  }

  /** The canvases from top to bottom, for a picture of the whole. */
  get images(): readonly HTMLCanvasElement[] {
    return this.placed.map(({ panel }) => panel.image);
  }

  private rebuild(input: PanelsInput): void {
    for (const { panel } of this.placed) panel.destroy();
    this.verbosityTop = verbosityMax(input.drawn);
    this.placed = this.build(input);
  }

  private panelInput(input: PanelsInput, orders: readonly number[], overlay: Overlay): PanelInput {
    return { drawn: input.drawn, orders, selection: input.selection, theme: input.theme, overlay };
  }

  private build(input: PanelsInput): readonly Placed[] {
    this.metricsHost.replaceChildren();
    this.groupsHost.replaceChildren();
    const metrics = METRICS.map(({ metric, title, step }) =>
      this.place(
        this.metricsHost,
        input,
        title,
        metric,
        metricSpec(metric, step, metric === "erosion" ? 1 : this.verbosityTop),
        (current, orders) => metricOverlay(current, orders, metric),
        () => (metric === "erosion" ? "Published means" : ""),
      ),
    );
    const groups = GROUPS.map((group, index) =>
      this.place(
        this.groupsHost,
        input,
        index === 0 ? "Core pass rate" : group,
        group.toLowerCase(),
        groupSpec(group, index === 0),
        bareOverlay,
        (current) => selectedRate(current, group),
      ),
    );
    return [...metrics, ...groups];
  }

  private place(
    host: HTMLElement,
    input: PanelsInput,
    title: string,
    name: string,
    spec: PanelSpec,
    overlay: Placed["overlay"],
    caption: Placed["caption"],
  ): Placed {
    const canvas = element("canvas", { id: `panel-${name}`, role: "img", "aria-label": title });
    const heading = element("h3", {}, title, element("span", { class: "value" }));
    const figure = element(
      "figure",
      { class: `panel ${name}` },
      heading,
      element("div", { class: "canvas" }, canvas),
    );
    host.append(figure);
    const orders = ordersOf(input.drawn);
    const panel = new Panel(
      canvas,
      spec,
      this.panelInput(input, orders, overlay(input, orders)),
      this.events,
    );
    return { panel, canvas, figure, overlay, caption };
  }
}

function selectedRate(input: PanelsInput, group: Group): string {
  const { selection } = input;
  const series = input.drawn.find((drawn) => drawn.series.id === selection?.series)?.series;
  const point = series && selection && pointAt(series, selection.order);
  if (!point || point.passRates[group].total === 0) return "";
  return `${point.passRates[group].passed} of ${point.passRates[group].total}`;
}
