import { describe, expect, it } from "vitest";
import { renderTable } from "../../../src/core/report/text-table.js";
import { reasonLines, runHeading, trajectoryTable } from "../../../src/core/report/trajectory-table.js";
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
      "checkpoint    verdict           Core  Functionality  Error  Regression  erosion      verbosity     SLOC  high CC",
      "checkpoint_1  passed          4 of 4              –      –           –  0.00         0.12            80        0",
      "checkpoint_2  failed          2 of 3              –      –      4 of 4  0.48 ▲ 0.48  0.10 ▼ 0.02  1\u202f240        2",
      "checkpoint_3  infrastructure       –              –      –           –  –            –                –        –",
    ]);
  });

  it("gives the reasons apart", () => {
    expect(reasonLines(trajectory)).toEqual([
      "checkpoint_3: The tests cannot be collected: no module named x",
    ]);
  });

  it("always says when a run was not isolated", () => {
    expect(runHeading(run, trajectory)).toBe("sample · command: my-agent · Docker");
    expect(runHeading(aRun(turns, { isolation: "local" }), trajectory)).toContain("not isolated");
  });
});
