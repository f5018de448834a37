import { describe, expect, it } from "vitest";
import { COLUMNS, toCsv } from "../../../webview/plot/csv.js";
import { spread } from "../../../webview/plot/references.js";
import { drawnSeries, INITIAL_STATE } from "../../../webview/plot/selection.js";
import { data, point, series } from "./fixture.js";

describe("CSV", () => {
  it("has one row a point, quotes what needs it, leaves a missing value empty", () => {
    const run = series("r", [point(1, 0.25, 1, 2), point(2, null)], 'my "fast", agent');
    const lines = toCsv(drawnSeries(data([run]), INITIAL_STATE))
      .trimEnd()
      .split("\r\n");
    expect(lines[0]).toBe(COLUMNS.join(","));
    expect(lines[1]).toBe('"my ""fast"", agent",,checkpoint_1,failed,0.25,0.25,100,10,1,11,1/2,,,,1');
    expect(lines[2]).toBe('"my ""fast"", agent",,checkpoint_2,passed,,,100,10,1,11,1/1,,,,0');
  });
});

describe("end labels", () => {
  it("stay where they are when there is room", () => {
    expect(spread([10, 50], 13, { bottom: 100 })).toEqual([10, 50]);
  });

  it("move apart in their order, and back up at the lower edge", () => {
    expect(spread([50, 48, 49], 13, { bottom: 100 })).toEqual([74, 48, 61]);
    expect(spread([99, 98], 13, { bottom: 100 })).toEqual([100, 87]);
  });
});
