/** Two runs at one checkpoint: who passes what, as a bar and a table. */
import * as l10n from "@vscode/l10n";
import { change, duration, integer, ratio } from "../../src/core/report/format.js";
import type { ComparedTest, HeadToHead } from "../../src/core/report/head-to-head.js";
import type { Comparison, PlotPoint, PlotSeries } from "../../src/core/report/plot-protocol.js";
import { button, element, icon } from "../dom.js";
import { dated } from "./names.js";
import { type DrawnSeries, pointAt } from "./selection.js";
import { commonOrders, comparableWith } from "./verdicts.js";

export interface HeadToHeadEvents {
  readonly onChoose: (part: Partial<Comparison>) => void;
  readonly onDiff: () => void;
  readonly onList: () => void;
}

export interface HeadToHeadInput {
  readonly drawn: readonly DrawnSeries[];
  readonly pair: Comparison;
  /** Undefined until the host has compared them, `missing` where one of the turns is gone. */
  readonly result: HeadToHead | "missing" | undefined;
}

const SWAP = "M2 5h11M10 2l3 3-3 3M14 11H3M6 8l-3 3 3 3";

/** The part below the heatmap. */
export function headToHeadPart(
  { drawn, pair, result }: HeadToHeadInput,
  events: HeadToHeadEvents,
): HTMLElement {
  const [a, b] = [pair.a, pair.b].map((id) => drawn.find(({ series }) => series.id === id)?.series);
  if (a === undefined || b === undefined) return element("div");
  const points = [pointAt(a, pair.order), pointAt(b, pair.order)] as const;
  const body =
    result === undefined || result === "missing"
      ? [element("p", { class: "dim", role: "status" }, waitingWords(result))]
      : [tests(result, events), figures(result, points)];
  return element(
    "section",
    { class: "versus", "aria-label": l10n.t("Head to head") },
    head(drawn, pair, a, b, events),
    ...body,
  );
}

function waitingWords(result: "missing" | undefined): string {
  return result === undefined
    ? l10n.t("Comparing…")
    : l10n.t("One of the two turns is not there any more. Choose another run or checkpoint.");
}

function head(
  drawn: readonly DrawnSeries[],
  pair: Comparison,
  a: PlotSeries,
  b: PlotSeries,
  events: HeadToHeadEvents,
): HTMLElement {
  const swapWords = l10n.t("Swap A and B");
  const swap = button(
    { class: "tool", title: swapWords, "aria-label": swapWords },
    () => {
      events.onChoose({ a: pair.b, b: pair.a });
    },
    icon(SWAP),
  );
  const orders = commonOrders(a, b).map((order) => ({
    id: String(order),
    label: l10n.t("Checkpoint {0}", order),
  }));
  return element(
    "header",
    {},
    element("h3", {}, l10n.t("Head to head")),
    runSelect("a", drawn, a, b, events),
    swap,
    runSelect("b", drawn, b, a, events),
    select(l10n.t("Checkpoint"), orders, String(pair.order), (order) => {
      events.onChoose({ order: Number(order) });
    }),
    element(
      "span",
      { class: "links" },
      link(l10n.t("List All Differences"), events.onList),
      link(l10n.t("Open Snapshots as a Diff"), events.onDiff),
    ),
  );
}

function runSelect(
  side: "a" | "b",
  drawn: readonly DrawnSeries[],
  chosen: PlotSeries,
  other: PlotSeries,
  events: HeadToHeadEvents,
): HTMLElement {
  const name = side.toUpperCase();
  const comparable = comparableWith(
    other,
    drawn.map(({ series }) => series),
  );
  const options = drawn
    .filter(({ series }) => comparable.includes(series))
    .map((run) => ({ id: run.series.id, label: dated(run.name, run.series) }));
  const created = select(l10n.t("Run {0}", name), options, chosen.id, (id) => {
    events.onChoose({ [side]: id });
  });
  return element("label", { class: side === "a" ? "run1" : "run2" }, element("b", {}, name), created);
}

function select(
  label: string,
  options: readonly { readonly id: string; readonly label: string }[],
  chosen: string,
  onChange: (id: string) => void,
): HTMLElement {
  const created = element(
    "select",
    { "aria-label": label },
    ...options.map((option) =>
      element("option", { value: option.id, selected: option.id === chosen }, option.label),
    ),
  );
  created.addEventListener("change", () => {
    onChange(created.value);
  });
  return created;
}

function link(text: string, onClick: () => void): HTMLElement {
  return button({ class: "link" }, onClick, text);
}

