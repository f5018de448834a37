import { describe, expect, it } from "vitest";
import { COLUMNS, toCsv } from "../../../webview/plot/csv.js";
import { freeHeight, isCrossed, namedPlaces, spread } from "../../../webview/plot/placing.js";
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

describe("the figure of a run that ended early", () => {
  const size = { width: 33, height: 13 };
  const area = { top: 0, bottom: 200 };
  const flat = (y: number) => [
    { x: 0, y },
    { x: 500, y },
  ];

  it("stays at its height where no other line runs", () => {
    expect(freeHeight({ x: 100, y: 50 }, size, area, [flat(100)])).toBe(50);
  });

  it("goes above the line of a run that goes on alike, and further where others are too", () => {
    expect(freeHeight({ x: 100, y: 50 }, size, area, [flat(50)])).toBe(37);
    expect(freeHeight({ x: 100, y: 50 }, size, area, [flat(50), flat(37)])).toBe(63);
    expect(freeHeight({ x: 100, y: 198 }, size, area, [flat(198)])).toBe(185);
  });

  it("stays where every height is taken", () => {
    const all = Array.from({ length: 60 }, (_, index) => flat(index * 5));
    expect(freeHeight({ x: 100, y: 50 }, size, area, all)).toBe(50);
  });
});

describe("the label of the human band", () => {
  const box = { left: 100, right: 200, top: 50, bottom: 70 };

  it.each([
    [
      "through the box",
      [
        { x: 0, y: 0 },
        { x: 300, y: 120 },
      ],
      true,
    ],
    [
      "above it",
      [
        { x: 0, y: 40 },
        { x: 300, y: 40 },
      ],
      false,
    ],
    [
      "down beside it",
      [
        { x: 0, y: 0 },
        { x: 50, y: 120 },
      ],
      false,
    ],
    ["ends in it", [{ x: 160, y: 60 }], true],
    ["ends before it", [{ x: 10, y: 60 }], false],
    ["no line", [], false],
  ])("sees a line %s", (_, points, expected) => {
    expect(isCrossed(points, box)).toBe(expected);
  });
});

describe("names of models", () => {
  it("stand at their own ticks or not at all, the highest and the lowest always", () => {
    const at = (y: number): { y: number } => ({ y });
    expect(namedPlaces([at(30), at(10), at(15), at(60), at(55)], 12).map(({ y }) => y)).toEqual([10, 30, 60]);
    expect(namedPlaces([at(10)], 12)).toEqual([at(10)]);
    expect(namedPlaces([], 12)).toEqual([]);
  });
});
