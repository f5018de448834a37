import * as l10n from "@vscode/l10n";
import type { PlotData } from "../../src/core/report/plot-protocol.js";
import { type SwitchChoice, switchOf, tool } from "../controls.js";
import { button, element } from "../dom.js";
import { MASS_VIEW, isLines, METRIC_VIEWS, metricView, VERDICTS_VIEW } from "./metrics.js";
import { type DrawnSeries, MOST_DRAWN, type PageState, panelName } from "./selection.js";
import { isZoomed } from "./zoom.js";
import { datedNames } from "./names.js";

const TABLE = "M2 3h12v10H2zM2 6.5h12M2 9.75h12M6.5 3v10";
const COPY = "M5 5h8v9H5zM3 11V2h8";
const CAMERA = "M2 5h3l1-2h4l1 2h3v8H2zM8 6.5a2.3 2.3 0 1 1 0 4.6a2.3 2.3 0 1 1 0-4.6z";

export interface ToolbarEvents {
  onChange(part: Partial<PageState>): void;
  onToggleTable(): void;
  onCopy(): void;
  onSave(): void;
  onResetZoom(): void;
}

function metricPicker(state: PageState, events: ToolbarEvents): HTMLElement {
  const shown = metricView(state.metric).id;
  const options = METRIC_VIEWS.map(({ id, label }) =>
    element("option", { value: id, selected: id === shown }, label),
  );
  const select = element("select", { class: "metric", "aria-label": l10n.t("Metric") }, ...options);
  select.addEventListener("change", () => {
    events.onChange({ metric: select.value });
  });
  return select;
}

/** How the chosen metric is laid out: lines by checkpoints or phases, blocks by mass or share. */
function viewSwitch({ metric, axis, massAs, cells }: PageState, events: ToolbarEvents): HTMLElement {
  const choice = (label: string, pressed: boolean, part: Partial<PageState>): SwitchChoice => ({
    label,
    pressed,
    onChoose: () => {
      events.onChange(part);
    },
  });
  if (metric === VERDICTS_VIEW) {
    return switchOf(l10n.t("What the cells show"), [
      choice(l10n.t("Failed tests"), cells === "failed", { cells: "failed" }),
      choice(l10n.t("Erosion"), cells === "erosion", { cells: "erosion" }),
      choice(l10n.t("Verbosity"), cells === "verbosity", { cells: "verbosity" }),
    ]);
  }
  if (metric === MASS_VIEW) {
    return switchOf(l10n.t("Height of the blocks"), [
      choice(l10n.t("Mass"), massAs === "mass", { massAs: "mass" }),
      choice(l10n.t("Share"), massAs === "share", { massAs: "share" }),
    ]);
  }
  return switchOf(l10n.t("Horizontal axis"), [
    choice(l10n.t("Checkpoints"), axis === "checkpoints", { axis: "checkpoints" }),
    choice(l10n.t("Phases"), axis === "phases", { axis: "phases" }),
  ]);
}

function runPicker(data: PlotData, drawn: readonly DrawnSeries[], events: ToolbarEvents): HTMLElement {
  const means = drawn.some(({ members }) => members.length > 0);
  const shown = new Set(means ? [] : drawn.map(({ series }) => series.id));
  const words = datedNames(data.series);
  const boxes = data.series.map((series) => {
    const box = element("input", { type: "checkbox", checked: shown.has(series.id) });
    box.disabled = !shown.has(series.id) && shown.size >= MOST_DRAWN;
    box.addEventListener("change", () => {
      if (box.checked) shown.add(series.id);
      else shown.delete(series.id);
      events.onChange({ drawn: data.series.map(({ id }) => id).filter((id) => shown.has(id)) });
    });
    return element("label", {}, box, words.get(series.id) ?? series.label);
  });
  const title = means
    ? l10n.t("{0} runs, means", data.series.length)
    : shownOf(shown.size, data.series.length);
  return menu("runs", title, data.series.length > MOST_DRAWN ? [meansBox(means, events), ...boxes] : boxes);
}

/** The verdicts have room for all runs. */
function rowPicker(data: PlotData, { left }: PageState, events: ToolbarEvents): HTMLElement {
  const words = datedNames(data.series);
  const boxes = data.series.map((series) => {
    const box = element("input", { type: "checkbox", checked: !left.includes(series.id) });
    box.addEventListener("change", () => {
      const others = left.filter((id) => id !== series.id);
      events.onChange({ left: box.checked ? others : [...others, series.id] });
    });
    return element("label", {}, box, words.get(series.id) ?? series.label);
  });
  const shown = data.series.filter(({ id }) => !left.includes(id)).length;
  return menu("runs", shownOf(shown, data.series.length), boxes);
}

