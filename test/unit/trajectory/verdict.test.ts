import { describe, expect, it } from "vitest";
import type { GroupCounts } from "../../../src/core/model/outcome.js";
import { judgeTurn } from "../../../src/core/trajectory/verdict.js";

const none = { passed: 0, failed: 0, skipped: 0 };
const done = { status: "done", reason: undefined } as const;

function evaluation(
  core: GroupCounts["Core"],
  valid = true,
  reason?: string,
): Parameters<typeof judgeTurn>[1] {
  const counts = { Core: core, Functionality: none, Error: none, Regression: none };
  return { valid, reason, counts };
}

describe("the verdict on a turn", () => {
  it("is passed only when no test failed", () => {
    expect(judgeTurn(done, evaluation({ passed: 3, failed: 0, skipped: 1 })).verdict).toBe("passed");
    expect(judgeTurn(done, evaluation({ passed: 3, failed: 1, skipped: 0 })).verdict).toBe("failed");
  });

  it("never scores an evaluation that is not valid, whatever passed in it", () => {
    expect(judgeTurn(done, evaluation({ ...none, passed: 3 }, false, "pytest was killed"))).toEqual({
      verdict: "infrastructure",
      reason: "pytest was killed",
    });
  });

  it("never takes a turn without a single test for a pass", () => {
    expect(judgeTurn(done, evaluation({ ...none, skipped: 5 }))).toEqual({
      verdict: "infrastructure",
      reason: "Every hidden test was skipped",
    });
  });

  it("keeps the agent's own trouble even where all tests pass", () => {
    const passed = evaluation({ ...none, passed: 3 });
    expect(judgeTurn({ status: "error", reason: "exit code 3" }, passed)).toEqual({
      verdict: "agent-error",
      reason: "exit code 3",
    });
    expect(judgeTurn({ status: "timeout", reason: "too long" }, passed).verdict).toBe("agent-timeout");
  });
});
