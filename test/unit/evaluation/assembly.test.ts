import path from "node:path";
import { describe, expect, it } from "vitest";
import {
  checkTests,
  placements,
  testsFilter,
  variables,
  wantedTestFiles,
} from "../../../src/core/evaluation/assembly.js";
import type { Problem } from "../../../src/core/model/problem.js";
import { readPack } from "../../../src/core/problem/pack.js";
import type { Placement, Sandbox } from "../../../src/core/sandbox/sandbox.js";
import { fixtureEnvironment } from "./scenarios.js";
import { FILES, PACKS } from "./support.js";

async function fixture(): Promise<Problem> {
  const { problem } = await readPack(path.join(PACKS, "every_outcome"));
  if (problem === undefined) throw new Error("the pack does not read");
  return problem;
}

const nowhere: Sandbox = {
  kind: "local",
  isolated: false,
  prepare: () => Promise.reject(new Error("not asked for")),
  open: () => Promise.reject(new Error("not asked for")),
};

async function assemble(order: number, change: (problem: Problem) => Problem = (problem) => problem) {
  const problem = change(await fixture());
  const checkpoint = problem.checkpoints[order - 1];
  if (checkpoint === undefined) throw new Error("no such checkpoint");
  const request = {
    problem,
    checkpoint,
    environment: fixtureEnvironment("type: local"),
    sandbox: nowhere,
    snapshot: "/snapshot",
    owner: { run: "run", turn: "turn" },
  };
  const laid = placements(request, "python tool.py", FILES);
  const at = (root: Placement["root"], target: string): Placement => {
    const found = laid.find((one) => one.root === root && one.target === target);
    if (found === undefined) throw new Error(`nothing is placed at ${target}`);
    return found;
  };
  const textAt = (root: Placement["root"], target: string): string => {
    const { source } = at(root, target);
    if (!("content" in source) || typeof source.content !== "string") throw new Error("no text");
    return source.content;
  };
  return { request, at, textAt };
}

describe("wantedTestFiles", () => {
  it("goes up to the checkpoint, or takes its own only", async () => {
    const problem = await fixture();
    const files = problem.checkpoints.map((checkpoint) => wantedTestFiles(problem, checkpoint));
    expect(files).toEqual([
      ["test_checkpoint_1.py"],
      ["test_checkpoint_1.py", "test_checkpoint_2.py"],
      ["test_checkpoint_3.py"],
    ]);
  });
});

describe("testsFilter", () => {
  it("takes all but caches and test files of others", () => {
    const keep = testsFilter(["test_checkpoint_1.py"]);
    const kept = ["conftest.py", "helpers.py", "test_checkpoint_1.py", "test_data.json", "__init__.py"];
    const deep = ["data", "data/test_extra.py", "data/a/b.json", "cases/"];
    for (const name of [...kept, ...deep]) expect([name, keep(name)]).toEqual([name, true]);
    const left = [
      "test_checkpoint_10.py",
      "test_other.py",
      "__pycache__",
      "__pycache__/a.pyc",
      "data/__pycache__/b.pyc",
    ];
    for (const name of left) expect([name, keep(name)]).toEqual([name, false]);
  });
});

describe("placements", () => {
  it("take the solution as a snapshot keeps it, without tests or pytest's configuration", async () => {
    const { at } = await assemble(1);
    const { keep, owner } = at("workspace", ".");
    expect(owner).toBe("solution");
    const kept = ["tool.py", "src/tool.py", "sub/pytest.ini", "conftest.py"].map((name) => keep?.(name));
    expect(kept).toEqual([true, true, true, true]);
    const left = [
      ".evaluation_tests",
      ".evaluation_tests/a.py",
      "pytest.ini",
      ".venv/lib/x.py",
      "given/words/list.txt",
    ];
    expect(left.map((name) => keep?.(name))).toEqual(left.map(() => false));
  });

  it("give the tests their assets under the asset's name, and nobody else", async () => {
    const { at } = await assemble(1);
    const assets = at("workspace", ".evaluation_tests/assets/words");
    expect(assets).toMatchObject({
      owner: "harness",
      source: { path: path.join(PACKS, "every_outcome/files") },
    });
    expect(() => at("workspace", "given/words")).toThrow();
  });

  it("declare the standard markers and the pack's own to pytest, each on one line", async () => {
    const { textAt } = await assemble(1, (problem) => ({
      ...problem,
      markers: [
        { name: "slow", description: "takes\n  long", group: "Core" },
        { name: "error", description: "mine", group: "Core" },
      ],
    }));
    const lines = textAt("workspace", "pytest.ini").split("\n");
    expect(lines.slice(0, 5)).toEqual([
      "[pytest]",
      "testpaths = tests",
      "timeout = 600",
      "timeout_method = signal",
      "markers =",
    ]);
    expect(lines.slice(5, -1).map((line) => line.split(":")[0])).toEqual([
      "    error",
      "    functionality",
      "    regression",
      "    slow",
    ]);
    expect(lines).toContain("    slow: takes long");
  });

  it("plan the setup, the entry point and the limit of a single test", async () => {
    const { textAt } = await assemble(1);
    expect(JSON.parse(textAt("harness", "plan.json"))).toEqual({
      commands: ["echo setup speaks; export FIXTURE_SETUP=done", "true"],
      entrypoint: "python tool.py",
      pytest: expect.arrayContaining([
        "--timeout=1",
        "--timeout-method=signal",
        "--entrypoint=python tool.py",
        "--checkpoint=checkpoint_1",
      ]) as unknown,
    });
  });
});

describe("variables", () => {
  it("let the checkpoint win over the environment, and tell where the assets are", async () => {
    const { request } = await assemble(2);
    const environment = { ...request.environment, env: { FIXTURE_CHECKPOINT: "environment", A: "a" } };
    expect(variables({ ...request, environment })).toEqual({
      A: "a",
      FIXTURE_CHECKPOINT: "two",
      PYTHONDONTWRITEBYTECODE: "1",
      SCBENCH_ASSETS_DIR: ".evaluation_tests/assets",
      SCBENCH_ASSET_WORDS: ".evaluation_tests/assets/words",
    });
  });
});

describe("checkTests", () => {
  it("warns about tests of earlier checkpoints that are missing, and refuses without an asset", async () => {
    const problem = await fixture();
    const [first, second] = problem.checkpoints;
    if (first === undefined || second === undefined) throw new Error("too few checkpoints");
    const renamed = { ...problem, checkpoints: [{ ...first, name: "first" }, second] };
    expect(await checkTests(renamed, second)).toEqual({
      refusal: undefined,
      warnings: ["tests/test_first.py is missing, its tests are not run"],
    });
    const staticAssets = [{ name: "words", source: "/no/such/asset", savePath: "words" }];
    expect((await checkTests({ ...problem, staticAssets }, first)).refusal).toBe(
      "The static asset words is missing: /no/such/asset",
    );
  });
});
