import { describe, expect, it } from "vitest";
import { headToHead } from "../../../src/core/report/head-to-head.js";
import { outcome } from "../editor/support.js";

const passed = (id: string) => outcome(id);
const failed = (id: string) => outcome(id, { status: "failed" });

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
