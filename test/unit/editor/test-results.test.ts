import { describe, expect, it } from "vitest";
import { byGroup, newestRuns, testItemId, turnsWithOutcomes } from "../../../src/editor/tree/test-results.js";
import * as make from "./support.js";

describe("results for the Testing view", () => {
  const done = make.run("/runs/b", [
    make.turn(1, { outcomes: [make.outcome("test_a")] }),
    make.turn(2, { verdict: "agent-error" }),
    make.turn(3, { verdict: "not-reached" }),
  ]);
  const begun = make.run("/runs/c", [
    make.turn(1, { verdict: undefined, outcomes: [make.outcome("test_a")] }),
  ]);
  const old = make.run("/runs/a", [make.turn(1)]);

  it("are those of the newest run that finished a turn", () => {
    const newest = newestRuns(make.state({ runs: [begun, done, old] }));
    expect([...newest].map(([name, { run }]) => [name, run.folder])).toEqual([["shelf", "/runs/b"]]);
  });

  it("are of the turns that have outcomes", () => {
    const entry = newestRuns(make.state({ runs: [done] })).get("shelf");
    expect(entry && turnsWithOutcomes(entry).map(({ checkpoint }) => checkpoint)).toEqual(["checkpoint_1"]);
  });

  it("stand by group, and no two tests of a group have the same id", () => {
    const outcomes = [
      make.outcome("test_a", { group: "Regression" }),
      make.outcome("test_a", { group: "Regression", checkpoint: "checkpoint_2" }),
      make.outcome("test_b"),
    ];
    const groups = byGroup(outcomes).map(([group, own]) => [group, own.map(testItemId)]);
    expect(groups).toEqual([
      ["Core", ["checkpoint_1/test_b"]],
      ["Regression", ["checkpoint_1/test_a", "checkpoint_2/test_a"]],
    ]);
  });
});
