import * as l10n from "@vscode/l10n";
import { GROUPS } from "../../src/core/model/problem.js";
import type {
  PlotPoint,
  PlotSelection,
  PlotSeries,
  ToPlotHost,
} from "../../src/core/report/plot-protocol.js";
import { change, dollars, duration, integer, ratio, share } from "../../src/core/report/format.js";
import { button, element, icon } from "../dom.js";
import { markerPath } from "./markers.js";
import { type DrawnSeries, failedOf, pointAt } from "./selection.js";

type Post = (message: ToPlotHost) => void;

function row(term: string, value: string, difference = ""): HTMLElement[] {
  const described = element("dd", {}, value);
  if (difference !== "") described.append(element("span", { class: "change" }, ` ${difference}`));
  return [element("dt", {}, term), described];
}

function measures(point: PlotPoint, before: PlotPoint | undefined): HTMLElement {
  const high =
    point.highCc === null ? "–" : l10n.t("{0} of {1}", integer(point.highCc), integer(point.callables));
  return element(
    "dl",
    {},
    ...row(l10n.t("Verbosity"), ratio(point.verbosity), change(point.verbosity, before?.verbosity)),
    ...row(l10n.t("Callables with CC > 10"), high),
    ...row(l10n.t("Highest CC"), integer(point.maxCc), change(point.maxCc, before?.maxCc, 0)),
    ...row("SLOC", integer(point.sloc), change(point.sloc, before?.sloc, 0)),
    ...row(l10n.t("Agent time"), duration(point.agentSeconds)),
    ...(point.costUsd === null ? [] : row(l10n.t("Cost"), dollars(point.costUsd))),
  );
}

const SHOWN_CALLABLES = 5;

function heaviest(point: PlotPoint): HTMLElement[] {
  if (point.heaviest.length === 0) return [];
  const bars = point.heaviest.slice(0, SHOWN_CALLABLES).map(({ name, share: part }) => {
    const fill = element("b");
    fill.style.width = `${part * 100}%`;
    return element(
      "li",
      {},
      element("code", {}, name),
      element("span", {}, share(part)),
      element("span", { class: "bar" }, fill),
    );
  });
  return [
    element("h4", {}, l10n.t("Largest share of the mass")),
    element("ul", { class: "heaviest" }, ...bars),
  ];
}

function tests(point: PlotPoint): HTMLElement[] {
  const { failed, total } = failedOf(point);
  const rows = GROUPS.filter((group) => point.passRates[group].total > 0).flatMap((group) =>
    row(group, l10n.t("{0} of {1}", point.passRates[group].passed, point.passRates[group].total)),
  );
  const heading =
    total === 0 ? l10n.t("No test was scored") : l10n.t("Tests: {0} of {1} failed", failed, total);
  return [element("h4", {}, heading), element("dl", {}, ...rows)];
}

const OPEN = "M3 2h6l4 4v8H3zM9 2v4h4";
const COMPARE = "M2 3h5v10H2zM9 3h5v10H9zM10.5 6.5h2M10.5 9h2M3.5 6.5h2";

function actions(selection: PlotSelection, before: PlotPoint | undefined, post: Post): HTMLElement {
  const open = button(
    { class: "link" },
    () => {
      post({ type: "open-checkpoint", selection });
    },
    icon(OPEN),
    l10n.t("Open Checkpoint"),
  );
  const links = [open];
  if (before) {
    const compare = button(
      { class: "link" },
      () => {
        post({ type: "compare-with-previous", selection });
      },
      icon(COMPARE),
      l10n.t("Compare with Checkpoint {0}", before.order),
    );
    links.push(compare);
  }
  return element("div", { class: "actions" }, ...links);
}

function heading({ series, name, style }: DrawnSeries, point: PlotPoint): HTMLElement {
  const marker = element("span", { class: `marker run${style + 1}` });
  marker.append(icon(markerPath(style)));
  const isolation = series.isolation === "local" ? ` · ${l10n.t("not isolated")}` : "";
  return element(
    "header",
    {},
    marker,
    element("h2", {}, l10n.t("Checkpoint {0}", point.order)),
    element("p", {}, `${name}${isolation}`),
  );
}

function previous(series: PlotSeries, point: PlotPoint): PlotPoint | undefined {
  return series.points.findLast((candidate) => candidate.order < point.order);
}

/** Everything about one point. What hover shows and what selection shows is the same, in the same place. */
export function detailsOf(
  drawn: readonly DrawnSeries[],
  selection: PlotSelection | undefined,
  post: Post,
): readonly HTMLElement[] {
  const run = drawn.find(({ series }) => series.id === selection?.series);
  const point = run && selection && pointAt(run.series, selection.order);
  if (!run || !point) return [];
  const before = previous(run.series, point);
  const figure = element("p", { class: "figure" }, ratio(point.erosion));
  figure.append(element("span", {}, ` ${change(point.erosion, before?.erosion)}`));
  const reason = point.reason ? [element("p", { class: "reason" }, point.reason)] : [];
  return [
    heading(run, point),
    ...reason,
    element("h4", {}, l10n.t("Erosion")),
    figure,
    measures(point, before),
    ...heaviest(point),
    ...tests(point),
    ...(run.members.length === 0 ? [actions(selection, before, post)] : []),
    element(
      "p",
      { class: "profile" },
      run.series.profile ? l10n.t("Profile {0}", run.series.profile) : l10n.t("Not measured"),
    ),
  ];
}
