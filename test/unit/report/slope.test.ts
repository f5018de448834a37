import { describe, expect, it } from "vitest";
import { leastSquaresSlope } from "../../../src/core/report/slope.js";

describe("the least-squares slope", () => {
  it("is exact on a line", () => {
    const line = [1, 2, 3, 4].map((x) => ({ x, y: 0.1 + 0.05 * x }));
    expect(leastSquaresSlope(line)).toBeCloseTo(0.05, 12);
  });

  it("is the textbook value off a line", () => {
    const points = [
      { x: 1, y: 1 },
      { x: 2, y: 3 },
      { x: 3, y: 2 },
      { x: 4, y: 5 },
    ];
    expect(leastSquaresSlope(points)).toBeCloseTo(1.1, 12);
  });

  it("passes over what was not measured, keeping the distance", () => {
    const points = [
      { x: 1, y: 0 },
      { x: 2, y: null },
      { x: 3, y: 2 },
      { x: 5, y: 4 },
    ];
    expect(leastSquaresSlope(points)).toBeCloseTo(1, 12);
  });

  it("is unknown with fewer than three measured points", () => {
    expect(
      leastSquaresSlope([
        { x: 1, y: 0 },
        { x: 2, y: 1 },
        { x: 3, y: null },
      ]),
    ).toBeNull();
  });
});