function tests(result: HeadToHead, events: HeadToHeadEvents): HTMLElement {
  const parts = [
    { name: l10n.t("both passed"), count: result.both, look: "both" },
    { name: l10n.t("only A"), count: result.onlyA.length, look: "a" },
    { name: l10n.t("only B"), count: result.onlyB.length, look: "b" },
    { name: l10n.t("neither"), count: result.neither, look: "neither" },
  ];
  const bar = parts
    .filter(({ count }) => count > 0)
    .map(({ count, look, name }) => {
      const piece = element("span", { class: look, title: `${count} ${name}` }, String(count));
      piece.style.flexGrow = String(count);
      return piece;
    });
  const key = parts.map(({ name, count, look }) =>
    element("span", { class: `key ${look}` }, `${look === "neither" ? "□" : "■"} ${count} ${name}`),
  );
  return element(
    "div",
    { class: "tests" },
    element("p", { class: "dim" }, testsSentence(result)),
    ...(result.common === 0
      ? []
      : [
          element("div", { class: "bar", "aria-hidden": "true" }, ...bar),
          element("p", { class: "keys" }, ...key),
        ]),
    ...oneSided("A", "B", result.onlyA, events),
    ...oneSided("B", "A", result.onlyB, events),
  );
}

function testsSentence({ common, sameTests }: HeadToHead): string {
  if (common === 0) return l10n.t("No test was scored in both runs at this checkpoint.");
  return sameTests
    ? l10n.t("{0} hidden tests", integer(common))
    : l10n.t("Compared on the {0} tests that both runs have.", integer(common));
}

/** What one passes and the other does not, in a sentence that unfolds to the tests. */
function oneSided(
  winner: string,
  loser: string,
  found: readonly ComparedTest[],
  { onList }: HeadToHeadEvents,
): HTMLElement[] {
  if (found.length === 0) return [];
  const regressions = found.filter(({ group }) => group === "Regression").length;
  const sentence =
    regressions === 0
      ? l10n.t("Tests that {0} passes and {1} fails: {2}", winner, loser, found.length)
      : l10n.t(
          "Tests that {0} passes and {1} fails: {2}; {3} of them Regression",
          winner,
          loser,
          found.length,
          regressions,
        );
  const items = found
    .slice(0, MOST_LISTED)
    .map(({ id, group, checkpoint }) =>
      element("li", {}, element("code", {}, id), ` ${group}, ${checkpoint.replace("_", " ")}`),
    );
  const rest =
    found.length > MOST_LISTED ? [link(l10n.t("And {0} more", found.length - MOST_LISTED), onList)] : [];
  return [element("details", {}, element("summary", {}, sentence), element("ul", {}, ...items), ...rest)];
}

const MOST_LISTED = 40;

type Points = readonly [PlotPoint | undefined, PlotPoint | undefined];

function figures(result: HeadToHead, [a, b]: Points): HTMLElement {
  const pair = (pick: (point: PlotPoint) => number | null): Pair => [a && pick(a), b && pick(b)];
  const rows = [
    ...result.groups.map(({ group, total, ...passed }) =>
      row(
        l10n.t("{0}: passed", group),
        [passed.a, passed.b],
        (value) => l10n.t("{0} of {1}", value ?? 0, total),
        "more",
        0,
      ),
    ),
    row(
      l10n.t("Erosion"),
      pair((point) => point.erosion),
      ratio,
      "less",
      2,
    ),
    row(
      l10n.t("Verbosity"),
      pair((point) => point.verbosity),
      ratio,
      "less",
      2,
    ),
    row(
      l10n.t("Callables with CC > 10"),
      pair((point) => point.highCc),
      integer,
      "less",
      0,
    ),
    row(
      l10n.t("Highest CC"),
      pair((point) => point.maxCc),
      integer,
      "less",
      0,
    ),
    row(
      l10n.t("Agent time"),
      pair((point) => point.agentSeconds),
      duration,
      "less",
      "times",
    ),
  ];
  const looks = ["", "run1", "run2", ""];
  const titles = ["", "A", "B", l10n.t("B against A")].map((title, index) =>
    element("th", { scope: "col", class: looks[index] }, title),
  );
  return element(
    "table",
    {},
    element("thead", {}, element("tr", {}, ...titles)),
    element("tbody", {}, ...rows),
  );
}

type Pair = readonly [number | null | undefined, number | null | undefined];

/** One figure of both; the better one is bold, and no colour says so. */
function row(
  title: string,
  [a, b]: Pair,
  write: (value: number | null | undefined) => string,
  better: "more" | "less",
  digits: number | "times",
): HTMLElement {
  const ahead =
    a == null || b == null || write(a) === write(b) ? undefined : a < b === (better === "less") ? "a" : "b";
  const against = digits === "times" ? timesOf(a, b) : change(b, a, digits);
  return element(
    "tr",
    {},
    element("th", { scope: "row" }, title),
    element("td", { class: ahead === "a" ? "ahead" : "" }, write(a)),
    element("td", { class: ahead === "b" ? "ahead" : "" }, write(b)),
    element("td", {}, against),
  );
}

function timesOf(a: Pair[0], b: Pair[1]): string {
  return a == null || b == null || a === 0 ? "" : `× ${(b / a).toFixed(1)}`;
}
