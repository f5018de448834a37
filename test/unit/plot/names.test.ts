import { describe, expect, it } from "vitest";
import { dateWords } from "../../../src/core/report/format.js";
import type { PlotSeries } from "../../../src/core/report/plot-protocol.js";
import { dated, datedNames, seriesNames } from "../../../webview/plot/names.js";
import { comparing, drawnSeries, INITIAL_STATE } from "../../../webview/plot/selection.js";
import { data, point, series } from "./fixture.js";

const run = (id: string, label: string, more: Partial<PlotSeries> = {}): PlotSeries => ({
  ...series(id, [point(1, 0.1)], label),
  ...more,
});
const MORNING = "2026-06-02T08:05:59";
const EVENING = "2026-06-02T20:28:00";

describe("the names of runs", () => {
  it("are their labels while those differ", () => {
    const all = [run("1", "a", { startedAt: MORNING }), run("2", "b", { startedAt: MORNING, attempt: 2 })];
    expect([...seriesNames(all).values()]).toEqual(["a", "b"]);
  });

  it("tell attempts, then starts, then folders of runs with one label apart, and no more than that takes", () => {
    const names = seriesNames([
      run("1", "a", { startedAt: MORNING, attempt: 1 }),
      run("2", "a", { startedAt: MORNING, attempt: 2 }),
      run("3", "b", { startedAt: MORNING }),
      run("4", "b", { startedAt: EVENING }),
      run("5", "c", { startedAt: MORNING, run: "/runs/one" }),
      run("6", "c", { startedAt: MORNING, run: "C:\\runs\\two" }),
      run("7", "d", { startedAt: MORNING }),
    ]);
    expect([...names.values()]).toEqual([
      ...["a · #1", "a · #2", "b · 2 Jun 08:05", "b · 2 Jun 20:28"],
      ...["c · 2 Jun 08:05 · one", "c · 2 Jun 08:05 · two", "d"],
    ]);
    expect(new Set(names.values()).size).toBe(names.size);
  });

  it("are drawn so, also where only some of the runs are drawn", () => {
    const all = [run("1", "a", { startedAt: MORNING }), run("2", "a", { startedAt: EVENING })];
    const [only] = drawnSeries(data(all), { ...INITIAL_STATE, drawn: ["2"] });
    expect(only?.name).toBe("a · 2 Jun 20:28");
  });

  it("have their start once where one chooses among them", () => {
    const all = [run("1", "a", { startedAt: MORNING }), run("2", "a", { startedAt: EVENING }), run("3", "b")];
    expect([...datedNames(all).values()]).toEqual(["a · 2 Jun 08:05", "a · 2 Jun 20:28", "b"]);
    expect(dated("x", { startedAt: MORNING })).toBe("x · 2 Jun 08:05");
  });
});

describe("a date", () => {
  it("has one form, with the day first in English and the month of the language", () => {
    expect(dateWords(EVENING, "en")).toBe("2 Jun 20:28");
    expect(dateWords(EVENING, "en-US")).toBe("2 Jun 20:28");
    expect(dateWords(EVENING, "")).toBe("2 Jun 20:28");
    expect(dateWords(EVENING, "zh-cn")).toBe("6月2日 20:28");
    expect(dateWords("when", "en")).toBe("");
    expect(dateWords(undefined, "en")).toBe("");
  });
});

describe("Compare With…", () => {
  it("shows both runs, also where they were left out or a table was shown", () => {
    const state = comparing(
      { ...INITIAL_STATE, left: ["a", "b", "c"], view: "table", order: 3 },
      { a: "a", b: "b" },
    );
    expect(state).toMatchObject({ metric: "verdicts", view: "chart", a: "a", b: "b", left: ["c"] });
    expect(state.order).toBeUndefined();
    expect(state.selection?.series).toBe("a");
  });
});
