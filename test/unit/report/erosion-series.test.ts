import { describe, expect, it } from "vitest";
import { erosionSeries } from "../../../src/core/report/erosion-series.js";
import { aRun, aTurn, counts } from "../trajectory/samples.js";

const rising = [
  aTurn(
    1,
    { counts: counts({ Core: { passed: 3, failed: 1, skipped: 2 } }) },
    { erosion: 0.1, verbosity: 0.2, maxCc: 9 },
  ),
  aTurn(2, {}, { erosion: 0.3, verbosity: 0.2, maxCc: 20, highCcFunctions: 1, totalLoc: 100 }),
  aTurn(3, {}, { erosion: 0.5, verbosity: 0.2 }),
  aTurn(4, { verdict: "not-reached" }),
];

describe("the erosion series", () => {
  it("has a point a turn taken and leaves out what was never reached", () => {
    const [series] = erosionSeries("sample", [aRun(rising)]).series;
    expect(series?.points.map(({ erosion }) => erosion)).toEqual([0.1, 0.3, 0.5]);
    expect(series?.points[1]).toMatchObject({ highCc: 1, maxCc: 20, sloc: 100, order: 2 });
  });

  it("counts passed of passed and failed, without skips", () => {
    const [series] = erosionSeries("sample", [aRun(rising)]).series;
    expect(series?.points[0]?.passRates.Core).toEqual({ passed: 3, total: 4 });
  });

  it("has the slope per checkpoint", () => {
    const [series] = erosionSeries("sample", [aRun(rising)]).series;
    expect(series?.slope.erosion).toBeCloseTo(0.2, 12);
    expect(series?.slope.verbosity).toBeCloseTo(0, 12);
  });

  it("interrupts the line where a turn in the middle was not measured", () => {
    const gap = [aTurn(1, {}, { erosion: 0.1 }), aTurn(2, { verdict: "not-reached" }), aTurn(3, {}, {})];
    const [series] = erosionSeries("sample", [aRun(gap)]).series;
    expect(series?.points.map(({ erosion }) => erosion)).toEqual([0.1, null, 0]);
  });

  it("takes only runs with turns on the problem, oldest first", () => {
    const newer = aRun(rising, { folder: "/runs/newer", startedAt: "2026-02-01T00:00:00.000Z" });
    const older = aRun(rising, { folder: "/runs/older", startedAt: "2026-01-01T00:00:00.000Z" });
    const other = aRun([], { folder: "/runs/other", problems: [] });
    const { series } = erosionSeries("sample", [newer, other, older]);
    expect(series.map((one) => one.run)).toEqual(["/runs/older", "/runs/newer"]);
  });

  it("stands beside the published human panel, models and slopes", () => {
    const { references } = erosionSeries("sample", []);
    expect(references.humans[0]).toEqual({
      name: "Human panel",
      repositories: 473,
      verbosity: { mean: 0.19, sd: 0.11 },
      erosion: { mean: 0.34, sd: 0.22 },
    });
    expect(references.humans.slice(1).map(({ repositories }) => repositories)).toEqual([114, 124, 120, 115]);
    expect(references.slopes).toEqual({
      agents: { erosion: 0.0264, verbosity: 0.0144 },
      humans: { erosion: 0.0053, verbosity: 0.0022 },
    });
    expect(references.models).toHaveLength(15);
    expect(references.models).toContainEqual({ name: "GPT 5.5", erosion: 0.49, verbosity: 0.32 });
  });
});
