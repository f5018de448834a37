import * as l10n from "@vscode/l10n";
import type { PlotReferences, PlotSelection } from "../../src/core/report/plot-protocol.js";
import { slope } from "../../src/core/report/format.js";
import { button, element, icon } from "../dom.js";
import { markerPath } from "./markers.js";
import { type DrawnSeries, pointAt } from "./selection.js";

/** The runs with their slopes; a click gives a run the focus. */
export function legend(
  drawn: readonly DrawnSeries[],
  selection: PlotSelection | undefined,
  references: PlotReferences,
  onSelect: (selection: PlotSelection) => void,
): HTMLElement {
  const entries = drawn.map(({ series, name, style }) => {
    const focused = series.id === selection?.series;
    const marker = element("span", { class: `marker run${style + 1}` });
    marker.append(icon(markerPath(style)));
    const isolation = series.isolation === "local" ? ` · ${l10n.t("not isolated")}` : "";
    return button(
      { class: focused ? "entry focused" : "entry", "aria-pressed": String(focused) },
      () => {
        const order = selection?.order ?? 1;
        const point = pointAt(series, order) ?? series.points.at(-1);
        if (point) onSelect({ series: series.id, order: point.order });
      },
      marker,
      `${name}${isolation}`,
      element("span", { class: "slope" }, series.slope.erosion === null ? "" : slope(series.slope.erosion)),
    );
  });
  const { agents, humans } = references.slopes;
  const note = l10n.t(
    "erosion per checkpoint; published: agents {0}, humans {1}",
    slope(agents.erosion),
    slope(humans.erosion),
  );
  return element("div", { class: "legend" }, ...entries, element("span", { class: "note" }, note));
}
