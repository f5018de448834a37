import { readdir, readFile } from "node:fs/promises";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { NO_USAGE } from "../../../src/core/model/blank-turn.js";
import {
  DEFAULT_LIMITS,
  DEFAULT_POLICY,
  FROM_REFERENCE,
  independent,
  roundwise,
  type RunPolicy,
} from "../../../src/core/model/policy.js";
import type { Run } from "../../../src/core/model/run.js";
import type { Turn } from "../../../src/core/model/turn.js";
import { readRun } from "../../../src/core/store/read-run.js";
import { takeAttempts } from "../../../src/core/trajectory/attempts.js";
import { runTrajectory } from "../../../src/core/trajectory/loop.js";
import type { TrajectoryRequest } from "../../../src/core/trajectory/services.js";
import { scripted } from "./agents.js";
import { newStage, verdicts, type Planned, type Stage } from "./stage.js";

const never = new AbortController().signal;
let stage: Stage;

beforeEach(async () => {
  stage = await newStage();
});

afterEach(async () => {
  await stage[Symbol.asyncDispose]();
});

function take(part: Partial<TrajectoryRequest>): Promise<Run> {
  return runTrajectory(stage.request(part), stage.services, stage.hear, never);
}

const obedient = () => scripted(() => ({}));

function turns(run: Run): readonly Turn[] {
  return run.problems[0]?.turns ?? [];
}

/** Says these one after the other, then the last again and again. */
function inTurn(...words: readonly Planned[]): Planned {
  let at = 0;
  return () => words[Math.min(at++, words.length - 1)] ?? "passed";
}

function shelf(turn: Turn | undefined): Promise<string> {
  return readFile(path.join(turn?.folder ?? "", "snapshot/shelf.py"), "utf8");
}

describe("a start", () => {
  it("from the reference lays its solution before every turn, and goes on after failures", async () => {
    stage.plan = { checkpoint_1: "failed", checkpoint_2: "failed" };
    const agent = obedient();
    const run = await take({ agent, policy: FROM_REFERENCE });
    expect(verdicts(run)).toEqual(["failed", "failed", "passed"]);
    expect(turns(run).map(({ parent, parentIn }) => [parent, parentIn])).toEqual([
      [null, undefined],
      ["sample/checkpoint_1", "reference"],
      ["sample/checkpoint_2", "reference"],
    ]);
    expect(await shelf(turns(run)[2])).toBe("print(2)\ncheckpoint_3\n");
    expect(turns(await readRun(run.folder))[1]).toMatchObject({ parentIn: "reference" });
  });

  it("from the reference can begin in the middle", async () => {
    const run = await take({ agent: obedient(), policy: FROM_REFERENCE, checkpoints: ["checkpoint_3"] });
    expect(verdicts(run)).toEqual(["skipped", "skipped", "passed"]);
    const prompt = await readFile(path.join(run.folder, "sample/checkpoint_3/prompt.txt"), "utf8");
    expect(prompt).toContain("Go on.");
  });

  it("from a snapshot forks: the edge leads to the other run", async () => {
    const first = await take({ agent: obedient() });
    const start = { kind: "snapshot", run: first.folder, turn: "sample/checkpoint_1" } as const;
    const policy: RunPolicy = { ...DEFAULT_POLICY, start };
    const fork = await take({ agent: obedient(), policy });
    expect(fork.folder).not.toBe(first.folder);
    expect(verdicts(fork)).toEqual(["skipped", "passed", "passed"]);
    expect(await shelf(turns(fork)[2])).toBe("checkpoint_1\ncheckpoint_2\ncheckpoint_3\n");
    const read = await readRun(fork.folder);
    expect(read.policy).toEqual(policy);
    expect(turns(read)[1]).toMatchObject({ parent: start.turn, parentIn: { run: first.folder } });
    expect(turns(read)[2]).toMatchObject({ parent: "sample/checkpoint_2" });
    const record = await readFile(path.join(fork.folder, "slop-lens.json"), "utf8");
    expect(record).toContain(`"run": "../${path.basename(first.folder)}"`);
  });

  it("from a snapshot is refused where there is none, or nothing after it", async () => {
    const first = await take({ agent: obedient(), checkpoints: ["checkpoint_1"] });
    const from = (turn: string): Partial<TrajectoryRequest> => ({
      policy: { ...DEFAULT_POLICY, start: { kind: "snapshot", run: first.folder, turn } },
    });
    await expect(take(from("sample/checkpoint_2"))).rejects.toMatchObject({ code: "bad-input" });
    await expect(take(from("sample/checkpoint_3"))).rejects.toThrow(/last checkpoint/u);
    await expect(take(from("other/checkpoint_1"))).rejects.toThrow(/no checkpoint of sample/u);
  });
});

