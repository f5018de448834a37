import { cp, mkdir, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Agent } from "../../../src/core/agent/agent.js";
import { replayAgent } from "../../../src/core/agent/replay.js";
import { SlopLensError } from "../../../src/core/model/errors.js";
import { DEFAULT_POLICY, FAIL_STOP, FROM_REFERENCE, roundwise } from "../../../src/core/model/policy.js";
import type { Run } from "../../../src/core/model/run.js";
import { RunFolderWriter } from "../../../src/core/store/run-folder-writer.js";
import { readRun } from "../../../src/core/store/read-run.js";
import { reasonsWords } from "../../../src/core/report/plan-words.js";
import { readSetting } from "../../../src/core/store/stored-setting.js";
import { runTrajectory } from "../../../src/core/trajectory/loop.js";
import {
  requestOf,
  resumePlan,
  resumeTrajectory,
  type ResumeRequest,
} from "../../../src/core/trajectory/resume.js";
import type { TrajectoryRequest } from "../../../src/core/trajectory/services.js";
import { scripted } from "./agents.js";
import { newStage, verdicts, type Stage } from "./stage.js";

const never = new AbortController().signal;
let stage: Stage;

beforeEach(async () => {
  stage = await newStage();
});

afterEach(async () => {
  await stage[Symbol.asyncDispose]();
});

const obedient = () => scripted(() => ({}));

async function take(part: Partial<TrajectoryRequest> = {}): Promise<Run> {
  const run = runTrajectory(stage.request(part), stage.services, stage.hear, never);
  // What is thrown is told by the folder too.
  return run.catch(() => {
    const last = stage.events.findLast((event) => event.type === "run-finished");
    if (last?.type !== "run-finished") throw new Error("the run did not end");
    return last.run;
  });
}

async function plan(run: Pick<Run, "folder">, part: Partial<ResumeRequest> = {}): Promise<string[]> {
  const { checkpoints } = await resumePlan(await stage.resumption(run, part));
  return checkpoints.map(({ action, why }) =>
    why.length === 0 ? action : `${action}: ${reasonsWords(why)}`,
  );
}

async function resume(run: Pick<Run, "folder">, part: Partial<ResumeRequest> = {}): Promise<Run> {
  return resumeTrajectory(await stage.resumption(run, part), stage.services, stage.hear, never);
}

/** Makes a run look as SIGKILL leaves it: its process gone, the record of `checkpoint` not written. */
async function killDuring(run: Run, checkpoint: string, ...missing: string[]): Promise<string> {
  const file = path.join(run.folder, "slop-lens.json");
  const record = JSON.parse(await readFile(file, "utf8")) as Record<string, unknown>;
  const runner = { pid: 999_999_999, host: "elsewhere" };
  await writeFile(file, JSON.stringify({ ...record, state: "running", runner }));
  const folder = path.join(run.folder, "sample", checkpoint);
  for (const name of ["slop-lens.json", ...missing]) await rm(path.join(folder, name), { recursive: true });
  return folder;
}

async function asideOf(run: Pick<Run, "folder">): Promise<string[]> {
  const folder = path.join(run.folder, ".slop-lens/aside");
  const times = await readdir(folder).catch(() => []);
  const names = await Promise.all(times.map((time) => readdir(path.join(folder, time))));
  return names.flat().sort();
}

async function leftOver(run: Pick<Run, "folder">): Promise<string[]> {
  const names = await readdir(path.dirname(run.folder), { recursive: true });
  return names.filter((name) => /(?:^|\/)\.(?!slop-lens(?:\/|$))/u.test(name));
}

/** A run that was cancelled while the tests of the second checkpoint ran. */
async function cancelled(agent: Agent): Promise<Run> {
  const controller = new AbortController();
  stage.plan = {
    checkpoint_2: () => {
      controller.abort();
      return Promise.reject(new SlopLensError("cancelled", "Cancelled"));
    },
  };
  const run = await runTrajectory(stage.request({ agent }), stage.services, stage.hear, controller.signal);
  stage.plan = {};
  return run;
}

