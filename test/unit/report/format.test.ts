import { describe, expect, it } from "vitest";
import * as format from "../../../src/core/report/format.js";

describe("figures", () => {
  it("writes a missing value as a dash in every format", () => {
    for (const write of [
      format.ratio,
      format.share,
      format.integer,
      format.slope,
      format.milliseconds,
      format.duration,
    ]) {
      expect([write(null), write(undefined)]).toEqual(["–", "–"]);
    }
  });

  it.each([
    [0.805, 0.59, "▲ 0.22"],
    [0.55, 0.59, "▼ 0.04"],
    [0.5049, 0.4951, "± 0.00"],
    [null, 0.59, ""],
    [0.59, undefined, ""],
  ])("takes a change between rounded values: %s after %s", (value, before, expected) => {
    expect(format.change(value, before)).toBe(expected);
  });

  it("groups integers by three", () => {
    expect(format.integer(1256)).toBe("1\u202f256");
    expect(format.integer(12)).toBe("12");
    expect(format.integer(1234567)).toBe("1\u202f234\u202f567");
  });

  it("writes times", () => {
    expect([format.milliseconds(41.2), format.milliseconds(1420)]).toEqual(["41 ms", "1.4 s"]);
    expect([format.clock(102.9), format.clock(5)]).toEqual(["1:42", "0:05"]);
    expect([format.duration(38), format.duration(49 * 60), format.duration(283 * 60)]).toEqual([
      "38 s",
      "49 min",
      "4 h 43 min",
    ]);
  });

  it("signs a slope", () => {
    expect([format.slope(0.0521), format.slope(-0.004)]).toEqual(["+0.052", "−0.004"]);
  });
});
