import { lstat, readdir } from "node:fs/promises";
import path from "node:path";
import type { ProductFiles } from "../model/files.js";
import type { Checkpoint, Problem } from "../model/problem.js";
import { snapshotFilter } from "../problem/snapshot-filter.js";
import type { Placement, SandboxRoots } from "../sandbox/sandbox.js";
import type { EvaluationRequest } from "./evaluation.js";
import { TESTS_FOLDER } from "./recorder.js";

const INI = "pytest.ini";
const PLAN = "plan.json";
/** For tests of a pack that names no limit, in seconds: a solution that hangs fails its test. Unknown without pytest-timeout. */
const TIMEOUT = ["timeout = 600", "timeout_method = signal"] as const;

/** Markers that every pack has, with the words for pytest. */
const STANDARD_MARKERS = [
  ["error", "handling of errors and edge cases"],
  ["functionality", "beyond the core"],
  ["regression", "keeps what earlier checkpoints asked for"],
] as const;

/** The test file of a checkpoint. */
export function testFileOf(checkpoint: Pick<Checkpoint, "name">): string {
  return `test_${checkpoint.name}.py`;
}

/** Test files that are run for a checkpoint: its own, and those of earlier checkpoints unless it says otherwise. */
export function wantedTestFiles(problem: Problem, checkpoint: Checkpoint): string[] {
  if (!checkpoint.includePriorTests) return [testFileOf(checkpoint)];
  const index = problem.checkpoints.findIndex(({ name }) => name === checkpoint.name);
  return problem.checkpoints.slice(0, index + 1).map(testFileOf);
}

/** What of a pack's tests folder goes into the sandbox: all but caches and the test files of other checkpoints. */
export function testsFilter(wanted: readonly string[]): (relativePath: string) => boolean {
  return (relativePath) => {
    const [first = "", ...below] = relativePath.replace(/\/$/u, "").split("/");
    if (first === "__pycache__" || below.includes("__pycache__")) return false;
    const isTestFile = below.length === 0 && /^test_.*\.py$/u.test(first);
    return !isTestFile || wanted.includes(first);
  };
}

/**
 * Looks for what must be there before anything is started.
 * @returns why the tests cannot be run, or undefined; and warnings about earlier test files that are missing
 */
export async function checkTests(
  problem: Problem,
  checkpoint: Checkpoint,
): Promise<{ readonly refusal: string | undefined; readonly warnings: readonly string[] }> {
  const folder = path.join(problem.folder, "tests");
  const names = new Set(await readdir(folder).catch(() => []));
  const own = testFileOf(checkpoint);
  if (!names.has(own)) {
    return { refusal: `The pack has no tests for ${checkpoint.name}: tests/${own} is missing`, warnings: [] };
  }
  for (const asset of problem.staticAssets) {
    const there = await lstat(asset.source).catch(() => undefined);
    if (there === undefined) {
      return { refusal: `The static asset ${asset.name} is missing: ${asset.source}`, warnings: [] };
    }
  }
  const missing = wantedTestFiles(problem, checkpoint).filter((name) => !names.has(name));
  return {
    refusal: undefined,
    warnings: missing.map((name) => `tests/${name} is missing, its tests are not run`),
  };
}

/**
 * What lies in the sandbox: the solution as its snapshot keeps it, the hidden tests with the static assets beside
 * them, pytest's configuration in place of the solution's, and the harness. As in SCB, the assets are given to the
 * tests only: a solution finds what the tests hand it.
 */
export function placements(request: EvaluationRequest, entrypoint: string, files: ProductFiles): Placement[] {
  const { problem, checkpoint, environment } = request;
  const isKept = snapshotFilter(environment, problem);
  const ours = new Set([TESTS_FOLDER, INI]);
  const plan = {
    commands: [...environment.setup.commands, ...environment.setup.evalCommands],
    entrypoint,
    pytest: pytestArguments(checkpoint, entrypoint),
  };
  return [
    {
      source: { path: request.snapshot },
      root: "workspace",
      target: ".",
      owner: "solution",
      keep: (relativePath) => !ours.has(relativePath.split("/")[0] ?? "") && isKept(relativePath),
    },
    {
      source: { path: path.join(problem.folder, "tests") },
      root: "workspace",
      target: TESTS_FOLDER,
      owner: "harness",
      keep: testsFilter(wantedTestFiles(problem, checkpoint)),
    },
    ...problem.staticAssets.map((asset): Placement => ({
      source: { path: asset.source },
      root: "workspace",
      target: `${TESTS_FOLDER}/assets/${asset.name}`,
      owner: "harness",
    })),
    { source: { content: iniText(problem) }, root: "workspace", target: INI, owner: "harness" },
    {
      source: { path: files.harness },
      root: "harness",
      target: ".",
      owner: "harness",
      keep: (relativePath) => /^(supervisor\.py|slop_lens_harness(\/[^/]+\.py)?)$/u.test(relativePath),
    },
    { source: { content: JSON.stringify(plan) }, root: "harness", target: PLAN, owner: "harness" },
  ];
}

/** The command of the sandbox: the supervisor, with Python's isolated mode so that nothing of the workspace is loaded. */
export function command(roots: SandboxRoots): string[] {
  const { testPython, harness, solutionUser: user } = roots;
  const ids = user === undefined ? [] : [String(user.uid), String(user.gid)];
  return [testPython, "-I", "-B", `${harness}/supervisor.py`, `${harness}/${PLAN}`, ...ids];
}

/** Variables of the tests and the solution; a checkpoint's own win over the environment's. */
export function variables(request: EvaluationRequest): Record<string, string> {
  const { problem, checkpoint, environment } = request;
  const assets = `${TESTS_FOLDER}/assets`;
  const places = problem.staticAssets.map(({ name }) => [
    `SCBENCH_ASSET_${name.toUpperCase()}`,
    `${assets}/${name}`,
  ]);
  return {
    ...environment.env,
    ...checkpoint.env,
    ...(places.length > 0 ? { SCBENCH_ASSETS_DIR: assets } : {}),
    ...(Object.fromEntries(places) as Record<string, string>),
    PYTHONDONTWRITEBYTECODE: "1",
  };
}

/**
 * pytest's arguments, relative to the workspace. The tests come first: older releases take an entry point with a
 * space in it for a path until they know the option, and would not look for the conftest that declares it.
 */
function pytestArguments(checkpoint: Checkpoint, entrypoint: string): string[] {
  const { timeoutSeconds } = checkpoint;
  return [
    TESTS_FOLDER,
    ...["-c", INI, "--rootdir=.", `--confcutdir=${TESTS_FOLDER}`, "-p", "no:cacheprovider"],
    ...["-vv", "--color=no"],
    ...(timeoutSeconds === undefined ? [] : [`--timeout=${timeoutSeconds}`, "--timeout-method=signal"]),
    `--entrypoint=${entrypoint}`,
    `--checkpoint=${checkpoint.name}`,
  ];
}

function iniText(problem: Problem): string {
  const standard = new Set<string>(STANDARD_MARKERS.map(([name]) => name));
  const custom = problem.markers
    .filter(({ name }) => !standard.has(name))
    .map(({ name, description }) => [name, description.replaceAll(/\s+/gu, " ").trim()] as const);
  const lines = [...STANDARD_MARKERS, ...custom].map(([name, words]) => `    ${name}: ${words}`);
  return ["[pytest]", "testpaths = tests", ...TIMEOUT, "markers =", ...lines, ""].join("\n");
}
