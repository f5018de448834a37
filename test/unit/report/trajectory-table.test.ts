import { describe, expect, it } from "vitest";
import type { TestOutcome } from "../../../src/core/model/outcome.js";
import { renderTable } from "../../../src/core/report/text-table.js";
import {
  notAskedLine,
  ownTestsLines,
  reasonLines,
  runHeading,
  trajectoryTable,
} from "../../../src/core/report/trajectory-table.js";
import { aRun, aTurn, counts } from "../trajectory/samples.js";

const turns = [
  aTurn(
    1,
    { counts: counts({ Core: { passed: 4, failed: 0, skipped: 1 } }) },
    { erosion: 0, verbosity: 0.123, totalLoc: 80 },
  ),
  aTurn(
    2,
    {
      verdict: "failed",
      counts: counts({
        Core: { passed: 2, failed: 1, skipped: 0 },
        Regression: { passed: 4, failed: 0, skipped: 0 },
      }),
    },
    { erosion: 0.4849, verbosity: 0.1, totalLoc: 1240, highCcFunctions: 2 },
  ),
  aTurn(3, { verdict: "infrastructure", reason: "The tests cannot be collected: no module named x" }),
];
const run = aRun(turns);
const [trajectory] = run.problems;
if (trajectory === undefined) throw new Error("the sample run has one problem");

describe("the trajectory table", () => {
  it("shows passed of counted tests, changes between rounded values, and dashes for what is not known", () => {
    expect(renderTable(trajectoryTable(trajectory))).toEqual([
      "checkpoint    verdict                      Core  Regression  erosion      verbosity     SLOC  high CC",
      "checkpoint_1  passed          4 of 4, 1 skipped           –  0.00         0.12            80        0",
      "checkpoint_2  failed                     2 of 3      4 of 4  0.48 ▲ 0.48  0.10 ▼ 0.02  1\u202f240        2",
      "checkpoint_3  infrastructure                  –           –  –            –                –        –",
    ]);
  });

  it("leaves out columns without a value, and checkpoints that were not asked for", () => {
    const core = counts({ Core: { passed: 1, failed: 0, skipped: 0 } });
    const skipped = [2, 4, 5, 6].map((order) => aTurn(order, { verdict: "skipped" }));
    const [second, ...later] = skipped;
    const asked = [aTurn(1, { counts: core }), second, aTurn(3, { counts: core }), ...later];
    const partly = { problem: "sample", folder: "", turns: asked.filter((turn) => turn !== undefined) };
    expect(renderTable(trajectoryTable(partly))).toEqual([
      "checkpoint    verdict    Core",
      "checkpoint_1  passed   1 of 1",
      "checkpoint_3  passed   1 of 1",
    ]);
    expect(notAskedLine(partly)).toBe("not asked for: checkpoint_2, checkpoint_4 … checkpoint_6");
    expect(notAskedLine(trajectory)).toBeUndefined();
  });

  it("names checkpoints that only the tests of earlier ones have judged", () => {
    const earlier: TestOutcome = {
      id: "test_a",
      checkpoint: "checkpoint_1",
      group: "Regression",
      status: "passed",
      file: "test_checkpoint_1.py",
      line: 1,
      durationMs: 1,
      message: undefined,
    };
    const own = { ...earlier, checkpoint: "checkpoint_3" };
    const judged = [[], [earlier], [earlier, own]].map((outcomes, index) => aTurn(index + 1, { outcomes }));
    expect(ownTestsLines({ problem: "sample", folder: "", turns: judged })).toEqual([
      "checkpoint_2: 0 tests of its own were run, only those of earlier checkpoints",
    ]);
  });

  it("gives the reasons apart", () => {
    expect(reasonLines(trajectory)).toEqual([
      "checkpoint_3: The tests cannot be collected: no module named x",
    ]);
  });

  it("always says when a run was not isolated", () => {
    expect(runHeading(run, trajectory)).toBe("sample · command · just-solve · Docker · profile scb-0.1.3");
    const replay = { type: "replay", version: undefined, model: undefined, detail: "solutions" };
    expect(runHeading(aRun(turns, { agent: replay }), trajectory)).toBe(
      "sample · replay: reference · Docker · profile scb-0.1.3",
    );
    expect(runHeading(aRun(turns, { isolation: "local" }), trajectory)).toContain("not isolated");
  });
});
