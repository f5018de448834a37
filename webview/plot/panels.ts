/** The panels of the page: the chosen metrics, and the pass rate of each group. */
import * as l10n from "@vscode/l10n";
import { GROUPS, type Group } from "../../src/core/model/problem.js";
import type {
  PlotPoint,
  PlotReferences,
  PlotSelection,
  PlotSeries,
} from "../../src/core/report/plot-protocol.js";
import { ratio } from "../../src/core/report/format.js";
import { element } from "../dom.js";
import { PLOT_RIGHT } from "./edges.js";
import { bandAt } from "./means.js";
import { axisOf, isEmpty, type Metric } from "./metrics.js";
import { Panel, type PanelEvents, type PanelInput, type PanelSpec } from "./panel.js";
import type { EndLabel, Overlay } from "./references.js";
import { type DrawnSeries, type PageState, panelName, pointAt } from "./selection.js";
import type { Slot } from "./slots.js";
import type { Theme } from "./theme.js";
import { shownSlots } from "./zoom.js";

export interface PanelsInput {
  readonly drawn: readonly DrawnSeries[];
  readonly selection: PlotSelection | undefined;
  readonly references: PlotReferences;
  readonly theme: Theme;
  readonly metrics: readonly Metric[];
  readonly state: Pick<PageState, "axis" | "human" | "models" | "zoom">;
}

function metricSpec(metric: Metric, points: readonly PlotPoint[], last: boolean): PanelSpec {
  const { top, step, tick } = axisOf(metric, points);
  return {
    value: metric.value,
    max: top,
    step,
    tick,
    right: PLOT_RIGHT,
    columns: true,
    showX: last,
    showY: true,
  };
}

function groupSpec(group: Group, first: boolean): PanelSpec {
  return {
    value: (point) => {
      const { passed, total } = point.passRates[group];
      return total === 0 ? null : passed / total;
    },
    max: 1,
    step: 0.5,
    tick: (value) => `${Math.round(value * 100)}${value === 1 ? " %" : ""}`,
    right: 10,
    columns: false,
    showX: true,
    showY: first,
  };
}

function endsOf(input: PanelsInput, slots: readonly Slot[], metric: Metric): readonly EndLabel[] {
  return input.drawn.map(({ series, style }, dataset) => {
    const points = slots.flatMap((slot) => slot.pointOf(series) ?? []);
    const last = points.findLast((point) => metric.value(point) !== null);
    return {
      dataset,
      text: last ? metric.text(metric.value(last)) : "",
      color: input.theme.runs[style] ?? input.theme.foreground,
      bold: series.id === input.selection?.series,
      live: series.state === "running" && isAtEnd(series, slots),
    };
  });
}

/** Whether the last checkpoint of a run stands among the places. */
function isAtEnd(series: PlotSeries, slots: readonly Slot[]): boolean {
  const last = series.points.at(-1);
  return last !== undefined && slots.some((slot) => slot.holds(series, last.order));
}

function bareOverlay(input: PanelsInput, slots: readonly Slot[]): Overlay {
  const { selection } = input;
  const series = input.drawn.find((drawn) => drawn.series.id === selection?.series)?.series;
  const column = slots.findIndex((slot) => series && selection && slot.holds(series, selection.order));
  return {
    theme: input.theme,
    human: undefined,
    humanLabel: "",
    models: [],
    column: column < 0 ? undefined : column,
    ring: undefined,
    ends: [],
    bands: [],
  };
}

function metricOverlay(input: PanelsInput, slots: readonly Slot[], metric: Metric): Overlay {
  const bare = bareOverlay(input, slots);
  const dataset = input.drawn.findIndex(({ series }) => series.id === input.selection?.series);
  return {
    ...bare,
    ...publishedOverlay(input, metric),
    ring: bare.column === undefined || dataset < 0 ? undefined : { dataset, index: bare.column },
    ends: endsOf(input, slots, metric),
    bands: input.drawn.map(({ series, style, members }) => ({
      color: input.theme.runs[style] ?? input.theme.foreground,
      places: slots.map((slot) => {
        const order = slot.pointOf(series)?.order;
        return order === undefined ? undefined : bandAt(members, order, metric.value);
      }),
    })),
  };
}

function publishedOverlay(
  { references, state }: PanelsInput,
  { published }: Metric,
): Pick<Overlay, "human" | "humanLabel" | "models"> {
  const panel = references.humans.find(({ name }) => name === state.human);
  const human = published && panel?.[published];
  return {
    human,
    humanLabel: panel && human ? panelLabel(panel, human, published === "erosion") : "",
    models:
      published && state.models
        ? references.models.map((model) => ({ name: model.name, value: model[published] }))
        : [],
  };
}

/** @param sized whether the number of repositories is told */
function panelLabel(
  { name, repositories }: PlotReferences["humans"][number],
  { mean, sd }: { readonly mean: number; readonly sd: number },
  sized: boolean,
): string {
  const figures = `${ratio(mean)} ± ${ratio(sd)}`;
  return sized
    ? l10n.t("{0}, {1} repositories: {2}", panelName(name), repositories, figures)
    : l10n.t("{0}: {1}", panelName(name), figures);
}

