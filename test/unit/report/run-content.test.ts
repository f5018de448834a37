import { expect, it } from "vitest";
import type { Run } from "../../../src/core/model/run.js";
import { scoreRuns } from "../../../src/core/report/run-scores.js";
import { run as aRun, turn } from "../editor/support.js";

function made(agent: string | undefined, promptHash: string | undefined, type = "command"): Run {
  const inputs = {
    ...{ agent, environment: undefined, assets: undefined, start: undefined, evaluation: undefined },
  };
  const turns = [turn(1, { verdict: "passed", origin: "agent", inputs })];
  return aRun("/runs/one", turns, {
    ...{ agent: { type, version: "1", model: "m", detail: undefined }, prompt: "plain", promptHash },
  });
}

const namesOf = (...runs: Run[]): string[] =>
  scoreRuns(runs, { passedBy: "strict", k: 1 }).map(
    ({ agent, attempts }) => `${agent} × ${attempts.join("-")}`,
  );

it("keeps runs of one name apart whose prompt or agent is not the same, and says by what", () => {
  expect(namesOf(made("a1", "p1"), made("a1", "p1"))).toEqual(["m · plain × 2-2"]);
  expect(namesOf(made("a1", "p1"), made("a1", "p2"), made("a1", "p2"))).toEqual([
    "m · plain · prompt text p1 × 1-1",
    "m · plain · prompt text p2 × 2-2",
  ]);
  expect(namesOf(made("a1", "p1"), made("a2", "p1"))).toEqual([
    "m · plain · agent content a1 × 1-1",
    "m · plain · agent content a2 × 1-1",
  ]);
  expect(namesOf(made("a1", "p1"), made("a2", "p2"))).toEqual([
    "m · plain · prompt text p1 · agent content a1 × 1-1",
    "m · plain · prompt text p2 · agent content a2 × 1-1",
  ]);
});

it("leaves runs together that do not tell, unless the others differ", () => {
  expect(namesOf(made("a1", "p1"), made(undefined, undefined))).toEqual(["m · plain × 2-2"]);
  expect(namesOf(made("a1", "p1"), made("a2", "p1"), made(undefined, "p1"))).toHaveLength(3);
});

it("does not ask for the prompt of a replay", () => {
  expect(namesOf(made("a1", "p1", "replay"), made("a2", "p2", "replay"))).toHaveLength(1);
});
