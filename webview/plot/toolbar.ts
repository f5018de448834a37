import type { PlotData } from "../../src/core/report/plot-protocol.js";
import { button, element, icon } from "./dom.js";
import { type DrawnSeries, MOST_DRAWN } from "./selection.js";

const TABLE = "M2 3h12v10H2zM2 6.5h12M2 9.75h12M6.5 3v10";
const COPY = "M5 5h8v9H5zM3 11V2h8";
const CAMERA = "M2 5h3l1-2h4l1 2h3v8H2zM8 6.5a2.3 2.3 0 1 1 0 4.6a2.3 2.3 0 1 1 0-4.6z";

export interface ToolbarEvents {
  onToggleTable(): void;
  onCopy(): void;
  onSave(): void;
  onDraw(series: readonly string[]): void;
}

function runPicker(data: PlotData, drawn: readonly DrawnSeries[], events: ToolbarEvents): HTMLElement {
  const shown = new Set(drawn.map(({ series }) => series.id));
  const boxes = data.series.map((series) => {
    const box = element("input", { type: "checkbox", checked: shown.has(series.id) });
    box.disabled = !shown.has(series.id) && shown.size >= MOST_DRAWN;
    box.addEventListener("change", () => {
      if (box.checked) shown.add(series.id);
      else shown.delete(series.id);
      events.onDraw(data.series.map(({ id }) => id).filter((id) => shown.has(id)));
    });
    const started = series.startedAt ? ` · ${new Date(series.startedAt).toLocaleString()}` : "";
    return element("label", {}, box, `${series.label}${started}`);
  });
  const summary = element("summary", {}, `${drawn.length} of ${data.series.length} runs`);
  return element("details", { class: "picker" }, summary, element("div", { class: "menu" }, ...boxes));
}

function tool(label: string, path: string, pressed: boolean, onClick: () => void): HTMLElement {
  return button(
    { class: "tool", title: label, "aria-label": label, "aria-pressed": String(pressed) },
    onClick,
    icon(path),
  );
}

/** Which runs are drawn, and what can be taken away from the plot. */
export function toolbar(
  data: PlotData,
  drawn: readonly DrawnSeries[],
  view: "chart" | "table",
  events: ToolbarEvents,
): HTMLElement {
  const live = data.series.some((series) => series.live);
  return element(
    "div",
    { class: "toolbar", role: "toolbar", "aria-label": "Plot" },
    element("b", {}, data.problem),
    runPicker(data, drawn, events),
    element("span", { class: "live", role: "status" }, live ? "Run in progress" : ""),
    element("span", { class: "space" }),
    tool("Show as Table", TABLE, view === "table", () => {
      events.onToggleTable();
    }),
    tool("Copy as CSV", COPY, false, () => {
      events.onCopy();
    }),
    tool("Save as PNG…", CAMERA, false, () => {
      events.onSave();
    }),
  );
}