describe("a session", () => {
  it("that is continued hands the agent's conversation on, and a fork takes it up", async () => {
    const policy: RunPolicy = { ...DEFAULT_POLICY, session: "continued" };
    const agent = scripted(({ checkpoint }) => ({ said: checkpoint.name }));
    const run = await take({ agent, policy, checkpoints: ["checkpoint_1", "checkpoint_2"] });
    expect(agent.notes).toEqual([
      "checkpoint_1#0 fresh(-) sees nothing",
      "checkpoint_2#0 continued(checkpoint_1) sees shelf.py",
    ]);
    expect(turns(run).map(({ session }) => session)).toEqual(["fresh", "continued", "fresh"]);
    const start = { kind: "snapshot", run: run.folder, turn: "sample/checkpoint_2" } as const;
    const fork = scripted(() => ({}));
    await take({ agent: fork, policy: { ...policy, start } });
    expect(fork.notes).toEqual(["checkpoint_3#0 continued(checkpoint_2) sees shelf.py"]);
  });

  it("that is fresh keeps none", async () => {
    const agent = scripted(() => ({ said: "hello" }));
    const run = await take({ agent });
    expect(agent.notes[1]).toBe("checkpoint_2#0 fresh(-) sees shelf.py");
    const names = await readdir(run.folder, { recursive: true });
    expect(names.filter((name) => name.endsWith("talk"))).toEqual([]);
  });
});

describe("limits", () => {
  const priced = (costUsd: number) => scripted(() => ({ usage: { ...NO_USAGE, costUsd } }));

  it("of a problem's cost end the trajectory with the reason", async () => {
    const limits = { ...DEFAULT_LIMITS, problemCostUsd: 2 };
    const run = await take({ agent: priced(1.25), policy: { ...DEFAULT_POLICY, limits } });
    expect(verdicts(run)).toEqual(["passed", "passed", "not-reached"]);
    expect(turns(run)[2]?.reason).toBe("The limit of $2.00 a problem is spent: $2.50");
  });

  it("let an agent whose trouble may pass go on where it stopped, as often as allowed", async () => {
    const usage = { ...NO_USAGE, steps: 2, agentSeconds: 10 };
    const agent = scripted((_turn, count) =>
      count < 3
        ? { status: "error", reason: "overloaded", retryable: true, said: `after ${count}`, usage }
        : { usage },
    );
    const run = await take({ agent, checkpoints: ["checkpoint_1"] });
    expect(agent.notes).toEqual([
      "checkpoint_1#0 fresh(-) sees nothing",
      "checkpoint_1#1 fresh(after 1) sees shelf.py",
      "checkpoint_1#2 fresh(after 2) sees shelf.py",
    ]);
    expect(turns(run)[0]).toMatchObject({ verdict: "passed", usage: { steps: 6, agentSeconds: 30 } });
    expect(await shelf(turns(run)[0])).toBe("checkpoint_1\n".repeat(3));
  });

  it("end retries when they are used up, or the trouble does not pass", async () => {
    const failing = (retryable: boolean) =>
      scripted(() => ({
        status: "error",
        reason: "no",
        retryable,
        usage: { ...NO_USAGE, agentSeconds: 60 },
      }));
    const one = failing(true);
    await take({ agent: one, policy: { ...DEFAULT_POLICY, limits: { ...DEFAULT_LIMITS, retries: 1 } } });
    const refused = failing(false);
    await take({ agent: refused });
    const late = failing(true);
    await take({ agent: late, policy: { ...DEFAULT_POLICY, limits: { ...DEFAULT_LIMITS, seconds: 100 } } });
    expect([one, refused, late].map(({ notes }) => notes.length)).toEqual([2, 1, 2]);
  });
});

