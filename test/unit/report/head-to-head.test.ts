import { describe, expect, it } from "vitest";
import type { Verdict } from "../../../src/core/model/outcome.js";
import { headToHead, sharedOrders } from "../../../src/core/report/head-to-head.js";
import { outcome, turn } from "../editor/support.js";

const passed = (id: string) => outcome(id);
const failed = (id: string) => outcome(id, { status: "failed" });

describe("two runs", () => {
  it("can be compared at the checkpoints that both took", () => {
    const taken = (...verdicts: readonly (Verdict | undefined)[]) => ({
      turns: verdicts.map((verdict, index) => turn(index + 1, { verdict })),
    });
    const whole = taken("passed", "failed", "infrastructure");
    expect(sharedOrders(whole, taken("failed", undefined, "not-reached"))).toEqual([1, 2]);
    expect(sharedOrders(whole, taken("skipped", "skipped", "agent-error"))).toEqual([3]);
    expect(sharedOrders(taken("passed", "not-reached"), taken("skipped", "passed"))).toEqual([]);
  });
});

describe("two runs head to head", () => {
  it("are compared test by test, an error as a failure", () => {
    const a = [passed("both"), passed("a"), failed("b"), failed("none")];
    const b = [passed("both"), outcome("a", { status: "error" }), passed("b"), failed("none")];
    const result = headToHead(a, b);
    expect(result).toMatchObject({ common: 4, sameTests: true, both: 1, neither: 1 });
    expect(result.onlyA).toEqual([{ id: "a", checkpoint: "checkpoint_1", group: "Core" }]);
    expect(result.onlyB.map(({ id }) => id)).toEqual(["b"]);
    expect(result.groups).toEqual([{ group: "Core", a: 2, b: 2, total: 4 }]);
  });

  it("are compared on the tests that both scored, and say so", () => {
    const regression = outcome("old", { group: "Regression", checkpoint: "checkpoint_1" });
    const a = [passed("x"), regression, passed("mine"), outcome("left", { status: "skipped" })];
    const b = [failed("x"), { ...regression, status: "failed" as const }, passed("left")];
    const result = headToHead(a, b);
    expect(result).toMatchObject({ common: 2, sameTests: false, both: 0, neither: 0 });
    expect(result.groups.map(({ group, a: left, b: right }) => [group, left, right])).toEqual([
      ["Core", 1, 0],
      ["Regression", 1, 0],
    ]);
  });

  it("tells tests of one name in two checkpoints apart", () => {
    const later = outcome("x", { checkpoint: "checkpoint_2" });
    expect(headToHead([passed("x")], [later])).toMatchObject({ common: 0, sameTests: false });
    expect(headToHead([], [])).toMatchObject({ common: 0, sameTests: true, groups: [] });
  });
});
