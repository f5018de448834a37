import { describe, expect, it } from "vitest";
import { bandAt, byAgent, meanSeries } from "../../../webview/plot/means.js";
import { drawnSeries, INITIAL_STATE } from "../../../webview/plot/selection.js";
import { data, point, series } from "./fixture.js";

const runs = [
  series("a1", [point(1, 0.2, 3, 4), point(2, 0.4, 4, 4)], "a"),
  series("b1", [point(1, 0.9)], "b"),
  series("a2", [point(1, 0.4, 2, 4), point(2, null, 2, 4)], "a"),
];

describe("the mean of an agent's runs", () => {
  it("puts the agent with most runs first", () => {
    expect(byAgent(runs).map((group) => group.map(({ id }) => id))).toEqual([["a1", "a2"], ["b1"]]);
  });

  it("takes the means of what was measured, tests in whole tests", () => {
    const [members = []] = byAgent(runs);
    const mean = meanSeries(members);
    expect(mean).toMatchObject({ id: "mean:a", label: "a · mean of 2 runs" });
    expect(mean.points.map(({ erosion }) => erosion)).toEqual([expect.closeTo(0.3), 0.4]);
    expect(mean.points.map(({ passRates }) => passRates.Core)).toEqual([
      { passed: 3, total: 4 },
      { passed: 3, total: 4 },
    ]);
    expect(mean.points.map(({ verdict }) => verdict)).toEqual(["failed", "failed"]);
  });

  it("has a spread of one standard deviation where two runs were measured", () => {
    const [members = []] = byAgent(runs);
    const erosion = bandAt(members, 1, (candidate) => candidate.erosion);
    expect(erosion?.low).toBeCloseTo(0.3 - Math.SQRT1_2 * 0.2);
    expect(erosion?.high).toBeCloseTo(0.3 + Math.SQRT1_2 * 0.2);
    expect(bandAt(members, 2, (candidate) => candidate.erosion)).toBeUndefined();
  });
});

describe("many runs", () => {
  const many = data([...runs, series("c1", [point(1, 0.1)], "c"), series("d1", [point(1, 0.1)], "d")]);

  it("are drawn as means until the user chooses runs", () => {
    const drawn = drawnSeries(many, INITIAL_STATE);
    expect(drawn.map((one) => [one.series.id, one.members.length])).toEqual([
      ["mean:a", 2],
      ["b1", 0],
      ["c1", 0],
      ["d1", 0],
    ]);
    const selected = { ...INITIAL_STATE, selection: { series: "a1", order: 1 } };
    expect(drawnSeries(many, selected).map((one) => one.series.id)).toEqual(["a1", "a2", "c1", "d1"]);
    const chosen = drawnSeries(many, { ...INITIAL_STATE, drawn: ["a1", "d1"] });
    expect(chosen.map((one) => one.series.id)).toEqual(["a1", "d1"]);
  });
});