describe("a plan", () => {
  it("is empty for a run that is finished, which is then left alone", async () => {
    const run = await take();
    expect(await plan(run)).toEqual(["keep", "keep", "keep"]);
    const { isEmpty } = await resumePlan(await stage.resumption(run));
    expect(isEmpty).toBe(true);
    stage.evaluated.length = 0;
    expect(verdicts(await resume(run))).toEqual(["passed", "passed", "passed"]);
    expect(stage.evaluated).toEqual([]);
  });

  it("leaves what the policy does not reach", async () => {
    stage.plan = { checkpoint_1: "failed" };
    const run = await take({ policy: FAIL_STOP });
    const why = "checkpoint_1 does not meet the policy fail-stop (all-cases)";
    expect(await plan(run)).toEqual(["keep", `leave: ${why}`, `leave: ${why}`]);
  });

  it("redoes from a changed spec on, and tells a changed template apart", async () => {
    const run = await take();
    await writeFile(path.join(stage.root, "pack/checkpoint_2.md"), "Do something else.\n");
    const depends = "redo: depends on checkpoint_2, which is redone";
    expect(await plan(run)).toEqual(["keep", "redo: spec changed", depends]);
    const prompt = { name: "other", source: "Please: {{ spec }}" };
    expect((await plan(run, { prompt }))[0]).toBe("redo: prompt changed");
  });

  it("evaluates again where only tests changed", async () => {
    const run = await take();
    await writeFile(path.join(stage.root, "pack/tests/test_checkpoint_2.py"), "def test_new(): pass\n");
    expect(await plan(run)).toEqual(["keep", "evaluate: tests changed", "evaluate: tests changed"]);
    const before = await readFile(path.join(run.folder, "sample/checkpoint_2/evaluation.json"), "utf8");
    stage.evaluated.length = 0;
    stage.plan = { checkpoint_2: "failed" };
    expect(verdicts(await resume(run))).toEqual(["passed", "failed", "passed"]);
    expect(stage.evaluated).toEqual(["checkpoint_2", "checkpoint_3"]);
    expect(await plan(run)).toEqual(["keep", "keep", "keep"]);
    const [time = ""] = await readdir(path.join(run.folder, ".slop-lens/aside"));
    const aside = path.join(run.folder, ".slop-lens/aside", time, "sample.checkpoint_2.evaluation.json");
    expect(await readFile(aside, "utf8")).toBe(before);
  });

  it("tells of what is evaluated again the time of that, and keeps what the agent took", async () => {
    const run = await take();
    const file = path.join(run.folder, "sample/checkpoint_3/slop-lens.json");
    interface Kept {
      startedAt: string;
      usage: { agentSeconds?: number };
    }
    const record = JSON.parse(await readFile(file, "utf8")) as Kept;
    const long = { ...record, startedAt: "2020-01-02T03:04:05.000Z", usage: { agentSeconds: 77 } };
    await writeFile(file, JSON.stringify(long));
    await writeFile(path.join(stage.root, "pack/tests/test_checkpoint_3.py"), "def test_new(): pass\n");
    await resume(run);
    const told = stage.events.findLast((event) => event.type === "turn-finished");
    expect(told).toMatchObject({ turn: { checkpoint: "checkpoint_3", usage: { agentSeconds: 77 } } });
    expect(told?.type === "turn-finished" && told.seconds).toBeLessThan(24 * 3600);
    expect(JSON.parse(await readFile(file, "utf8"))).toMatchObject({ startedAt: long.startedAt });
  });

  it("redoes what has no snapshot, or another than was recorded", async () => {
    const run = await take();
    await writeFile(path.join(run.folder, "sample/checkpoint_3/snapshot/shelf.py"), "print(33)\n");
    expect((await plan(run))[2]).toBe("redo: the snapshot is not as it was recorded");
    await rm(path.join(run.folder, "sample/checkpoint_2/snapshot"), { recursive: true });
    expect((await plan(run))[1]).toBe("redo: no snapshot");
  });

  it("retries or keeps what an agent failed at", async () => {
    const agent = scripted(({ checkpoint }) =>
      checkpoint.name === "checkpoint_2" ? { status: "error", reason: "it gave up" } : {},
    );
    const run = await take({ agent });
    expect(await plan(run, { agent })).toEqual(["keep", "redo: agent error, retried", "take: not reached"]);
    const wishes = { agentErrors: "keep", redo: [] } as const;
    expect(await plan(run, { agent, wishes })).toEqual([
      "keep",
      "keep: agent error, kept",
      "leave: The agent did not finish checkpoint_2",
    ]);
  });

  it("redoes what is asked for, and what builds on it; from the reference nothing does", async () => {
    const wishes = { agentErrors: "retry", redo: ["checkpoint_2"] } as const;
    expect(await plan(await take(), { wishes })).toEqual([
      "keep",
      "redo: asked for",
      "redo: depends on checkpoint_2, which is redone",
    ]);
    const agent = obedient();
    const run = await take({ agent, policy: FROM_REFERENCE });
    expect(await plan(run, { agent, wishes })).toEqual(["keep", "redo: asked for", "keep"]);
  });

  it("is refused while another process works on the run", async () => {
    const run = await take();
    const file = path.join(run.folder, "slop-lens.json");
    const record = JSON.parse(await readFile(file, "utf8")) as Record<string, unknown>;
    const held = {
      ...record,
      state: "running",
      runner: { pid: process.ppid, host: (await import("node:os")).hostname() },
    };
    await writeFile(file, JSON.stringify(held));
    await expect(plan(run)).rejects.toMatchObject({ code: "run-folder", message: /in progress in process/u });
  });
});

