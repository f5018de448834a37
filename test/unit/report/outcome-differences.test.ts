import { describe, expect, it } from "vitest";
import type { TestOutcome, TestStatus } from "../../../src/core/model/outcome.js";
import { outcomeDifferences } from "../../../src/core/report/outcome-differences.js";

function outcome(id: string, status: TestStatus, checkpoint = "checkpoint_1"): TestOutcome {
  const file = `test_${checkpoint}.py`;
  return { id, checkpoint, group: "Core", file, line: 1, status, durationMs: 1, message: undefined };
}

describe("differences between two evaluations", () => {
  it("are none when every test ends alike, an error being a failure", () => {
    const stored = [outcome("test_a", "passed"), outcome("test_b", "failed")];
    expect(outcomeDifferences(stored, [outcome("test_b", "error"), outcome("test_a", "passed")])).toEqual([]);
  });

  it("name what changed, what is new and what is gone", () => {
    const stored = [outcome("test_a", "passed"), outcome("test_gone", "passed")];
    const now = [outcome("test_a", "failed"), outcome("test_new", "skipped")];
    expect(outcomeDifferences(stored, now).map(({ id, stored: was, now: is }) => [id, was, is])).toEqual([
      ["test_a", "passed", "failed"],
      ["test_new", undefined, "skipped"],
      ["test_gone", "passed", undefined],
    ]);
  });

  it("tell tests of the same name in two checkpoints apart", () => {
    const stored = [outcome("test_a", "passed"), outcome("test_a", "failed", "checkpoint_2")];
    const now = [outcome("test_a", "passed"), outcome("test_a", "passed", "checkpoint_2")];
    expect(outcomeDifferences(stored, now)).toMatchObject([{ checkpoint: "checkpoint_2", stored: "failed" }]);
  });
});
