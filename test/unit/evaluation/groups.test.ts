import { describe, expect, it } from "vitest";
import { countByGroup, groupOf } from "../../../src/core/evaluation/groups.js";
import type { CustomMarker } from "../../../src/core/model/problem.js";
import { outcome } from "./support.js";

const custom: CustomMarker[] = [
  { name: "slow", description: "takes long", group: "Functionality" },
  { name: "edge", description: "edge case", group: "Error" },
];
const group = (checkpoint: string, ...markers: string[]): string =>
  groupOf({ checkpoint, markers }, "checkpoint_2", custom);

describe("groupOf", () => {
  it("makes every test of another checkpoint a regression", () => {
    expect(group("checkpoint_1")).toBe("Regression");
    expect(group("checkpoint_1", "error")).toBe("Regression");
    expect(group("checkpoint_10", "functionality")).toBe("Regression");
  });

  it("takes error before regression before the pack's own markers before functionality", () => {
    expect(group("checkpoint_2", "functionality", "slow", "regression", "error")).toBe("Error");
    expect(group("checkpoint_2", "functionality", "edge", "regression")).toBe("Regression");
    expect(group("checkpoint_2", "functionality", "edge")).toBe("Error");
    expect(group("checkpoint_2", "parametrize", "functionality")).toBe("Functionality");
  });

  it("takes the nearest of several markers of the pack", () => {
    expect(group("checkpoint_2", "slow", "edge")).toBe("Functionality");
    expect(group("checkpoint_2", "edge", "slow")).toBe("Error");
  });

  it("makes the rest core", () => {
    expect(group("checkpoint_2")).toBe("Core");
    expect(group("checkpoint_2", "parametrize", "timeout")).toBe("Core");
  });
});

describe("countByGroup", () => {
  it("counts errors as failed and keeps skips apart", () => {
    const outcomes = [
      outcome({ id: "a", status: "passed" }),
      outcome({ id: "b", status: "error" }),
      outcome({ id: "c", status: "failed" }),
      outcome({ id: "d", status: "skipped" }),
      outcome({ id: "e", status: "skipped", group: "Regression" }),
    ];
    const none = { passed: 0, failed: 0, skipped: 0 };
    expect(countByGroup(outcomes)).toEqual({
      Core: { passed: 1, failed: 2, skipped: 1 },
      Functionality: none,
      Error: none,
      Regression: { passed: 0, failed: 0, skipped: 1 },
    });
  });
});
