import { expect, it } from "vitest";
import { NO_COUNTS } from "../../../src/core/model/blank-turn.js";
import type { Verdict } from "../../../src/core/model/outcome.js";
import type { Run } from "../../../src/core/model/run.js";
import { scoreRuns } from "../../../src/core/report/run-scores.js";
import { run as aRun, turn } from "../editor/support.js";

const TESTED = { passed: { passed: 2, failed: 0 }, failed: { passed: 1, failed: 1 } } as const;

function attempt(model: string, ...verdicts: Verdict[]): Run {
  const turns = verdicts.map((verdict, index) => {
    const core = verdict === "passed" || verdict === "failed" ? TESTED[verdict] : { passed: 0, failed: 0 };
    return turn(index + 1, { verdict, counts: { ...NO_COUNTS, Core: { ...core, skipped: 0 } } });
  });
  return aRun("/runs/one", turns, {
    agent: { type: "command", version: undefined, model, detail: undefined },
    prompt: "plain",
  });
}

it("scores the runs of an agent together, each an attempt", () => {
  const scores = scoreRuns(
    [
      attempt("m-2", "passed", "passed"),
      attempt("m-1", "passed", "failed"),
      attempt("m-1", "failed", "passed"),
      attempt("m-1", "infrastructure", "not-reached"),
    ],
    { passedBy: "strict", k: 2 },
  );
  expect(scores.map(({ agent }) => agent)).toEqual(["m-1 · plain", "m-2 · plain"]);
  const [first, second] = scores;
  expect(first).toMatchObject({
    problems: 1,
    attempts: [3, 3],
    turns: { strict: 2 / 5, isolated: 2 / 5, core: 2 / 5, partial: 3 / 5 },
    multiTurn: 0.5,
    completion: 0,
    aptitude: 0.5,
    consistency: 0,
    reliability: 0,
    passAtK: 0,
    spoiled: 1,
  });
  expect(second).toMatchObject({ attempts: [1, 1], multiTurn: 1, completion: 1, passAtK: undefined });
});

it("says nothing of no runs", () => {
  expect(scoreRuns([], { passedBy: "strict", k: 4 })).toEqual([]);
});
