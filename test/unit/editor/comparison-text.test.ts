import { describe, expect, it } from "vitest";
import { runComparison, validationText, validationWords } from "../../../src/editor/tree/comparison-text.js";
import type { RunPart } from "../../../src/editor/library/state.js";
import * as make from "./support.js";

function entry(folder: string, turns: Parameters<typeof make.run>[1]): RunPart {
  const run = make.run(folder, turns);
  const [part] = run.problems;
  if (part === undefined) throw new Error("no part");
  return { run, part };
}

const counts = (passed: number, failed: number) => ({
  ...make.NO_COUNTS,
  Core: { passed, failed, skipped: 0 },
});

describe("runComparison", () => {
  const a = entry("/runs/a", [
    make.turn(1, { counts: counts(2, 0), outcomes: [make.outcome("test_a"), make.outcome("test_b")] }),
    make.turn(2, {
      counts: counts(1, 0),
      outcomes: [make.outcome("test_c")],
      quality: make.quality({ erosion: 0.4 }),
    }),
    make.turn(3, { verdict: "not-reached" }),
  ]);
  const b = entry("/runs/b_<c>", [
    make.turn(1, {
      verdict: "failed",
      counts: counts(1, 1),
      outcomes: [
        make.outcome("test_a"),
        make.outcome("test_b", { status: "error" }),
        make.outcome("test_x|y"),
      ],
    }),
    make.turn(2, { counts: counts(1, 0), outcomes: [make.outcome("test_c")] }),
  ]);
  const lines = runComparison(a, b).split("\n");

  it("says which runs, and how each checkpoint stands in both", () => {
    expect(lines[0]).toBe("# shelf: command · just-solve and command · just-solve");
    expect(lines).toContain("- **A** is command · just-solve, started 2 Jun 20:28, in /runs/a.");
    expect(lines[3]).toContain("/runs/b\\_\\<c\\>");
    expect(lines).toContain("| Checkpoint 1 | 2 of 2 passed | 1 of 2 passed | – | – |");
    expect(lines).toContain("| Checkpoint 2 | 1 of 1 passed | 1 of 1 passed | 0.40 | – |");
    expect(lines).toContain("| Checkpoint 3 | not reached | – | – | – |");
  });

  it("lists the tests that end differently, and says where all end alike", () => {
    const from = lines.indexOf("## Checkpoint 1");
    expect(lines.slice(from + 2, from + 8)).toEqual([
      "1 test of both ends differently, 1 only in B.",
      "",
      "| Test | A | B |",
      "| --- | --- | --- |",
      "| b (checkpoint 1) | passed | error |",
      "| x\\|y (checkpoint 1) | – | passed |",
    ]);
    expect(lines[lines.indexOf("## Checkpoint 2") + 2]).toBe("Every test ends alike.");
    expect(lines).not.toContain("## Checkpoint 3");
  });
});

describe("an evaluation that is run again", () => {
  const turn = make.turn(1, {
    outcomes: [make.outcome("test_a"), make.outcome("test_b", { status: "failed" })],
  });

  it("ends as stored, or says how many tests do not", () => {
    expect(validationWords(turn, turn.outcomes)).toBe("2 tests end as stored.");
    const now = [make.outcome("test_a", { status: "failed" }), make.outcome("test_b", { status: "error" })];
    expect(validationWords(turn, now)).toBe("1 of 2 tests does not end as stored.");
    expect(validationText(turn, now, undefined).split("\n")).toContain(
      "| a (checkpoint 1) | passed | failed |",
    );
  });

  it("says why it is not scored", () => {
    expect(validationText(turn, [], "pytest was killed").split("\n")[2]).toBe(
      "Not scored: pytest was killed",
    );
  });
});
