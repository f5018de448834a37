import path from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import {
  DEFAULT_POLICY,
  FAIL_STOP,
  FROM_REFERENCE,
  independent,
  roundwise,
  type RunPolicy,
} from "../../../src/core/model/policy.js";
import { scoreRuns, type AgentScores } from "../../../src/core/report/run-scores.js";
import { findRuns } from "../../../src/core/store/find-runs.js";
import { readRun } from "../../../src/core/store/read-run.js";
import { takeAttempts } from "../../../src/core/trajectory/attempts.js";
import { scripted } from "../trajectory/agents.js";
import { aProblem } from "../trajectory/samples.js";
import { newStage, type Stage } from "../trajectory/stage.js";

let stage: Stage;

beforeEach(async () => {
  stage = await newStage();
});

afterEach(async () => {
  await stage[Symbol.asyncDispose]();
});

/** Takes attempts whose hidden tests come out as given, a row an attempt or, of roundwise ones, a round. */
async function take(
  name: string,
  rounds: number,
  policy: RunPolicy,
  rewards: readonly (0 | 1)[][],
): Promise<void> {
  const queue = rewards.flatMap((attempt) => attempt.map((passed) => (passed === 1 ? "passed" : "failed")));
  const next = () => queue.shift() ?? "failed";
  stage.plan = { checkpoint_1: next, checkpoint_2: next, checkpoint_3: next };
  const problem = { ...aProblem(path.join(stage.root, "pack"), rounds), name };
  const request = stage.request({ problem, policy, agent: scripted(() => ({})) });
  await takeAttempts(request, stage.services, stage.hear, new AbortController().signal);
  expect(queue, "every outcome was wanted").toEqual([]);
}

async function scores(): Promise<AgentScores[]> {
  const { runs } = await findRuns(path.join(stage.root, "runs"));
  return scoreRuns(await Promise.all(runs.map(readRun)), { passedBy: "strict", k: 4 });
}

const every = (count: number): RunPolicy => ({ ...DEFAULT_POLICY, attempts: { kind: "independent", count } });

it("scores independent attempts as EvoCode-Bench does, from their run folders", async () => {
  await take("A", 3, independent(4), [[1, 1, 0], [1, 0], [0], [1, 1, 1]]);
  // Goes on behind a failure, which must not count.
  await take("B", 2, every(2), [
    [0, 1],
    [1, 0],
  ]);
  const [whole] = await scores();
  expect(whole).toMatchObject({
    ...{ kind: "whole", problems: 2, attempts: [2, 4], multiTurn: 0.75, meanAttempt: 0.375, completion: 0.5 },
    ...{ roundwise: undefined, fromReference: undefined },
  });
  expect(whole?.aptitude).toBeCloseTo(4 / 5);
  expect(whole?.consistency).toBe(0);
});

it("scores turns from the reference by checkpoint and by problem", async () => {
  await take("A", 3, FROM_REFERENCE, [[1, 1, 1]]);
  await take("B", 2, FROM_REFERENCE, [[1, 0]]);
  const [reference] = await scores();
  expect(reference).toMatchObject({ kind: "reference", multiTurn: undefined, passAtK: undefined });
  expect(reference?.fromReference?.micro).toBeCloseTo(0.8);
  expect(reference?.fromReference?.macro).toBeCloseTo(0.75);
});

it("never takes a roundwise run, or one from a snapshot, for an attempt", async () => {
  await take("A", 3, FAIL_STOP, [[0]]);
  // A failure in each round that a second try makes good: independent attempts would not have come this far.
  await take("A", 3, roundwise(2, 1), [
    [0, 1],
    [1, 0],
    [0, 1],
  ]);
  const all = await scores();
  expect(all.map(({ kind, policy }) => [kind, policy])).toEqual([
    ["roundwise", "roundwise(2, 1)"],
    ["whole", ""],
  ]);
  expect(all[0]).toMatchObject({
    roundwise: 1,
    multiTurn: undefined,
    completion: undefined,
    passAtK: undefined,
  });
  expect(all[1]).toMatchObject({ roundwise: undefined, multiTurn: 0 });
});