describe("independent attempts", () => {
  it("are runs of their own with one group, and know nothing of each other", async () => {
    stage.plan = { checkpoint_2: inTurn("failed", "passed") };
    const agent = obedient();
    const runs = await takeAttempts(
      stage.request({ agent, policy: independent(2) }),
      stage.services,
      stage.hear,
      never,
    );
    expect(runs.map(verdicts)).toEqual([
      ["passed", "failed", "not-reached"],
      ["passed", "passed", "passed"],
    ]);
    const read = await Promise.all(runs.map(({ folder }) => readRun(folder)));
    expect(read.map(({ attempt }) => attempt?.index)).toEqual([1, 2]);
    expect(new Set(read.map(({ attempt }) => attempt?.group)).size).toBe(1);
    expect(agent.notes.filter((note) => note.endsWith("sees nothing"))).toHaveLength(2);
  });
});

describe("roundwise attempts", () => {
  it("go on from the best that passes, and lay the others aside", async () => {
    stage.plan = { checkpoint_1: inTurn("failed", "passed", "passed"), checkpoint_2: "failed" };
    const agent = obedient();
    const run = await take({ agent, policy: roundwise(3, 1) });
    expect(verdicts(run)).toEqual(["passed", "failed", "not-reached"]);
    expect(agent.notes).toHaveLength(6);
    const read = await readRun(run.folder);
    expect(verdicts(read)).toEqual(verdicts(run));
    expect(turns(read)[0]?.candidate).toEqual({ index: 2, of: 3 });
    expect(turns(read)[1]).toMatchObject({ parent: "sample/checkpoint_1", candidate: { index: 1, of: 3 } });
    expect((await readdir(path.join(run.folder, ".slop-lens/attempts/sample.checkpoint_1"))).sort()).toEqual([
      "1",
      "3",
    ]);
    const rows = (await readFile(path.join(run.folder, "checkpoint_results.jsonl"), "utf8"))
      .trim()
      .split("\n");
    expect(rows.map((row) => (JSON.parse(row) as { passed_tests: number }).passed_tests)).toEqual([1, 0]);
  });

  it("with a beam try from each success, and put the whole line of descent in its place", async () => {
    // Both tries of the first round pass; in the second only what descends from the second does.
    stage.plan = { checkpoint_2: inTurn("failed", "failed", "passed", "failed") };
    let tries = 0;
    const agent = scripted(({ checkpoint }) => {
      tries += 1;
      return { said: `${checkpoint.name} ${tries}` };
    });
    const policy = { ...roundwise(2, 2), session: "continued" } as const;
    const run = await take({ agent, policy, checkpoints: ["checkpoint_1", "checkpoint_2"] });
    expect(agent.notes.slice(2)).toEqual([
      "checkpoint_2#0 continued(checkpoint_1 1) sees shelf.py",
      "checkpoint_2#0 continued(checkpoint_1 1) sees shelf.py",
      "checkpoint_2#0 continued(checkpoint_1 2) sees shelf.py",
      "checkpoint_2#0 continued(checkpoint_1 2) sees shelf.py",
    ]);
    const read = await readRun(run.folder);
    expect(turns(read).map(({ candidate }) => candidate?.index)).toEqual([2, 3, undefined]);
    expect(verdicts(read)).toEqual(["passed", "passed", "skipped"]);
    expect(turns(run).slice(0, 2)).toMatchObject(
      turns(read)
        .slice(0, 2)
        .map(({ folder, parent }) => ({ folder, parent })),
    );
  });
});
