import { describe, expect, it } from "vitest";
import type { TestStatus } from "../../../src/core/model/outcome.js";
import {
  hasChanged,
  historyWords,
  isRegression,
  testHistory,
  type TestRecord,
} from "../../../src/editor/tree/test-history.js";
import * as make from "./support.js";

/** A run whose turns ended one test like this; undefined: the turn did not run it. */
function history(...statuses: readonly (TestStatus | undefined)[]): TestRecord[] {
  const turns = statuses.map((status, index) =>
    make.turn(index + 1, { outcomes: status === undefined ? [] : [make.outcome("test_a", { status })] }),
  );
  const [part] = make.run("/runs/a", turns).problems;
  const last = turns.at(-1);
  if (part === undefined || last === undefined) throw new Error("no turns");
  return testHistory(part, last, make.test("test_a"));
}

describe("the history of a test", () => {
  it("names each end before the last streak, and since when that lasts", () => {
    expect(historyWords(history("passed", "passed", "failed"))).toBe("passed, passed, failed since 3");
    expect(historyWords(history("passed", "failed", "failed"))).toBe("passed, failed since 2");
    expect(historyWords(history("passed", "passed"))).toBe("passed since 1");
  });

  it("counts long streaks", () => {
    const long = history("passed", "passed", "passed", "passed", "failed", "passed");
    expect(historyWords(long)).toBe("passed 4 times, failed, passed since 6");
    const restless = history("passed", "failed", "passed", "failed", "passed");
    expect(historyWords(restless)).toBe("changed 4 times, passed since 5");
  });

  it("is empty with a single record, and passes over turns without the test", () => {
    expect(historyWords(history("passed"))).toBe("");
    expect(historyWords(history(undefined, "passed", undefined, "error"))).toBe("passed, failed since 4");
  });

  it("does not look beyond the turn that is asked for", () => {
    const turns = (["passed", "failed"] as const).map((status, index) =>
      make.turn(index + 1, { outcomes: [make.outcome("test_a", { status })] }),
    );
    const [part] = make.run("/runs/a", turns).problems;
    const [first] = turns;
    if (part === undefined || first === undefined) throw new Error("no turns");
    expect(testHistory(part, first, make.test("test_a"))).toEqual([
      { checkpoint: "checkpoint_1", status: "passed" },
    ]);
  });

  it("tells a regression from a test that never passed", () => {
    expect(isRegression(history("passed", "error"))).toBe(true);
    expect(isRegression(history("failed", "failed"))).toBe(false);
    expect(isRegression(history("passed", "failed", "passed"))).toBe(false);
    expect(hasChanged(history("failed", "error"))).toBe(false);
  });
});