interface Placed {
  readonly panel: Panel;
  readonly figure: HTMLElement;
  readonly overlay: (input: PanelsInput, slots: readonly Slot[]) => Overlay;
  readonly caption: (input: PanelsInput) => string;
  /** What stands in place of lines where there are none; empty otherwise. */
  readonly none: (input: PanelsInput) => string;
}

/** Builds the panels into `metricsHost` and `groupsHost` and keeps them up to date. */
export class Panels {
  private placed: readonly Placed[] = [];
  private shape = "";

  constructor(
    private readonly metricsHost: HTMLElement,
    private readonly groupsHost: HTMLElement,
    input: PanelsInput,
    private readonly events: PanelEvents,
  ) {
    this.update(input);
  }

  update(input: PanelsInput): void {
    const shape = shapeOf(input);
    if (shape !== this.shape) this.rebuild(input, shape);
    const slots = shownSlots(input.drawn, input.state);
    for (const { panel, overlay, caption, none, figure } of this.placed) {
      panel.update(panelInput(input, slots, overlay(input, slots)));
      figure.querySelector(".value")?.replaceChildren(caption(input));
      figure.querySelector(".none")?.replaceChildren(none(input));
    }
  }

  /** The canvases from top to bottom, for a picture of the whole. */
  get images(): {
    readonly metrics: readonly HTMLCanvasElement[];
    readonly groups: readonly HTMLCanvasElement[];
  } {
    const images = this.placed.map(({ panel }) => panel.image);
    const count = images.length - GROUPS.length;
    return { metrics: images.slice(0, count), groups: images.slice(count) };
  }

  private rebuild(input: PanelsInput, shape: string): void {
    for (const { panel } of this.placed) panel.destroy();
    this.shape = shape;
    this.placed = this.build(input);
  }

  private build(input: PanelsInput): readonly Placed[] {
    this.metricsHost.replaceChildren();
    this.groupsHost.replaceChildren();
    const metrics = input.metrics.map((metric, index) =>
      this.place(this.metricsHost, input, {
        title: metric.title,
        name: metric.id,
        size: input.metrics.length === 1 || index === 0 ? "tall" : "low",
        spec: metricSpec(metric, pointsOf(input), index === input.metrics.length - 1),
        overlay: (current, slots) => metricOverlay(current, slots, metric),
        caption: ({ state }) =>
          index === 0 && metric.published && state.models ? l10n.t("Published means") : "",
        none: (current) => (isEmpty(metric, pointsOf(current)) ? metric.none : ""),
      }),
    );
    const groups = GROUPS.map((group, index) =>
      this.place(this.groupsHost, input, {
        title: index === 0 ? l10n.t("Core pass rate") : group,
        name: group.toLowerCase(),
        size: "group",
        spec: groupSpec(group, index === 0),
        overlay: bareOverlay,
        caption: (current) => selectedRate(current, group),
        none: (current) => (hasTests(current, group) ? "" : l10n.t("No tests")),
      }),
    );
    return [...metrics, ...groups];
  }

  private place(
    host: HTMLElement,
    input: PanelsInput,
    { title, name, size, spec, overlay, caption, none }: PanelPlan,
  ): Placed {
    const canvas = element("canvas", { id: `panel-${name}`, role: "img", "aria-label": title });
    const heading = element("h3", {}, title, element("span", { class: "value" }));
    const figure = element(
      "figure",
      { class: `panel ${name} ${size}` },
      heading,
      element("div", { class: "canvas" }, canvas, element("p", { class: "none" })),
    );
    host.append(figure);
    const slots = shownSlots(input.drawn, input.state);
    const panel = new Panel(canvas, spec, panelInput(input, slots, overlay(input, slots)), this.events);
    return { panel, figure, overlay, caption, none };
  }
}

interface PanelPlan {
  readonly title: string;
  readonly name: string;
  readonly size: "tall" | "low" | "group";
  readonly spec: PanelSpec;
  readonly overlay: Placed["overlay"];
  readonly caption: Placed["caption"];
  readonly none: Placed["none"];
}

/** Panels are built anew when their number or an axis changes, and updated otherwise. */
function shapeOf(input: PanelsInput): string {
  return input.metrics.map((metric) => `${metric.id} ${axisOf(metric, pointsOf(input)).top}`).join();
}

function pointsOf({ drawn }: PanelsInput): readonly PlotPoint[] {
  return drawn.flatMap(({ series }) => series.points);
}

function hasTests(input: PanelsInput, group: Group): boolean {
  return pointsOf(input).some(({ passRates }) => passRates[group].total > 0);
}

function panelInput(input: PanelsInput, slots: readonly Slot[], overlay: Overlay): PanelInput {
  return { drawn: input.drawn, slots, selection: input.selection, theme: input.theme, overlay };
}

function selectedRate(input: PanelsInput, group: Group): string {
  const { selection } = input;
  const series = input.drawn.find((drawn) => drawn.series.id === selection?.series)?.series;
  const point = series && selection && pointAt(series, selection.order);
  if (!point || point.passRates[group].total === 0) return "";
  return l10n.t("{0} of {1}", point.passRates[group].passed, point.passRates[group].total);
}