describe("a resumed run", () => {
  it("after a cancel takes the rest, in its own folder, as an undisturbed run would", async () => {
    const run = await cancelled(replayAgent({ kind: "solutions" }));
    expect(verdicts(run)).toEqual(["passed", "not-reached", "not-reached"]);
    stage.evaluated.length = 0;
    const resumed = await resume(run);
    expect(resumed.folder).toBe(run.folder);
    expect(resumed.startedAt).toBe(run.startedAt);
    expect(stage.evaluated).toEqual(["checkpoint_2", "checkpoint_3"]);
    const read = await readRun(run.folder);
    expect(read).toMatchObject({ state: "finished", faults: [] });
    expect(verdicts(read)).toEqual(["passed", "passed", "passed"]);
    const undisturbed = await take();
    const hashes = (one: Run) =>
      one.problems[0]?.turns.map(({ snapshotHash, parent }) => [snapshotHash, parent]);
    expect(hashes(read)).toEqual(hashes(await readRun(undisturbed.folder)));
    expect(await leftOver(run)).toEqual([]);
  });

  it("after a cancel does not ask a paid agent again when only the tests were missing", async () => {
    const agent = obedient();
    const run = await cancelled(agent);
    expect(verdicts(run)).toEqual(["passed", "infrastructure", "not-reached"]);
    expect(verdicts(await readRun(run.folder))).toEqual(verdicts(run));
    expect(await plan(run, { agent })).toEqual([
      "keep",
      "evaluate: no record: cut short",
      "take: not reached",
    ]);
    expect(verdicts(await resume(run, { agent }))).toEqual(["passed", "passed", "passed"]);
    expect(agent.notes.map((note) => note.split("#")[0])).toEqual([
      "checkpoint_1",
      "checkpoint_2",
      "checkpoint_3",
    ]);
    expect(await asideOf(run)).toEqual(["sample.checkpoint_2.quality_analysis"]);
  });

  it("after a cancel while a snapshot is measured has the same state as during its tests", async () => {
    const agent = obedient();
    const controller = new AbortController();
    const { analyzer } = stage.services;
    const services = {
      ...stage.services,
      analyzer: {
        ...analyzer,
        analyzePaths: async (...given: Parameters<typeof analyzer.analyzePaths>) => {
          if (given[0][0]?.includes("checkpoint_2") !== true) return analyzer.analyzePaths(...given);
          // The tests have come to their end, and their outcomes are on the disk.
          const evaluation = path.join(given[0][0], "../evaluation.json");
          await expect
            .poll(() =>
              stat(evaluation).then(
                () => true,
                () => false,
              ),
            )
            .toBe(true);
          controller.abort();
          throw new SlopLensError("cancelled", "Cancelled");
        },
      },
    };
    const run = await runTrajectory(stage.request({ agent }), services, stage.hear, controller.signal);
    expect(verdicts(run)).toEqual(["passed", "infrastructure", "not-reached"]);
    const read = await readRun(run.folder);
    expect(verdicts(read)).toEqual(verdicts(run));
    const reason = "The run ended before the hidden tests were run";
    expect([run, read].map(({ problems }) => problems[0]?.turns[1]?.reason)).toEqual([reason, reason]);
    expect((await plan(run, { agent }))[1]).toBe("evaluate: no record: cut short");
    expect(verdicts(await resume(run, { agent }))).toEqual(["passed", "passed", "passed"]);
  });

  it("keeps the name that the agent was given, also in attempts that are begun later", async () => {
    const run = await take({ agentName: "mine" });
    expect(run.agent.name).toBe("mine");
    const read = await readRun(run.folder);
    expect(read.agent).toEqual(run.agent);
    expect(requestOf(await stage.resumption(read)).agentName).toBe("mine");
  });

  it("after a kill within the agent's work moves the turn aside, with what was staged", async () => {
    const run = await take({ checkpoints: ["checkpoint_1", "checkpoint_2"] });
    const folder = await killDuring(
      run,
      "checkpoint_2",
      "snapshot",
      "inference_result.json",
      "evaluation.json",
    );
    await mkdir(path.join(folder, ".snapshot.tmp"));
    await writeFile(path.join(folder, ".snapshot.tmp/half.py"), "");
    await mkdir(path.join(folder, ".workspace-abc123/workspace"), { recursive: true });
    await writeFile(path.join(run.folder, ".slop-lens.json.tmp"), "{");
    expect((await readRun(run.folder)).state).toBe("interrupted");
    expect((await plan(run))[1]).toMatch(/^redo: no snapshot/u);
    expect(verdicts(await resume(run))).toEqual(["passed", "passed", "skipped"]);
    expect(await asideOf(run)).toEqual(["sample.checkpoint_2"]);
    const [time = ""] = await readdir(path.join(run.folder, ".slop-lens/aside"));
    const aside = path.join(run.folder, ".slop-lens/aside", time, "sample.checkpoint_2");
    expect(await readdir(path.join(aside, "unfinished-snapshot"))).toEqual(["half.py"]);
    expect(await leftOver(run)).toEqual([]);
  });

  it("after a kill before the record evaluates the turn again, though its evaluation is there", async () => {
    const run = await take({ checkpoints: ["checkpoint_1"] });
    await killDuring(run, "checkpoint_1");
    expect(await plan(run)).toEqual(["evaluate: no record: cut short"]);
    const resumed = await resume(run);
    expect(resumed.problems[0]?.turns[0]).toMatchObject({
      verdict: "passed",
      quality: { totals: { erosion: 0.25 } },
    });
    const rows = (await readFile(path.join(run.folder, "checkpoint_results.jsonl"), "utf8")).trim();
    expect(rows.split("\n")).toHaveLength(1);
  });

  it("after trouble of the machinery goes on with the turn that met it", async () => {
    stage.plan = { checkpoint_2: () => Promise.reject(new SlopLensError("engine-lost", "It went away")) };
    const run = await take({ agent: obedient() });
    stage.plan = {};
    const agent = obedient();
    expect((await plan(run, { agent }))[1]).toBe("evaluate: infrastructure: It went away");
    expect(verdicts(await resume(run, { agent }))).toEqual(["passed", "passed", "passed"]);
    expect(agent.notes).toHaveLength(1);
  });

  it("of another tool takes what is missing, by the agent that is given", async () => {
    const own = await take({ agent: obedient(), checkpoints: ["checkpoint_1", "checkpoint_2"] });
    const folder = path.join(stage.root, "imported");
    await cp(own.folder, folder, { recursive: true });
    await rm(path.join(folder, "slop-lens.json"));
    const config = path.join(folder, "config.yaml");
    await writeFile(
      config,
      (await readFile(config, "utf8")).replace("provider: slop-lens", "provider: other"),
    );
    for (const checkpoint of ["checkpoint_1", "checkpoint_2"]) {
      await rm(path.join(folder, "sample", checkpoint, "slop-lens.json"));
    }
    await rm(path.join(folder, "sample/checkpoint_2/evaluation.json"));
    const imported = { folder };
    const agent = obedient();
    expect(await plan(imported, { agent })).toEqual([
      "keep",
      "evaluate: no record: cut short",
      "take: not reached",
    ]);
    expect(verdicts(await resume(imported, { agent }))).toEqual(["passed", "passed", "passed"]);
    expect(await plan(imported, { agent })).toEqual(["keep", "keep", "keep"]);
    expect(agent.notes).toEqual(["checkpoint_3#0 fresh(-) sees shelf.py"]);
  });

  it("with roundwise attempts takes only the tries that are missing", async () => {
    const controller = new AbortController();
    let tries = 0;
    const agent = scripted(({ checkpoint }) => {
      if (checkpoint.name === "checkpoint_2" && (tries += 1) === 2) controller.abort();
      return {};
    });
    const policy = roundwise(3, 1);
    const request = stage.request({ agent, policy });
    const run = await runTrajectory(request, stage.services, stage.hear, controller.signal);
    const rest = obedient();
    expect(await plan(run, { agent: rest })).toEqual([
      "keep",
      "take: 2 of 3 tries are there",
      "take: not reached",
    ]);
    expect(verdicts(await resume(run, { agent: rest }))).toEqual(["passed", "passed", "passed"]);
    expect(rest.notes.filter((note) => note.startsWith("checkpoint_2"))).toHaveLength(1);
    expect(await plan(run, { agent: rest })).toEqual(["keep", "keep", "keep"]);
  });

  it("is claimed by one of two that begin at once", async () => {
    const run = await cancelled(replayAgent({ kind: "solutions" }));
    const request = stage.request();
    const start = {
      ...{ runsFolder: path.dirname(run.folder), agent: request.agent.description, problem: request.problem },
      ...{ environment: request.environment, prompt: request.prompt, policy: DEFAULT_POLICY },
      ...({ isolation: "local", startedAt: new Date() } as const),
    };
    const { mark } = await readSetting(run.folder);
    const rest = { folder: run.folder, mark, kept: new Map() };
    const both = await Promise.allSettled([1, 2].map(() => RunFolderWriter.resume(rest, start, never)));
    expect(both.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
  });
});
