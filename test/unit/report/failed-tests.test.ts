import { describe, expect, it } from "vitest";
import type { TestOutcome } from "../../../src/core/model/outcome.js";
import { failedTestLines, failedTests } from "../../../src/core/report/failed-tests.js";
import { aTurn } from "../trajectory/samples.js";

function outcome(id: string, part: Partial<TestOutcome> = {}): TestOutcome {
  return {
    id,
    checkpoint: "checkpoint_2",
    group: "Core",
    file: "test_checkpoint_2.py",
    line: 1,
    status: "failed",
    durationMs: 1,
    message: "    assert said\nE   assert 1 == 2",
    ...part,
  };
}

describe("the failed tests of a turn", () => {
  it("are named with group, id and the reason in one line, errors among them, new ones first", () => {
    const turn = aTurn(2, {
      outcomes: [
        outcome("test_e", { group: "Regression", checkpoint: "checkpoint_1" }),
        outcome("test_a", { status: "passed" }),
        outcome("test_b[1]"),
        outcome("test_c", { status: "error", group: "Error", message: undefined }),
        outcome("test_d", { status: "skipped" }),
      ],
    });
    expect(failedTests(turn).map(({ id }) => id)).toEqual(["test_e", "test_b[1]", "test_c"]);
    expect(failedTestLines(turn)).toEqual([
      "checkpoint_2, failed tests:",
      "  Core test_b[1]: assert 1 == 2",
      "  Error test_c",
      "  Regression test_e (checkpoint_1): assert 1 == 2",
    ]);
  });

  it("are at most ten, and the rest is counted", () => {
    const outcomes = Array.from({ length: 13 }, (_, index) => outcome(`test_${index}`));
    const lines = failedTestLines(aTurn(2, { outcomes }), "/runs/1/report.json");
    expect(lines).toHaveLength(12);
    expect(lines.at(-1)).toBe("  and 3 more (in /runs/1/report.json)");
    expect(failedTestLines(aTurn(2, { outcomes })).at(-1)).toBe("  and 3 more");
    expect(failedTestLines(aTurn(2, { outcomes: outcomes.slice(0, 10) }))).toHaveLength(11);
  });

  it("cannot steer the terminal with what a solution printed", () => {
    const message = "E   AssertionError: said \u001b]0;title\u0007\u001b[2Jhe\u001b[31mllo\rworld";
    expect(failedTestLines(aTurn(2, { outcomes: [outcome("test_a", { message })] })).at(1)).toBe(
      "  Core test_a: AssertionError: said hello world",
    );
  });

  it("take no line where none failed", () => {
    expect(failedTestLines(aTurn(2, { outcomes: [outcome("test_a", { status: "passed" })] }))).toEqual([]);
  });
});
