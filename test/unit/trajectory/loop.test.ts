import { rmSync } from "node:fs";
import { access, readdir, readFile, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Agent } from "../../../src/core/agent/agent.js";
import { NO_USAGE } from "../../../src/core/model/blank-turn.js";
import { SlopLensError } from "../../../src/core/model/errors.js";
import { interruption } from "../../../src/core/model/interruption.js";
import { DEFAULT_POLICY, passPolicy } from "../../../src/core/model/policy.js";
import type { Run } from "../../../src/core/model/run.js";
import { readRun } from "../../../src/core/store/read-run.js";
import { runTrajectory } from "../../../src/core/trajectory/loop.js";
import type { TrajectoryRequest } from "../../../src/core/trajectory/services.js";
import { noSandbox } from "./samples.js";
import { newStage, verdicts, type Stage } from "./stage.js";

let stage: Stage;

beforeEach(async () => {
  stage = await newStage();
});

afterEach(async () => {
  await stage[Symbol.asyncDispose]();
});

const never = new AbortController().signal;

function take(
  part: Partial<TrajectoryRequest> = {},
  signal = never,
  machinery = stage.services,
): Promise<Run> {
  return runTrajectory(stage.request(part), machinery, stage.hear, signal);
}

/** An agent that writes `shelf.py` and ends as told; for the loop it is a paid one. */
function agent(status: "done" | "error" | "timeout"): Agent {
  return {
    description: { type: "command", version: undefined, model: undefined, detail: "x" },
    origin: "agent",
    secrets: [],
    layer: undefined,
    check: () => Promise.resolve(),
    takeTurn: async ({ workspaceBefore, workspaceAfter, checkpoint, onOutput }) => {
      const before = await readdir(workspaceBefore);
      onOutput(`sees ${before.join(" ")}\n`);
      await writeFile(path.join(workspaceAfter, "shelf.py"), checkpoint.name);
      const reason = status === "done" ? undefined : "it gave up";
      return { status, reason, retryable: false, usage: { ...NO_USAGE, agentSeconds: 2 } };
    },
  };
}

function lastRun(): Run | undefined {
  return stage.events.flatMap((event) => (event.type === "run-finished" ? [event.run] : [])).at(-1);
}

async function hiddenFolders(run: Run | undefined): Promise<string[]> {
  const names = await readdir(run?.folder ?? "", { recursive: true });
  return names.filter((name) => path.basename(name).startsWith("."));
}

