import * as l10n from "@vscode/l10n";
import type { PlotPoint, PlotSelection } from "../../src/core/report/plot-protocol.js";
import { verdictWords } from "../../src/core/report/verdict-words.js";
import { button, element, icon } from "../dom.js";
import { markerPath } from "./markers.js";
import { type DrawnSeries, failedOf } from "./selection.js";
import type { Slot } from "./slots.js";
import { isScored, passesCore } from "./verdicts.js";

/** Glyph and number of a cell: verdict first, then the tests that failed. */
export function cellText(point: PlotPoint): string {
  const { failed, total } = failedOf(point);
  if (point.verdict === undefined) return "…";
  if (point.verdict === "infrastructure") return "△";
  if (total === 0) return "–";
  if (failed === 0) return "✓";
  const core = point.passRates.Core;
  return `${core.passed === core.total ? "◐" : "✕"} ${failed}`;
}

/** What a cell says to a screen reader. */
export function cellLabel(label: string, point: PlotPoint): string {
  const { failed, total } = failedOf(point);
  const verdict = point.verdict === undefined ? l10n.t("running") : verdictWords(point.verdict);
  return l10n.t(
    "{0}, checkpoint {1}: {2}, {3} of {4} tests failed",
    ...[label, point.order, verdict, failed, total],
  );
}

function cell(
  drawn: DrawnSeries,
  point: PlotPoint,
  selected: boolean,
  onClick: (selection: PlotSelection) => void,
): HTMLElement {
  const { failed, total } = failedOf(point);
  const part = total === 0 ? 0 : failed / total;
  const core = failed > 0 && isScored(point) && !passesCore(point) ? " no-core" : "";
  const created = button(
    {
      class: `cell${core}${selected ? " selected" : ""}`,
      tabindex: "-1",
      "aria-label": cellLabel(drawn.name, point),
      title: point.reason,
    },
    () => {
      onClick({ series: drawn.series.id, order: point.order });
    },
    cellText(point),
  );
  const strength = part === 0 ? 0 : 5 + 37 * part;
  created.style.backgroundColor = `color-mix(in srgb, var(--failed-cell) ${strength}%, transparent)`;
  return created;
}

/** Failed tests of each run under the columns of the plot: the heatmap of verdicts. */
export function failedTestsStrip(
  drawn: readonly DrawnSeries[],
  selection: PlotSelection | undefined,
  slots: readonly Slot[],
  onClick: (selection: PlotSelection) => void,
): HTMLElement {
  const rows = drawn.flatMap((run) => {
    const marker = element("span", { class: `marker run${run.style + 1}` });
    marker.append(icon(markerPath(run.style)));
    const cells = slots.map((slot) => {
      const point = slot.pointOf(run.series);
      if (!point || point.verdict === "not-reached") return element("span", { class: "cell absent" });
      const selected = selection?.series === run.series.id && slot.holds(run.series, selection.order);
      return cell(run, point, selected, onClick);
    });
    return [marker, ...cells];
  });
  const grid = element("div", { class: "strip" }, ...rows);
  grid.style.gridTemplateColumns = `var(--plot-left) repeat(${Math.max(1, slots.length)}, 1fr)`;
  const legend = element(
    "div",
    { class: "strip-legend" },
    element("b", {}, l10n.t("Failed tests")),
    element("span", {}, `◐ ${l10n.t("core passed")}`),
    element("span", {}, `✕ ${l10n.t("core failed")}`),
  );
  return element("div", { class: "strip-row" }, grid, legend);
}
