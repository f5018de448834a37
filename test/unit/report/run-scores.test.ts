import { expect, it } from "vitest";
import { NO_COUNTS } from "../../../src/core/model/blank-turn.js";
import type { Verdict } from "../../../src/core/model/outcome.js";
import { FROM_REFERENCE } from "../../../src/core/model/policy.js";
import type { Run, RunAgent } from "../../../src/core/model/run.js";
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
    attempts: [2, 2],
    parts: 0,
    spoiledAttempts: 1,
    turns: { strict: 2 / 4, isolated: 2 / 4, core: 2 / 4, partial: 3 / 4 },
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
  ["the machinery failed behind a failure", ["failed", "infrastructure"], "finished", 0],
  ["the run was cut short at once", ["not-reached", "not-reached"], "cancelled", 1],
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

it.each<[string, Verdict[], Run["state"], number | undefined]>([
  ["cancelled before anything was judged", ["not-reached", "not-reached"], "cancelled", undefined],
  ["cancelled behind what passed", ["passed", "not-reached"], "cancelled", 1],
  ["crashed behind a failure", ["failed", "not-reached"], "interrupted", 0],
  ["cancelled during the tests", ["infrastructure", "not-reached"], "cancelled", undefined],
  ["ended by the machinery", ["passed", "infrastructure", "not-reached"], "finished", 1],
  ["ended by its policy at a failure", ["passed", "failed", "not-reached", "not-reached"], "finished", 1 / 4],
  ["ended by its agent's error", ["agent-error", "not-reached"], "finished", 0],
  ["failed behind a spoiled turn", ["infrastructure", "failed", "not-reached"], "finished", 0],
])("scores what was judged of a run that was %s", (_what, verdicts, state, strict) => {
  const [alone] = scoreRuns([{ ...attempt("m", ...verdicts), state }], { passedBy: "strict", k: 1 });
  expect(alone?.turns).toMatchObject({ strict, isolated: strict, core: strict });
});

it.each<[string, Verdict[], Run["state"]]>([
  ["the machinery", ["passed", "infrastructure"], "finished"],
  ["the machinery, which a replay passes over", ["infrastructure", "passed"], "finished"],
  ["a cancel during the tests", ["infrastructure", "not-reached"], "cancelled"],
])("leaves an attempt out that was spoiled by %s", (_what, verdicts, state) => {
  const run = { ...attempt("m", ...verdicts), state };
  const [alone] = scoreRuns([run], { passedBy: "strict", k: 1 });
  const unknown = { multiTurn: undefined, meanAttempt: undefined, completion: undefined, passAtK: undefined };
  expect(alone).toMatchObject({ ...unknown, aptitude: undefined, consistency: undefined });
  expect(alone).toMatchObject({ attempts: [0, 0], parts: 0, spoiledAttempts: 1, spoiled: 1 });
  const [both] = scoreRuns([run, attempt("m", "passed", "passed")], { passedBy: "strict", k: 1 });
  expect(both).toMatchObject({
    attempts: [1, 1],
    spoiledAttempts: 1,
    multiTurn: 1,
    consistency: 1,
    passAtK: 1,
  });
});

it("leaves a spoiled run from the reference out, also behind a failure", () => {
  const policy = FROM_REFERENCE;
  const spoiled = { ...attempt("m", "failed", "infrastructure"), policy };
  const [alone] = scoreRuns([spoiled], { passedBy: "strict", k: 1 });
  expect(alone).toMatchObject({ fromReference: undefined, spoiledAttempts: 1 });
  const [both] = scoreRuns([spoiled, { ...attempt("m", "passed", "passed"), policy }], {
    ...{ passedBy: "strict", k: 1 },
  });
  expect(both?.fromReference).toEqual({ micro: 1, macro: 1 });
});

it("says nothing of no runs", () => {
  expect(scoreRuns([], { passedBy: "strict", k: 4 })).toEqual([]);
});

it.each<[string, Partial<RunAgent>, Partial<RunAgent>, string[]]>([
  ["type", { type: "mine" }, { type: "other" }, ["mine · small · plain", "other · small · plain"]],
  ["version", { version: "1.0" }, { version: "1.1" }, ["small · plain · 1.0", "small · plain · 1.1"]],
  ["setting", {}, { detail: "thinking high" }, ["small · plain", "small · plain · thinking high"]],
  ["given name", { name: "bad" }, { name: "good" }, ["bad · plain", "good · plain"]],
  [
    "command behind a name",
    { name: "n", detail: "a" },
    { name: "n", detail: "b" },
    ["n · plain · a", "n · plain · b"],
  ],
  [
    "model behind a name",
    { name: "n" },
    { name: "n", model: "big" },
    ["n · plain · big", "n · plain · small"],
  ],
])("keeps two agents apart that differ in their %s, and names both", (_what, one, other, names) => {
  const by = (agent: Partial<RunAgent>): Run => {
    const run = attempt("small", "passed");
    return { ...run, agent: { ...run.agent, ...agent } };
  };
  const scores = scoreRuns([by(one), by(other), by(one)], { passedBy: "strict", k: 1 });
  expect(scores.map(({ agent }) => agent).sort()).toEqual(names);
  expect(scores.map(({ attempts: [, most] }) => most).sort()).toEqual([1, 2]);
  expect(scoreRuns([by(one)], { passedBy: "strict", k: 1 })[0]?.agent).not.toContain("thinking");
});