describe("a trajectory", () => {
  it("takes every checkpoint from the snapshot before, and leaves SCB's run folder", async () => {
    const run = await take();
    expect(run.state).toBe("finished");
    expect(verdicts(run)).toEqual(["passed", "passed", "passed"]);
    const [first, second] = run.problems[0]?.turns ?? [];
    expect(first).toMatchObject({ parent: null, origin: "reference", session: "fresh", order: 1 });
    expect(second).toMatchObject({
      parent: "sample/checkpoint_1",
      quality: { totals: { erosion: 0.25 } },
      usage: { testSeconds: 0.5 },
    });
    expect(second?.snapshotHash).not.toBe(first?.snapshotHash);
    const folder = path.join(run.folder, "sample/checkpoint_2");
    expect(await readFile(path.join(folder, "snapshot/shelf.py"), "utf8")).toBe("print(2)\n");
    expect(await readFile(path.join(folder, "prompt.txt"), "utf8")).toBe("Do 2 in shelf.py.\n Go on.");
    expect((await readdir(folder)).sort()).toEqual([
      "checkpoint.yaml",
      "diff.json",
      "evaluation",
      "evaluation.json",
      "inference_result.json",
      "prompt.txt",
      "quality_analysis",
      "slop-lens.json",
      "snapshot",
    ]);
    expect(await readdir(run.folder)).toEqual(
      expect.arrayContaining(["checkpoint_results.jsonl", "config.yaml", "environment.yaml", "result.json"]),
    );
  });

  it("tells what it does in order: start, phases, test by test, end", async () => {
    await take({ checkpoints: ["checkpoint_1"] });
    const told = stage.events.flatMap((event) => {
      if (event.type === "log") return [];
      if (event.type !== "turn-progress") return [event.type];
      const { phase, queued, running } = event.progress;
      return [`${phase} ${queued.length} ${running?.id ?? "-"} ${event.turn.outcomes.length}`];
    });
    expect(told).toEqual([
      "run-started",
      "preparing 0 - 0",
      "agent 0 - 0",
      "snapshot 0 - 0",
      "testing 0 - 0",
      "testing 1 - 0",
      "testing 0 test_it 0",
      "testing 0 - 1",
      "measuring 0 - 1",
      "turn-finished",
      "run-finished",
    ]);
  });

  it("takes only the chosen checkpoints", async () => {
    const run = await take({ checkpoints: ["checkpoint_3", "checkpoint_2"] });
    expect(verdicts(run)).toEqual(["skipped", "passed", "passed"]);
    expect(verdicts(await readRun(run.folder))).toEqual(verdicts(run));
    await expect(take({ checkpoints: ["checkpoint_9"] })).rejects.toMatchObject({
      code: "bad-input",
      message: "sample has no checkpoint_9",
    });
  });

  it("lets an agent begin only at the first checkpoint", async () => {
    await expect(take({ agent: agent("done"), checkpoints: ["checkpoint_2"] })).rejects.toMatchObject({
      code: "bad-input",
    });
    const run = await take({ agent: agent("done"), checkpoints: ["checkpoint_1", "checkpoint_2"] });
    expect(verdicts(run)).toEqual(["passed", "passed", "skipped"]);
  });

  it("lays the parent's snapshot before the agent, and nothing of tests or outcomes", async () => {
    await take({ agent: agent("done"), checkpoints: ["checkpoint_1", "checkpoint_2"] });
    const output = stage.events.flatMap((event) =>
      event.type === "log" && event.level === "info" ? [event.message] : [],
    );
    expect(output).toEqual(["sees ", "sees shelf.py"]);
  });

  it("stops where the policy is not met, with the reason", async () => {
    stage.plan = { checkpoint_2: "failed" };
    const run = await take({ policy: passPolicy("all-cases") });
    expect(verdicts(run)).toEqual(["passed", "failed", "not-reached"]);
    expect(verdicts(await readRun(run.folder))).toEqual(verdicts(run));
    expect(run.problems[0]?.turns[2]?.reason).toBe("checkpoint_2 does not meet the policy all-cases");
    expect(verdicts(await take({ policy: DEFAULT_POLICY }))).toEqual(["passed", "failed", "passed"]);
  });

  it.each([
    ["error", "agent-error"],
    ["timeout", "agent-timeout"],
  ] as const)("evaluates and measures also after an agent's %s, and stops", async (status, verdict) => {
    const run = await take({ agent: agent(status) });
    expect(verdicts(run)).toEqual([verdict, "not-reached", "not-reached"]);
    const turn = run.problems[0]?.turns[0];
    expect(turn).toMatchObject({ reason: "it gave up", quality: { totals: { erosion: 0.25 } } });
    expect(turn?.outcomes).toHaveLength(1);
    const snapshot = path.join(run.folder, "sample/checkpoint_1/snapshot/shelf.py");
    expect(await readFile(snapshot, "utf8")).toBe("checkpoint_1");
  });

  it("goes on with a replay after an evaluation that is not valid, and stops a paid agent", async () => {
    stage.plan = { checkpoint_1: { valid: false, reason: "ImportError: no module named x" } };
    const replayed = await take();
    expect(verdicts(replayed)).toEqual(["infrastructure", "passed", "passed"]);
    expect(replayed.problems[0]?.turns[0]?.reason).toBe("ImportError: no module named x");
    const paid = await take({ agent: agent("done") });
    expect(verdicts(paid)).toEqual(["infrastructure", "not-reached", "not-reached"]);
  });
});

