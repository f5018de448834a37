import { execFileSync } from "node:child_process";
import { mkdir, readdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import path from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { parse } from "yaml";
import type { Problem } from "../../../src/core/model/problem.js";
import type { Run } from "../../../src/core/model/run.js";
import type { Turn } from "../../../src/core/model/turn.js";
import { DEFAULT_POLICY } from "../../../src/core/model/policy.js";
import { parseEnvironment } from "../../../src/core/problem/environment-file.js";
import { readPack } from "../../../src/core/problem/pack.js";
import { diffSnapshots } from "../../../src/core/store/diff-file.js";
import { Fields } from "../../../src/core/model/fields.js";
import { findRuns } from "../../../src/core/store/find-runs.js";
import { readRun } from "../../../src/core/store/read-run.js";
import { RunFolderWriter } from "../../../src/core/store/run-folder-writer.js";
import type { RunFolderStart } from "../../../src/core/store/run-folder-writer.js";
import { readOutcomes } from "../../../src/core/store/turn-details.js";
import { AGENT_RESULT, EVALUATION, exampleTurn, OUTCOMES, QUALITY } from "./examples.js";
import { layFiles, ledgerPack, temporaryFolder } from "./support.js";

const SECRET = "sk-very-secret-1234";
const ENVIRONMENT = parseEnvironment(
  `type: docker
name: py
docker: { image: example/python }
environment: { env: { API_KEY: hidden-value, LANG: C } }
commands: { entry_file: "{entry_file}.py" }
`,
  "env.yaml",
);

let problem: Problem;
let start: RunFolderStart;

beforeEach(async () => {
  const { problem: read } = await readPack(await ledgerPack());
  if (read === undefined) throw new Error("the pack of the tests is not sound");
  problem = read;
  start = {
    runsFolder: path.join(await temporaryFolder(), "runs"),
    agent: {
      type: "command",
      version: "1",
      model: undefined,
      detail: `TOKEN=abc agent --api-key xyz ${SECRET}`,
    },
    problem,
    environment: ENVIRONMENT,
    prompt: { name: "just-solve", source: "{{ spec }}\n" },
    policy: DEFAULT_POLICY,
    isolation: "docker",
    startedAt: new Date(2026, 5, 3, 14, 58, 12),
    secrets: [SECRET],
  };
});

async function takeTurn(
  writer: RunFolderWriter,
  checkpoint: string,
  parent: Turn | undefined,
): Promise<Turn> {
  const files = await writer.openTurn({ checkpoint }, `Do it with ${SECRET}.`);
  await layFiles(files.staging, { "ledger.py": `print("${checkpoint}")\n`, "requirements.txt": "" });
  await symlink("ledger.py", path.join(files.staging, "link"));
  await files.keepAgentResult(
    AGENT_RESULT,
    new Date("2026-06-03T12:58:12Z"),
    new Date("2026-06-03T12:58:24.500Z"),
  );
  await files.keepSnapshot(parent === undefined ? undefined : path.join(parent.folder, "snapshot"));
  await files.keepEvaluation({ ...EVALUATION, stdout: `out ${SECRET}\n` });
  await files.keepQuality(QUALITY);
  const turn = exampleTurn(checkpoint, files.folder);
  await files.close(turn);
  return turn;
}

function runOf(writer: RunFolderWriter, turns: readonly Turn[], state: Run["state"]): Run {
  return {
    folder: writer.folder,
    agent: start.agent,
    prompt: "just-solve",
    environment: "py",
    isolation: "docker",
    startedAt: start.startedAt.toISOString(),
    state,
    problems: [{ problem: "ledger", folder: path.join(writer.folder, "ledger"), turns }],
    faults: [],
  };
}

async function json(writer: RunFolderWriter, name: string): Promise<unknown> {
  return JSON.parse(await readFile(path.join(writer.folder, name), "utf8"));
}

describe("RunFolderWriter", () => {
  it("writes a run that reads back as it was", async () => {
    const writer = await RunFolderWriter.create(start);
    expect(path.basename(writer.folder)).toBe("20260603T145812_command_ledger");
    const first = await takeTurn(writer, "checkpoint_1", undefined);
    const second = await takeTurn(writer, "checkpoint_2", first);
    await writer.close(runOf(writer, [first, second], "finished"), undefined);
    const run = await readRun(writer.folder);
    expect(run.faults).toEqual([]);
    expect(run.state).toBe("finished");
    const withoutMessages = OUTCOMES.map((outcome) => ({ ...outcome, message: undefined }));
    expect(run.problems[0]?.turns).toEqual(
      [first, second].map((turn) => ({ ...turn, outcomes: withoutMessages })),
    );
    const turn = run.problems[0]?.turns[1];
    expect(turn === undefined ? [] : await readOutcomes(turn)).toEqual(OUTCOMES);
    expect(await findRuns(start.runsFolder)).toEqual({ runs: [writer.folder], complete: true });
  });

  it("writes SCB's files", async () => {
    const writer = await RunFolderWriter.create(start);
    const first = await takeTurn(writer, "checkpoint_1", undefined);
    const second = await takeTurn(writer, "checkpoint_2", first);
    await writer.close(runOf(writer, [first, second], "finished"), undefined);
    expect(await json(writer, "ledger/checkpoint_2/evaluation.json")).toEqual({
      schema_version: 1,
      problem_name: "ledger",
      problem_version: 2,
      checkpoint_name: "checkpoint_2",
      checkpoint_version: 1,
      duration: 3.5,
      entrypoint: "python ledger.py",
      tests: {
        "checkpoint_2-Core": { passed: ["test_more[a b]"], failed: [], skipped: [] },
        "checkpoint_2-Error": { passed: [], failed: ["test_err"], skipped: [] },
        "checkpoint_2-Functionality": { passed: [], failed: ["test_fixture"], skipped: ["test_skip"] },
        "checkpoint_1-Regression": { passed: ["test_add"], failed: [], skipped: [] },
      },
      pass_counts: { Core: 1, Functionality: 0, Error: 0, Regression: 1 },
      total_counts: { Core: 1, Functionality: 1, Error: 1, Regression: 1 },
      pytest_exit_code: 1,
      pytest_collected: 5,
      test_collection_hash: null,
      infrastructure_failure: false,
    });
    expect(await json(writer, "ledger/checkpoint_2/inference_result.json")).toMatchObject({
      started: "2026-06-03T12:58:12.000Z",
      elapsed: 12.5,
      had_error: false,
      error_message: null,
      snapshot_dir: "snapshot",
      usage: {
        cost: 1.25,
        steps: 7,
        net_tokens: { input: 100, output: 20, cache_read: 0, cache_write: 0, reasoning: 0 },
      },
    });
    expect(await json(writer, "ledger/checkpoint_2/diff.json")).toMatchObject({
      file_diffs: {
        "ledger.py": {
          change_type: "modified",
          diff_text:
            '--- ledger.py\n+++ ledger.py\n@@ -1 +1 @@\n-print("checkpoint_1")\n\n+print("checkpoint_2")\n',
          lines_added: 1,
          lines_removed: 1,
        },
      },
    });
    const quality = path.join(second.folder, "quality_analysis");
    expect((await readdir(quality)).sort()).toEqual(["ast_grep.jsonl", "slop-lens.json", "symbols.jsonl"]);
    expect(await json(writer, "ledger/checkpoint_2/quality_analysis/slop-lens.json")).toMatchObject({
      totals: QUALITY.totals,
      matches: [{ rule: "needless-else" }],
    });
    const [symbol] = (await readFile(path.join(quality, "symbols.jsonl"), "utf8")).split("\n");
    expect(JSON.parse(symbol ?? "")).toMatchObject({
      name: "main",
      type: "function",
      complexity: 12,
      rating: "C",
    });
    const rows = (await readFile(path.join(writer.folder, "checkpoint_results.jsonl"), "utf8"))
      .trim()
      .split("\n");
    expect(rows.map((row): unknown => JSON.parse(row))).toMatchObject([
      { checkpoint: "checkpoint_1", idx: 1, is_first: true, is_last: false },
      {
        ...{
          checkpoint: "checkpoint_2",
          idx: 2,
          is_first: false,
          is_last: true,
          state: "ran",
          total_tests: 4,
        },
        ...{ strict_pass_rate: 0.5, isolated_pass_rate: 1 / 3, core_pass_rate: 1, regression_total: 1 },
        ...{
          cost: 1.25,
          duration: 12.5,
          lines_added: 1,
          erosion: 0.75,
          verbosity: 0.2,
          cc_max: 12,
          sloc: 50,
        },
      },
    ]);
    expect(await json(writer, "result.json")).toMatchObject({
      ...{ num_problems: 1, num_checkpoints: 2, expected_checkpoints: 2, checkpoints_core_solved: 2 },
      costs: {
        checkpoint: { mean: 1.25, stddev: 0, count: 2 },
        problem: { mean: 2.5, stddev: null },
        total: 2.5,
      },
      pass_rates: { checkpoint: { core: 1, total: 0.5, functionality: 0 } },
      erosion: { mean: 0.75, median: 0.75 },
    });
    const info: unknown = parse(await readFile(path.join(writer.folder, "ledger/run_info.yaml"), "utf8"));
    expect(info).toMatchObject({
      agent_type: "command",
      summary: {
        state: "completed",
        total_cost: 2.5,
        checkpoints: { checkpoint_1: "ran", checkpoint_2: "ran" },
      },
    });
  });

  it("writes YAML that PyYAML reads as it is meant", async () => {
    const agent = { ...start.agent, model: "on" };
    const tricky = { ...start, agent, prompt: { name: "12:30", source: "yes\n  no: *x\n\tt\n" } };
    const writer = await RunFolderWriter.create(tricky);
    const script = "import json, sys, yaml; print(json.dumps(yaml.safe_load(open(sys.argv[1]))))";
    const read: unknown = JSON.parse(
      execFileSync("python3", ["-c", script, path.join(writer.folder, "config.yaml")]).toString(),
    );
    expect(read).toMatchObject({
      pass_policy: "any",
      prompt_path: "12:30.jinja",
      prompt_content: "yes\n  no: *x\n\tt\n",
      model: { name: "on", provider: "slop-lens" },
      environment: { type: "docker", environment: { env: { LANG: "C" } } },
    });
  });

  it("keeps an environment that reads back", async () => {
    const writer = await RunFolderWriter.create(start);
    const text = await readFile(path.join(writer.folder, "environment.yaml"), "utf8");
    const env = { ...ENVIRONMENT.env, API_KEY: "***" };
    expect({ ...parseEnvironment(text, "x"), source: "" }).toEqual({ ...ENVIRONMENT, env, source: "" });
  });

  it("writes no secret anywhere", async () => {
    const writer = await RunFolderWriter.create(start);
    const turn = await takeTurn(writer, "checkpoint_1", undefined);
    await writer.close(runOf(writer, [{ ...turn, reason: SECRET }], "finished"), `ended with ${SECRET}`);
    const entries = await readdir(writer.folder, { recursive: true, withFileTypes: true });
    const files = entries
      .filter((entry) => entry.isFile())
      .map((entry) => path.join(entry.parentPath, entry.name));
    expect(files.length).toBeGreaterThan(15);
    for (const file of files) {
      expect(await readFile(file, "utf8"), file).not.toMatch(/sk-very|hidden-value|TOKEN=abc|xyz/u);
    }
  });

  it("gives two runs of the same second two folders", async () => {
    const writers = await Promise.all([RunFolderWriter.create(start), RunFolderWriter.create({ ...start })]);
    const names = writers.map(({ folder }) => path.basename(folder)).sort();
    expect(new Set(names).size).toBe(2);
    expect(await readdir(start.runsFolder)).toEqual(names);
  });

  it("says when no run folder can be made", async () => {
    const file = path.join(await temporaryFolder(), "file");
    await writeFile(file, "");
    await expect(RunFolderWriter.create({ ...start, runsFolder: file })).rejects.toMatchObject({
      code: "run-folder",
    });
  });

  it("leaves nothing behind when its first files cannot be written", async () => {
    const runsFolder = await temporaryFolder();
    // A problem of this name takes the place of one of the first files.
    const clashing = { ...start, runsFolder, problem: { ...problem, name: "config.yaml" } };
    await expect(RunFolderWriter.create(clashing)).rejects.toMatchObject({ code: "run-folder" });
    expect(await readdir(runsFolder)).toEqual([]);
  });

  it.skipIf(process.platform !== "linux")("says so when folders cannot be made at all", async () => {
    const runsFolder = "/proc/nobody-makes-this/runs";
    await expect(RunFolderWriter.create({ ...start, runsFolder })).rejects.toMatchObject({
      code: "run-folder",
    });
  });

  it("reads as running while its process lives, and shows a turn in progress", async () => {
    const writer = await RunFolderWriter.create(start);
    await writer.openTurn({ checkpoint: "checkpoint_1" }, "prompt");
    const run = await readRun(writer.folder);
    expect(run.state).toBe("running");
    expect(run.problems[0]?.turns.map(({ verdict }) => verdict)).toEqual([undefined, "not-reached"]);
    expect(run.faults).toEqual([]);
  });

  it.each([
    ["another machine's", { host: "elsewhere" }],
    ["an ended process's", { pid: 2 ** 30 }],
    ["a process that got an old number's", { began: "another boot 1" }],
  ])("reads as interrupted when its record is %s", async (_whose, change) => {
    const writer = await RunFolderWriter.create(start);
    await writer.openTurn({ checkpoint: "checkpoint_1" }, "prompt");
    const file = path.join(writer.folder, "slop-lens.json");
    const record = new Fields(await json(writer, "slop-lens.json"));
    const known = { pid: record.fields("runner").number("pid"), host: record.fields("runner").text("host") };
    const runner = { ...known, began: record.fields("runner").text("began"), ...change };
    await writeFile(file, JSON.stringify({ schema: 1, state: "running", runner }));
    const run = await readRun(writer.folder);
    expect(run.state).toBe("interrupted");
    expect(run.problems[0]?.turns[0]).toMatchObject({ verdict: "infrastructure" });
  });

  it("moves a dropped turn and one that is redone aside", async () => {
    const writer = await RunFolderWriter.create(start);
    const files = await writer.openTurn({ checkpoint: "checkpoint_1" }, "first try");
    await files.drop();
    expect((await readRun(writer.folder)).problems[0]?.turns[0]?.verdict).toBe("not-reached");
    await takeTurn(writer, "checkpoint_1", undefined);
    await takeTurn(writer, "checkpoint_1", undefined);
    const aside = path.join(writer.folder, ".slop-lens/aside");
    const names = await readdir(aside, { recursive: true });
    const prompts = names.filter((name) => path.basename(name) === "prompt.txt");
    const texts = await Promise.all(prompts.map((name) => readFile(path.join(aside, name), "utf8")));
    expect(texts).toHaveLength(2);
    expect(texts).toContain("first try");
    // SCB's readers look for such names at any depth.
    expect(names.filter((name) => path.basename(name).startsWith("checkpoint_"))).toEqual([]);
    const rows = await readFile(path.join(writer.folder, "checkpoint_results.jsonl"), "utf8");
    expect(rows.trim().split("\n")).toHaveLength(1);
  });

  it("keeps a turn that met trouble, without its half-made snapshot", async () => {
    const writer = await RunFolderWriter.create(start);
    const files = await writer.openTurn({ checkpoint: "checkpoint_1" }, "prompt");
    await layFiles(files.staging, { "half.py": "" });
    const turn = {
      ...exampleTurn("checkpoint_1", files.folder),
      outcomes: [],
      verdict: "infrastructure",
    } as const;
    await files.close({ ...turn, reason: "no engine", quality: undefined });
    expect((await readdir(files.folder)).sort()).toEqual(["checkpoint.yaml", "prompt.txt", "slop-lens.json"]);
    const run = await readRun(writer.folder);
    expect(run.problems[0]?.turns[0]).toMatchObject({
      verdict: "infrastructure",
      reason: "no engine",
      quality: undefined,
    });
  });

  it("believes evaluation.json where another tool evaluated again", async () => {
    const writer = await RunFolderWriter.create(start);
    const turn = await takeTurn(writer, "checkpoint_1", undefined);
    const tests = { "checkpoint_2-Core": { passed: ["test_more[a b]"], failed: [], skipped: [] } };
    await writeFile(path.join(turn.folder, "evaluation.json"), JSON.stringify({ tests }));
    const [read] = (await readRun(writer.folder)).problems[0]?.turns ?? [];
    expect(read).toMatchObject({
      verdict: "passed",
      outcomes: [{ id: "test_more[a b]", line: 4 }],
      quality: turn.quality,
    });
    expect(read?.counts.Core.passed).toBe(1);
    expect(read?.counts.Error.failed).toBe(0);
  });

  it("reads a turn of ours whose own record is lost", async () => {
    const writer = await RunFolderWriter.create(start);
    const turn = await takeTurn(writer, "checkpoint_1", undefined);
    await writer.close(runOf(writer, [turn], "finished"), undefined);
    await rm(path.join(turn.folder, "slop-lens.json"));
    const [read] = (await readRun(writer.folder)).problems[0]?.turns ?? [];
    expect(read).toMatchObject({
      verdict: "failed",
      counts: turn.counts,
      recorded: { erosion: 0.75, verbosity: 0.2 },
    });
  });
});

describe("diffSnapshots", () => {
  it("tells text files that were created, deleted and changed, and leaves others out", async () => {
    const folder = await temporaryFolder();
    await layFiles(folder, {
      "old/gone.py": "a\nb\n",
      "old/same.py": "x\n",
      "old/end.py": "no line break",
      "new/same.py": "x\n",
      "new/end.py": "no line break\n",
      "new/sub/fresh.py": "1\n2\n3",
    });
    await writeFile(path.join(folder, "new/data.bin"), Buffer.from([0, 1, 2]));
    await mkdir(path.join(folder, "new/folder"));
    await symlink("/etc/passwd", path.join(folder, "new/link"));
    const diff = await diffSnapshots(path.join(folder, "old"), path.join(folder, "new"));
    expect(
      diff.files.map((file) => [file.path, file.change_type, file.lines_added, file.lines_removed]),
    ).toEqual([
      ["end.py", "modified", 1, 1],
      ["gone.py", "deleted", 0, 2],
      ["sub/fresh.py", "created", 3, 0],
    ]);
    expect([diff.linesAdded, diff.linesRemoved]).toEqual([4, 3]);
  });

  it("tells a file that changed beyond measure as replaced", async () => {
    const folder = await temporaryFolder();
    const lines = (word: string): string =>
      Array.from({ length: 3000 }, (_, at) => `${word} ${at}\n`).join("");
    await layFiles(folder, { "old/a.py": lines("x"), "new/a.py": lines("y") });
    const { files } = await diffSnapshots(path.join(folder, "old"), path.join(folder, "new"));
    expect(files[0]).toMatchObject({ lines_added: 3000, lines_removed: 3000 });
    expect(files[0]?.diff_text.split("\n")[2]).toBe("@@ -1,3000 +1,3000 @@");
  });
});
