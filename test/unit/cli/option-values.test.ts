import { describe, expect, it } from "vitest";
import { checkpointNames, gather, numberOf } from "../../../src/cli/option-values.js";

describe("option values", () => {
  it.each([
    ["2", ["checkpoint_2"]],
    ["1-3", ["checkpoint_1", "checkpoint_2", "checkpoint_3"]],
    ["1, 3-4,1", ["checkpoint_1", "checkpoint_3", "checkpoint_4"]],
    ["checkpoint_2,warmup", ["checkpoint_2", "warmup"]],
  ])("reads checkpoints %s", (text, names) => {
    expect(checkpointNames(text)).toEqual(names);
  });

  it.each(["", "3-1", "0", "1,,2", "-2", "1-9999"])("refuses checkpoints %j", (text) => {
    expect(() => checkpointNames(text)).toThrow();
  });

  it("reads numbers in decimals", () => {
    expect(["90", "0.5", ".5", "0", " 7 "].map(numberOf("seconds"))).toEqual([90, 0.5, 0.5, 0, 7]);
    expect([numberOf("steps")("0"), numberOf("steps")("12")]).toEqual([0, 12]);
  });

  it("gathers a repeated option in order", () => {
    expect(gather("b", gather("a", undefined))).toEqual(["a", "b"]);
  });
});