describe("trouble on the way", () => {
  it("of the machinery is thrown once, after the run was closed with what there is", async () => {
    const trouble = new SlopLensError("engine-lost", "The engine went away", "Start it again.");
    stage.plan = { checkpoint_2: () => Promise.reject(trouble) };
    await expect(take()).rejects.toBe(trouble);
    const run = lastRun();
    expect(verdicts(run)).toEqual(["passed", "infrastructure", "not-reached"]);
    expect(run?.problems[0]?.turns[1]).toMatchObject({ reason: "The engine went away. Start it again." });
    expect(stage.events.filter(({ type }) => type === "run-finished")).toHaveLength(1);
    const folder = path.join(run?.folder ?? "", "sample/checkpoint_2");
    await access(path.join(folder, "snapshot/shelf.py"));
    await access(path.join(folder, "slop-lens.json"));
  });

  it("that is no error of ours is told as internal", async () => {
    stage.plan = { checkpoint_1: () => Promise.reject(new TypeError("x is not a function")) };
    await expect(take()).rejects.toMatchObject({ code: "internal" });
  });

  it("is told before anything is made when a recording, spec or template is broken", async () => {
    await rm(path.join(stage.root, "pack/checkpoint_3.md"));
    await expect(take()).rejects.toMatchObject({ code: "pack-invalid" });
    await expect(take({ prompt: { name: "odd", source: "{% if %}" } })).rejects.toMatchObject({
      code: expect.stringMatching(/bad-input|pack-invalid/u) as unknown,
    });
    await rm(path.join(stage.root, "pack/solutions/checkpoint_2"), { recursive: true });
    await expect(take()).rejects.toMatchObject({ code: "agent-invalid" });
    await expect(readdir(path.join(stage.root, "runs"))).rejects.toThrow();
    expect(stage.events).toEqual([]);
  });

  it("is told before anything is made when an image or the rules cannot be had", async () => {
    const unavailable = new SlopLensError("image-unavailable", "The image is not here");
    const sandbox = { ...noSandbox, prepare: () => Promise.reject(unavailable) };
    await expect(take({}, never, { ...stage.services, sandbox })).rejects.toBe(unavailable);
    const broken = new SlopLensError("rules-invalid", "A rule is broken");
    const analyzer = { ...stage.services.analyzer, ruleSet: () => Promise.reject(broken) };
    await expect(take({}, never, { ...stage.services, analyzer })).rejects.toBe(broken);
    await expect(readdir(path.join(stage.root, "runs"))).rejects.toThrow();
    expect(stage.events).toEqual([]);
  });

  it("with measuring costs no turn: it can be measured again", async () => {
    const analyzer = {
      ...stage.services.analyzer,
      analyzePaths: () => Promise.reject(new Error("the worker died")),
    };
    const run = await take({ checkpoints: ["checkpoint_1"] }, never, { ...stage.services, analyzer });
    expect(run.problems[0]?.turns[0]).toMatchObject({ verdict: "passed", quality: undefined });
    expect(stage.events).toContainEqual({
      type: "log",
      level: "warn",
      message: "checkpoint_1 was not measured: the worker died",
    });
  });

  it("keeps the measures of a turn whose evaluation met trouble", async () => {
    stage.plan = { checkpoint_1: () => Promise.reject(new SlopLensError("engine-lost", "gone")) };
    await expect(take()).rejects.toMatchObject({ code: "engine-lost" });
    expect(lastRun()?.problems[0]?.turns[0]).toMatchObject({
      verdict: "infrastructure",
      quality: { totals: { erosion: 0.25 } },
    });
  });

  it("leaves no temporary folder", async () => {
    stage.plan = { checkpoint_2: () => Promise.reject(new Error("x")) };
    await take().catch(() => undefined);
    expect(await hiddenFolders(lastRun())).toEqual([]);
  });

  it.each([
    ["cancelled", undefined],
    ["interrupted", interruption()],
  ])("keeps finished turns, sets the current one aside and is %s", async (state, reason) => {
    const controller = new AbortController();
    stage.plan = {
      checkpoint_2: () => {
        controller.abort(reason);
        return Promise.reject(new SlopLensError("cancelled", "Cancelled"));
      },
    };
    const run = await take({}, controller.signal);
    expect(run.state).toBe(state);
    expect(verdicts(run)).toEqual(["passed", "not-reached", "not-reached"]);
    expect(lastRun()?.state).toBe(state);
    const read = await readRun(run.folder);
    expect(read.state).toBe(state);
    expect(verdicts(read)).toEqual(verdicts(run));
    expect(await readdir(path.join(run.folder, "sample"))).toContain("checkpoint_1");
    expect(await readdir(path.join(run.folder, "sample"))).not.toContain("checkpoint_2");
  });

  it.each([
    ["goes on", false],
    ["is cancelled for it", true],
  ])("whose folder is deleted says so, and leaves no other, when it %s", async (_, cancels) => {
    const controller = new AbortController();
    stage.plan = {
      checkpoint_2: () => {
        rmSync(stage.request({}).runsFolder, { recursive: true });
        if (cancels) controller.abort();
        return cancels ? Promise.reject(new SlopLensError("cancelled", "Cancelled")) : "passed";
      },
    };
    const gone = {
      code: "run-folder",
      message: expect.stringContaining("was deleted while it was in progress") as string,
    };
    await expect(take({}, controller.signal)).rejects.toMatchObject(gone);
    await expect(access(stage.request({}).runsFolder)).rejects.toThrow();
  });

  it("does not start at all when it is cancelled already", async () => {
    await expect(take({}, AbortSignal.abort())).rejects.toMatchObject({ code: "cancelled" });
    expect(stage.events).toEqual([]);
  });
});

describe("what the loop costs", () => {
  it("is logged for every checkpoint", async () => {
    await take({ checkpoints: ["checkpoint_1"] });
    const lines = stage.events.flatMap((event) =>
      event.type === "log" && event.level === "debug" ? [event.message] : [],
    );
    expect(lines).toHaveLength(1);
    expect(lines[0]).toMatch(
      /^timings checkpoint_1: agent \d+, snapshot \d+, tests \d+, measures \d+, record \d+; total \d+ ms, overhead -?\d+ ms$/u,
    );
  });
});
