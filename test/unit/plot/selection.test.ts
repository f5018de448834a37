import { describe, expect, it } from "vitest";
import {
  drawnSeries,
  effectiveSelection,
  following,
  INITIAL_STATE,
  moveSelection,
  ordersOf,
} from "../../../webview/plot/selection.js";
import { cellText } from "../../../webview/plot/strip.js";
import { data, point, series } from "./fixture.js";

const early = series("early", [point(1, 0.1), point(2, 0.2), point(3, null)]);
const late = series("late", [point(1, 0.5), point(2, 0.6)]);

describe("drawn runs", () => {
  it("are all until the user chooses, where four suffice", () => {
    const four = data(["a", "b", "c", "d"].map((id) => series(id, [point(1, 0)])));
    expect(drawnSeries(four, INITIAL_STATE).map((run) => run.series.id)).toEqual(["a", "b", "c", "d"]);
    expect(drawnSeries(four, { ...INITIAL_STATE, drawn: ["d", "a"] }).map((run) => run.series.id)).toEqual([
      "a",
      "d",
    ]);
  });

  it("forget a chosen run that no longer exists", () => {
    const chosen = { ...INITIAL_STATE, drawn: ["gone", "late"] };
    expect(drawnSeries(data([early, late]), chosen).map((run) => run.series.id)).toEqual(["late"]);
  });

  it("span all checkpoints of any run", () => {
    expect(ordersOf(drawnSeries(data([late, early]), INITIAL_STATE))).toEqual([1, 2, 3]);
  });
});

describe("selection", () => {
  const drawn = drawnSeries(data([early, late]), INITIAL_STATE);

  it("begins at the last measured point of the newest run", () => {
    expect(effectiveSelection(drawn, undefined)).toEqual({ series: "late", order: 2 });
  });

  it("follows a callable in the mass view, and draws its run whatever was chosen", () => {
    const chosen = { ...INITIAL_STATE, view: "table", drawn: ["late"] } as const;
    const state = following(chosen, { series: "early", order: 2 }, "a.py#main");
    expect(state).toMatchObject({ metric: "mass", view: "chart", followed: "a.py#main", drawn: undefined });
    const shown = drawnSeries(data([early, late]), state);
    expect(effectiveSelection(shown, state.selection)).toEqual({ series: "early", order: 2 });
    expect(following(chosen, { series: "late", order: 1 }, "x").drawn).toEqual(["late"]);
  });

  it("does not stay on a point that is gone, but stays with its run", () => {
    expect(effectiveSelection(drawn, { series: "early", order: 9 })).toEqual({ series: "early", order: 2 });
  });

  it.each([
    ["ArrowRight", { series: "early", order: 3 }],
    ["ArrowLeft", { series: "early", order: 1 }],
    ["Home", { series: "early", order: 1 }],
    ["End", { series: "early", order: 3 }],
    ["ArrowDown", { series: "late", order: 2 }],
    ["ArrowUp", { series: "early", order: 2 }],
    ["x", undefined],
  ])("moves by %s", (key, expected) => {
    expect(moveSelection(drawn, { series: "early", order: 2 }, key)).toEqual(expected);
  });

  it("lands on the other run's last point when it is shorter", () => {
    expect(moveSelection(drawn, { series: "early", order: 3 }, "ArrowDown")).toEqual({
      series: "late",
      order: 2,
    });
  });
});

describe("a cell of the failed-tests strip", () => {
  it.each([
    [point(1, 0, 4, 4), "✓"],
    [point(1, 0, 0, 0), "–"],
    [point(1, 0, 3, 4), "✕ 1"],
    [{ ...point(1, 0, 4, 4), verdict: "infrastructure" as const }, "△"],
    [{ ...point(1, null, 0, 0), verdict: undefined }, "…"],
  ])("never shows by colour alone (%#)", (given, expected) => {
    expect(cellText(given)).toBe(expected);
  });

  it("tells a core pass from a core failure", () => {
    const coreHolds = point(1, 0, 4, 4);
    const withError = { ...coreHolds, passRates: { ...coreHolds.passRates, Error: { passed: 0, total: 2 } } };
    expect(cellText(withError)).toBe("◐ 2");
  });
});
