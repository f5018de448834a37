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

it.each<[string, Verdict[], Run["state"], number]>([
  ["the checkpoint behind what passed was not asked for", ["passed", "skipped"], "finished", 1],
  ["the first was not asked for", ["skipped", "passed"], "finished", 1],
  ["what was not asked for stands behind a failure", ["failed", "skipped"], "finished", 0],
  ["the run was cut short", ["passed", "not-reached"], "cancelled", 1],
  ["the run was cut short behind a failure", ["failed", "not-reached"], "interrupted", 0],
  ["the policy stopped the run", ["failed", "not-reached"], "finished", 0],
  ["the machinery failed", ["passed", "infrastructure"], "finished", 0],
])(
  "counts a trajectory as a part when it leaves open how far the agent gets: %s",
  (_what, verdicts, state, parts) => {
    const run = { ...attempt("m", ...verdicts), state };
    const [alone] = scoreRuns([run], { passedBy: "strict", k: 1 });
    expect(alone).toMatchObject({ parts, problems: 1, attempts: [1 - parts, 1 - parts] });
    const known = parts === 0 ? (expect.any(Number) as number) : undefined;
    expect(alone).toMatchObject({ multiTurn: known, completion: known, aptitude: known, passAtK: known });
    // Beside a whole attempt it changes nothing but the means over turns.
    const [both] = scoreRuns([run, attempt("m", "passed", "passed")], { passedBy: "strict", k: 2 });
    expect(both).toMatchObject({ parts, attempts: [2 - parts, 2 - parts], multiTurn: 1, completion: 1 });
  },
);

it("says nothing of no runs", () => {
  expect(scoreRuns([], { passedBy: "strict", k: 4 })).toEqual([]);
});
