import { cp, mkdir, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { describe, expect, it } from "vitest";
import type { Run } from "../../../src/core/model/run.js";
import type { Turn } from "../../../src/core/model/turn.js";
import { parsePythonJson } from "../../../src/core/model/python-json.js";
import { findRuns } from "../../../src/core/store/find-runs.js";
import { readRun } from "../../../src/core/store/read-run.js";
import { readFailureDetails, readOutcomes } from "../../../src/core/store/turn-details.js";
import { ROOT, temporaryFolder } from "./support.js";

const FIXTURES = path.join(ROOT, "test/fixtures/runs");
const RECENT = path.join(FIXTURES, "recent");

function turnOf(run: Run, id: string): Turn {
  const turn = run.problems.flatMap(({ turns }) => turns).find((one) => one.id === id);
  if (turn === undefined) throw new Error(`no turn ${id}`);
  return turn;
}

async function copyOfRecent(): Promise<string> {
  const folder = path.join(await temporaryFolder(), "recent");
  await cp(RECENT, folder, { recursive: true });
  return folder;
}

describe("parsePythonJson", () => {
  it("reads what Python writes beyond JSON, and leaves strings alone", () => {
    const text = '{"a": [Infinity, -Infinity, NaN, 1], "NaN": "say \\"Infinity\\" NaN"}';
    expect(parsePythonJson(text)).toEqual({ a: [Infinity, -Infinity, null, 1], NaN: 'say "Infinity" NaN' });
    expect(() => parsePythonJson("{'a': 1}")).toThrow(SyntaxError);
  });
});

describe("readRun on a recent run of slop-code", () => {
  it("describes the run", async () => {
    const run = await readRun(RECENT);
    expect(run).toMatchObject({
      folder: RECENT,
      agent: { type: "some_cli", version: "1.2.3", model: "small-model", detail: undefined },
      prompt: "just-solve",
      environment: "python3.12",
      isolation: "docker",
      startedAt: "2026-05-30T02:44:07.973169",
      state: "interrupted",
      faults: [],
    });
    expect(
      run.problems.map(({ problem, turns }) => [problem, turns.map(({ checkpoint }) => checkpoint)]),
    ).toEqual([["ledger", ["checkpoint_1", "checkpoint_2", "checkpoint_3", "checkpoint_10"]]]);
  });

  it("reads outcomes, counts and usage of a turn", async () => {
    const turn = turnOf(await readRun(RECENT), "ledger/checkpoint_1");
    expect(turn).toMatchObject({
      order: 1,
      parent: null,
      origin: "import",
      verdict: "failed",
      reason: undefined,
      quality: undefined,
      recorded: { erosion: 0.25, verbosity: undefined },
      usage: {
        costUsd: 4.5,
        steps: 46,
        inputTokens: 100,
        reasoningTokens: 5,
        agentSeconds: 642.5,
        testSeconds: 7.5,
      },
      folder: path.join(RECENT, "ledger/checkpoint_1"),
    });
    expect(turn.counts).toEqual({
      Core: { passed: 2, failed: 0, skipped: 0 },
      Functionality: { passed: 0, failed: 1, skipped: 0 },
      Error: { passed: 0, failed: 1, skipped: 1 },
      Regression: { passed: 0, failed: 0, skipped: 0 },
    });
    expect(turn.outcomes[0]).toEqual({
      id: "test_add[two words]",
      checkpoint: "checkpoint_1",
      group: "Core",
      file: "test_checkpoint_1.py",
      status: "passed",
      line: undefined,
      durationMs: undefined,
      message: undefined,
    });
  });

  it("knows an agent's failure, a cut-off turn, and checkpoints that were not reached", async () => {
    const run = await readRun(RECENT);
    expect(turnOf(run, "ledger/checkpoint_2")).toMatchObject({
      parent: "ledger/checkpoint_1",
      verdict: "agent-error",
      reason: "AgentError: gave up",
      recorded: { erosion: 0.5, verbosity: 0.125 },
      counts: { Regression: { passed: 1, failed: 1 }, Core: { passed: 1 } },
    });
    expect(turnOf(run, "ledger/checkpoint_3")).toMatchObject({
      verdict: "infrastructure",
      reason: "The run ended before the agent was done",
      outcomes: [],
    });
    expect(turnOf(run, "ledger/checkpoint_10")).toMatchObject({ order: 4, verdict: "not-reached" });
  });

  it("tells durations, lines, errors and messages on demand", async () => {
    const turn = turnOf(await readRun(RECENT), "ledger/checkpoint_1");
    const outcomes = await readOutcomes(turn);
    expect(
      outcomes.map(({ id, status, durationMs, line, message }) => [id, status, durationMs, line, message]),
    ).toEqual([
      ["test_add[two words]", "passed", 2000, 10, undefined],
      ["TestBook::test_open", "passed", undefined, undefined, undefined],
      ["test_no_file", "failed", 1000, 20, "E  assert 1 == 2"],
      ["test_windows", "skipped", undefined, undefined, undefined],
      ["test_setup", "error", 125, undefined, "no fixture"],
    ]);
    const details = await readFailureDetails(turn);
    expect(details.get("checkpoint_1::test_no_file")?.message).toBe("E  assert 1 == 2");
  });
});

describe("readRun on an old run without its own files", () => {
  it("reads the list form of tests, and several problems", async () => {
    const run = await readRun(path.join(FIXTURES, "old"));
    expect(run).toMatchObject({
      agent: { type: "mini_swe", version: undefined, model: "tiny" },
      startedAt: "2025-11-01T09:00:00",
      state: "finished",
      isolation: "unknown",
    });
    expect(run.problems.map(({ problem }) => problem)).toEqual(["book", "desk"]);
    expect(turnOf(run, "book/checkpoint_1")).toMatchObject({
      verdict: "passed",
      outcomes: [
        { id: "test_a", durationMs: 12.5 },
        { id: "test_b", group: "Error" },
      ],
    });
    expect(turnOf(run, "book/checkpoint_2")).toMatchObject({
      verdict: "infrastructure",
      reason: "The hidden tests could not be run (pytest's exit code 4)",
    });
    expect(turnOf(run, "book/checkpoint_3")).toMatchObject({ verdict: "skipped", order: 3 });
  });

  it("shows a turn with a broken file, and says which", async () => {
    const run = await readRun(path.join(FIXTURES, "old"));
    expect(turnOf(run, "desk/checkpoint_1")).toMatchObject({ verdict: "passed", startedAt: undefined });
    const errors = run.faults.filter(({ severity }) => severity === "error");
    expect(errors.map(({ file, line }) => [path.relative(run.folder, file), line])).toEqual([
      ["desk/checkpoint_1/inference_result.json", 2],
    ]);
  });
});

describe("readRun with any single file gone or broken", () => {
  const files = [
    "config.yaml",
    "environment.yaml",
    "checkpoint_results.jsonl",
    "ledger/problem.yaml",
    "ledger/checkpoint_1/inference_result.json",
    "ledger/checkpoint_1/evaluation.json",
    "ledger/checkpoint_1/evaluation/report.json",
    "ledger/checkpoint_2/evaluation.json",
    "ledger/checkpoint_3/prompt.txt",
  ];

  it.each(files)("still shows the rest without %s", async (name) => {
    const folder = await copyOfRecent();
    await rm(path.join(folder, name));
    const run = await readRun(folder);
    const turn = turnOf(run, "ledger/checkpoint_2");
    expect(turn.verdict).toBe("agent-error");
    expect(await readOutcomes(turnOf(run, "ledger/checkpoint_1"))).toBeInstanceOf(Array);
    expect(run.faults.every(({ severity }) => severity === "warning")).toBe(true);
  });

  it.each(files.filter((name) => /json|yaml/u.test(name)))(
    "still shows the rest with a broken %s",
    async (name) => {
      const folder = await copyOfRecent();
      await writeFile(path.join(folder, name), "{ \n - 'x: [");
      const run = await readRun(folder);
      expect(turnOf(run, "ledger/checkpoint_2").verdict).toBe("agent-error");
      expect(await readOutcomes(turnOf(run, "ledger/checkpoint_1"))).toBeInstanceOf(Array);
      const told = run.faults
        .filter(({ severity }) => severity === "error")
        .map(({ file }) => path.relative(folder, file));
      expect([...new Set(told)]).toEqual(name.endsWith("report.json") ? [] : [name]);
    },
  );

  it("shows documents of a wrong kind as empty", async () => {
    const folder = await copyOfRecent();
    await writeFile(path.join(folder, "config.yaml"), "- a\n- b\n");
    await writeFile(
      path.join(folder, "ledger/checkpoint_1/evaluation.json"),
      '{"tests": {"x": 3, "y-Core": [1]}}',
    );
    await writeFile(path.join(folder, "ledger/checkpoint_1/inference_result.json"), '"text"');
    const run = await readRun(folder);
    expect(run.agent.type).toBe("unknown");
    expect(turnOf(run, "ledger/checkpoint_1")).toMatchObject({
      verdict: "infrastructure",
      reason: "No hidden test was run",
    });
  });

  it("rejects what is not a run", async () => {
    const folder = await temporaryFolder();
    await expect(readRun(folder)).rejects.toMatchObject({ code: "run-folder" });
    await writeFile(path.join(folder, "config.yaml"), "entry_file: x\n");
    await expect(readRun(folder)).rejects.toMatchObject({ code: "run-folder" });
    await expect(readRun(folder)).rejects.toHaveProperty(
      "hint",
      expect.stringMatching(/^A run folder holds/u),
    );
    await expect(readRun(path.join(folder, "absent"))).rejects.toMatchObject({ code: "run-folder" });
  });
});

describe("findRuns", () => {
  it("finds runs at any depth, and does not look into them", async () => {
    const folder = await temporaryFolder();
    await cp(RECENT, path.join(folder, "model/agent_just-solve"), { recursive: true });
    await cp(path.join(FIXTURES, "old"), path.join(folder, "old/er"), { recursive: true });
    await cp(RECENT, path.join(folder, "node_modules/x"), { recursive: true });
    await cp(RECENT, path.join(folder, "model/agent_just-solve/nested"), { recursive: true });
    await mkdir(path.join(folder, "pack/tests"), { recursive: true });
    await writeFile(path.join(folder, "pack/config.yaml"), "entry_file: x\n");
    const found = await findRuns(folder);
    expect(found.runs.map((run) => path.relative(folder, run))).toEqual(["model/agent_just-solve"]);
    expect(found.complete).toBe(true);
  });

  it("takes the folder itself, and a run known only by its problems", async () => {
    const folder = await copyOfRecent();
    for (const name of ["config.yaml", "environment.yaml", "checkpoint_results.jsonl"])
      await rm(path.join(folder, name));
    expect((await findRuns(folder)).runs).toEqual([folder]);
  });

  it("says when a limit ended the search", async () => {
    const folder = await temporaryFolder();
    await cp(RECENT, path.join(folder, "a/b/c"), { recursive: true });
    expect(await findRuns(folder, { depth: 2, folders: 100 })).toEqual({ runs: [], complete: false });
    expect(await findRuns(folder, { depth: 6, folders: 2 })).toEqual({ runs: [], complete: false });
    expect((await findRuns(folder, { depth: 3, folders: 100 })).runs).toHaveLength(1);
  });
});

it.each([
  ["post_checkpoint_skill: null\nthinking: none\n", undefined],
  ["thinking: high\n", "thinking high"],
  ["one_shot: { enabled: true }\nthinking: low\n", "one shot, thinking low"],
  ["post_checkpoint_skill: { prompt: Tidy up., run_on: all }\n", /^skill after checkpoints [0-9a-f]{6}$/u],
])("tells what slop-code set beside agent and model: %j", async (settings, expected) => {
  const folder = await copyOfRecent();
  await writeFile(path.join(folder, "config.yaml"), `agent: { type: some_cli }\n${settings}`);
  const { detail } = (await readRun(folder)).agent;
  if (expected instanceof RegExp) expect(detail).toMatch(expected);
  else expect(detail).toBe(expected);
});

it("tells two skills apart by their text", async () => {
  const folder = await copyOfRecent();
  const detailOf = async (prompt: string): Promise<string | undefined> => {
    await writeFile(path.join(folder, "config.yaml"), `post_checkpoint_skill: { prompt: ${prompt} }\n`);
    return (await readRun(folder)).agent.detail;
  };
  expect(await detailOf("Review.")).not.toBe(await detailOf("Refactor."));
});