function shownOf(shown: number, all: number): string {
  return shown === 1 && all === 1 ? l10n.t("1 run") : l10n.t("{0} of {1} runs", shown, all);
}

function orderPicker({ rows }: PageState, events: ToolbarEvents): HTMLElement {
  const orders = [
    { id: "fewest-failed", label: l10n.t("Fewest failed first") },
    { id: "newest", label: l10n.t("Newest first") },
  ] as const;
  const options = orders.map(({ id, label }) =>
    element("option", { value: id, selected: id === rows }, label),
  );
  const select = element("select", { class: "order", "aria-label": l10n.t("Order of the runs") }, ...options);
  select.addEventListener("change", () => {
    events.onChange({ rows: orders[select.selectedIndex]?.id ?? "fewest-failed" });
  });
  return select;
}

/** Instead of runs the mean of each agent; choosing a run ends it. */
function meansBox(means: boolean, events: ToolbarEvents): HTMLElement {
  const box = element("input", { type: "checkbox", checked: means });
  box.addEventListener("change", () => {
    events.onChange(box.checked ? { drawn: undefined, selection: undefined } : { drawn: [] });
  });
  return element("label", {}, box, l10n.t("Mean and spread of each agent"));
}

/** Which published figures stand beside the runs. */
function referencePicker(data: PlotData, state: PageState, events: ToolbarEvents): HTMLElement {
  const humans = ["", ...data.references.humans.map(({ name }) => name)].map((name) => {
    const radio = element("input", { type: "radio", name: "human", checked: name === state.human });
    radio.addEventListener("change", () => {
      events.onChange({ human: name });
    });
    return element("label", {}, radio, name === "" ? l10n.t("No human panel") : panelName(name));
  });
  const models = element("input", { type: "checkbox", checked: state.models });
  models.addEventListener("change", () => {
    events.onChange({ models: models.checked });
  });
  const named = [panelName(state.human), state.models ? l10n.t("models") : ""].filter((name) => name !== "");
  return menu("references", named.length === 0 ? l10n.t("No references") : named.join(l10n.t(", ")), [
    ...humans,
    element("label", {}, models, l10n.t("Published means of models")),
  ]);
}

function menu(name: string, title: string, entries: readonly HTMLElement[]): HTMLElement {
  return element(
    "details",
    { class: "picker", id: `picker-${name}` },
    element("summary", {}, title),
    element("div", { class: "menu" }, ...entries),
  );
}

function resetZoom(events: ToolbarEvents): HTMLElement {
  const label = l10n.t("Reset Zoom");
  return button(
    { class: "reset-zoom", title: `${label} (0)` },
    () => {
      events.onResetZoom();
    },
    label,
  );
}

/** What is drawn, and what can be taken away from the plot. */
export function toolbar(
  data: PlotData,
  drawn: readonly DrawnSeries[],
  state: PageState,
  events: ToolbarEvents,
): HTMLElement {
  const live = data.series.some((series) => series.state === "running");
  const published = metricView(state.metric).metrics.some((metric) => metric.published !== undefined);
  return element(
    "div",
    { class: "toolbar", role: "toolbar", "aria-label": l10n.t("Plot") },
    metricPicker(state, events),
    viewSwitch(state, events),
    ...(state.metric === VERDICTS_VIEW
      ? [rowPicker(data, state, events), orderPicker(state, events)]
      : [runPicker(data, drawn, events)]),
    ...(isLines(state) && isZoomed(drawn, state) ? [resetZoom(events)] : []),
    ...(published ? [referencePicker(data, state, events)] : []),
    element("span", { class: "live", role: "status" }, live ? l10n.t("Run in progress") : ""),
    element("span", { class: "space" }),
    tool(l10n.t("Show as Table"), TABLE, state.view === "table", () => {
      events.onToggleTable();
    }),
    tool(l10n.t("Copy as CSV"), COPY, undefined, () => {
      events.onCopy();
    }),
    tool(l10n.t("Save as PNG or SVG…"), CAMERA, undefined, () => {
      events.onSave();
    }),
  );
}
