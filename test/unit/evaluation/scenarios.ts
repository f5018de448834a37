import path from "node:path";
import { describe, expect, it } from "vitest";
import type { Environment } from "../../../src/core/model/environment.js";
import { parseEnvironment } from "../../../src/core/problem/environment-file.js";
import type { Sandbox } from "../../../src/core/sandbox/sandbox.js";
import { PACKS, tryCheckpoint, type Trial } from "./support.js";

/** A solution that is good enough where the tests themselves break. */
const TOOL = path.join(PACKS, "every_outcome/solutions/checkpoint_1");

/** The environment of the fixture packs, with what a sandbox needs besides. */
export function fixtureEnvironment(more: string): Environment {
  const text = `
name: fixtures
environment: { env: { FIXTURE_ENVIRONMENT: "yes" } }
setup:
  commands: ["echo setup speaks; export FIXTURE_SETUP=done"]
  eval_commands: ["true"]
commands: { command: python, entry_file: "{entry_file}.py" }
${more}`;
  return parseEnvironment(text, "fixtures.yaml");
}

/** What holds in every sandbox. */
export function describeEvaluation(sandbox: Sandbox, environment: Environment): void {
  const attempt = (pack: string, checkpoint: string, solution?: string): Promise<Trial> =>
    tryCheckpoint(sandbox, environment, pack, checkpoint, solution === undefined ? {} : { solution });
  /** The one test of a checkpoint of its own, in an environment that differs in a part. */
  const attemptIn = (part: Partial<Environment>): Promise<Trial> =>
    tryCheckpoint(sandbox, { ...environment, ...part }, "every_outcome", "checkpoint_3");
  const setupOf = (...evalCommands: readonly string[]): Pick<Environment, "setup"> => ({
    setup: { ...environment.setup, evalCommands },
  });

  describe("outcomes", () => {
    it("are those of pytest, one a test, in its groups", async () => {
      const { evaluation, statuses, diary, outcomeOf } = await attempt("every_outcome", "checkpoint_1");
      expect(evaluation.reason).toBeUndefined();
      expect(evaluation.valid).toBe(true);
      expect(statuses).toEqual({
        test_entry_point: "passed",
        test_helpers_and_data: "passed",
        test_surroundings: "passed",
        test_signals_and_stdin: "passed",
        "test_fails[two words]": "failed",
        "test_fails[gr\\xf6\\xdfe]": "failed",
        "test_fails[a::b[c]]": "failed",
        test_error_path: "passed",
        test_custom_marker: "passed",
        test_setup_error: "error",
        test_teardown_error: "error",
        test_skipped: "skipped",
        test_xfails: "skipped",
        test_xpasses: "passed",
        test_strict_xpass: "failed",
        test_hangs: "failed",
        test_hanging_solution: "failed",
        test_forgets_to_end_its_fork: "passed",
        test_leaves_orphans: "passed",
        test_long_message: "failed",
      });
      expect(evaluation.counts).toEqual({
        Core: { passed: 7, failed: 6, skipped: 2 },
        Functionality: { passed: 1, failed: 3, skipped: 0 },
        Error: { passed: 1, failed: 0, skipped: 0 },
        Regression: { passed: 0, failed: 0, skipped: 0 },
      });
      expect(evaluation).toMatchObject({ pytestExitCode: 1, collected: 20, entrypoint: "python tool.py" });
      expect(outcomeOf("test_custom_marker")).toMatchObject({
        group: "Functionality",
        checkpoint: "checkpoint_1",
        file: "test_checkpoint_1.py",
      });
      expect(outcomeOf("test_fails[two words]").message).toContain("AssertionError: the lists differ");
      expect(outcomeOf("test_fails[two words]").message).toContain("At index 3 diff: 3 != 4");
      expect(outcomeOf("test_hangs").message).toContain("Timeout");
      expect(outcomeOf("test_setup_error").message).toContain("no fixture today");
      expect(outcomeOf("test_long_message").message?.length).toBeLessThanOrEqual(8000);
      expect(outcomeOf("test_hangs").durationMs).toBeGreaterThan(900);
      expect(diary.lines.filter((line) => line.startsWith("started"))).toHaveLength(20);
      const first = diary.lines.indexOf("collected 20");
      expect(diary.lines.slice(first, first + 3)).toEqual([
        "collected 20",
        "started test_entry_point",
        "passed test_entry_point",
      ]);
      expect(evaluation.stdout).toContain("test_checkpoint_1.py::test_entry_point PASSED");
      expect(evaluation.stdout).not.toContain("setup speaks");
      expect(evaluation.stderr).not.toContain("\x1e");
    });

    it("of earlier checkpoints are regressions", async () => {
      const { evaluation, outcomeOf } = await attempt("every_outcome", "checkpoint_2");
      expect(evaluation.valid).toBe(true);
      expect(outcomeOf("test_environment_of_the_checkpoint")).toMatchObject({
        group: "Functionality",
        status: "passed",
      });
      expect(outcomeOf("test_marked_regression").group).toBe("Regression");
      expect(outcomeOf("test_error_path")).toMatchObject({ group: "Regression", checkpoint: "checkpoint_1" });
      expect(evaluation.counts.Regression.passed + evaluation.counts.Regression.failed).toBe(19);
    });

    it("leave earlier checkpoints out when a checkpoint says so", async () => {
      const { statuses } = await attempt("every_outcome", "checkpoint_3");
      expect(statuses).toEqual({ test_alone: "passed" });
    });
  });

  describe("a run that breaks is not scored", () => {
    it.each([
      [
        "collection",
        /^The tests cannot be collected: .*test_collection\.py: ModuleNotFoundError: No module/u,
      ],
      ["os_exit", /exit code 0 before pytest was done, while test_os_exit\.py::test_leaves was running$/u],
      ["pytest_exit", /^pytest was ended before its time: .*enough of this/u],
      ["killed", /^pytest was killed by signal 9, while test_killed\.py::test_dies was running$/u],
      ["empty", /^pytest collected no tests$/u],
      ["skipped_module", /^pytest collected no tests: .*test_skipped_module\.py: .*needs that module/u],
      ["absent", /^The pack has no tests for absent: tests\/test_absent\.py is missing$/u],
      ["interrupt", /^pytest was ended before its time: KeyboardInterrupt/u],
      ["plugin_fails", /^pytest had an internal error: .*a plugin that breaks/u],
    ])("%s", async (checkpoint, reason) => {
      const { evaluation } = await attempt("broken_tests", checkpoint, TOOL);
      expect(evaluation.reason).toMatch(reason);
      expect(evaluation.valid).toBe(false);
    });

    it("when the entry command is not there", async () => {
      const commands = { ...environment.commands, command: "no-such-runner run" };
      const { evaluation } = await attemptIn({ commands });
      expect(evaluation.reason).toContain("the entry command `no-such-runner` is not on PATH");
      expect(evaluation.valid).toBe(false);
    });

    it("when pytest refuses its arguments", async () => {
      const env = { ...environment.env, PYTEST_ADDOPTS: "--no-such-option" };
      const { evaluation } = await attemptIn({ env });
      expect(evaluation.reason).toMatch(
        /^pytest refused to start: [^]*unrecognized arguments: --no-such-option/u,
      );
    });
  });

  it("lets tests and solution work on each other's files, as under one user", async () => {
    const { statuses, outcomeOf } = await attempt("shared_files", "checkpoint_1");
    expect(Object.keys(statuses)).toHaveLength(15);
    for (const id of Object.keys(statuses)) expect(outcomeOf(id)).toMatchObject({ id, status: "passed" });
  });

  it("warns when the setup fails, and runs the tests all the same", async () => {
    const { evaluation } = await attemptIn(setupOf("echo no luck >&2; false"));
    expect(evaluation.valid).toBe(true);
    expect(evaluation.warnings).toContain("The environment's setup ended with exit code 1: no luck");
  });

  it.each(["garbage", "[1]", '{"A":1}', '{"A=B":"c"}', '{"A":"\\ud800"}', "[".repeat(100_000)])(
    "keeps its environment when the setup exports what is none: %#",
    async (dump) => {
      const write =
        "import os, sys; [os.write(n, eval(sys.argv[1])) for n in range(3, 64) if os.path.exists(f'/dev/fd/{n}')]";
      const bytes = dump.startsWith("[[") ? `b'[' * ${dump.length}` : `rb'${dump}'`;
      const dumping = `python3 -c "${write}" "${bytes.replaceAll('"', '\\"')}"`;
      const { evaluation, statuses } = await attemptIn(setupOf(dumping, "exit 0"));
      expect(evaluation.reason).toBeUndefined();
      expect(statuses).toEqual({ test_alone: "passed" });
      expect(evaluation.warnings).toContain(
        "What the environment's setup exports could not be read; the tests ran without it",
      );
    },
  );

  it.each([
    "PYTEST_ADDOPTS='-k nothing'",
    "PYTEST_PLUGINS=nowhere",
    "SCBENCH_ASSETS_DIR=/",
    "OPENSSL_CONF=mine",
  ])("lets no setup choose the tests, or what they load: %s", async (assignment) => {
    const { evaluation, statuses } = await attemptIn(setupOf(`export ${assignment}`));
    expect(evaluation.reason).toBeUndefined();
    expect(statuses).toEqual({ test_alone: "passed" });
    const [name = ""] = assignment.split("=");
    expect(evaluation.warnings.join()).toContain(`did not reach the tests: ${name}.`);
  });

  describe("of the variables of the setup", () => {
    const forge = "python3 forge.py; echo never said";
    const attempt = (evalCommands: readonly string[]): Promise<Trial> =>
      tryCheckpoint(
        sandbox,
        { ...environment, setup: { ...environment.setup, commands: [], evalCommands } },
        "variables",
        "checkpoint_1",
      );

    it("takes those that its commands name", async () => {
      const { statuses, evaluation } = await attempt([
        "export FIRST=one SECOND='two words'; THIRD=3",
        "export THIRD",
        'export PATH="$PWD/tools:$PATH"; unset FIXTURE_ENVIRONMENT',
      ]);
      expect(evaluation.warnings.join()).not.toContain("did not reach");
      expect(statuses).toMatchObject({ test_named: "passed", test_nothing_forged: "passed" });
    });

    it("leaves those that a script sets on its own, and says so", async () => {
      const { statuses, evaluation } = await attempt([". ./activate"]);
      expect(statuses).toMatchObject({ test_nothing_forged: "passed" });
      expect(evaluation.warnings.join()).toContain("did not reach the tests: ACTIVATED, PATH.");
      const named = await attempt([". ./activate", "export PATH ACTIVATED"]);
      expect(named.statuses).toMatchObject({ test_activated: "passed" });
      expect(named.evaluation.warnings.join()).not.toContain("did not reach");
    });

    it("takes nothing else from a program of the solution that writes them in the setup's place", async () => {
      const { statuses, evaluation } = await attempt(["export FIRST=one", forge]);
      expect(evaluation.reason).toBeUndefined();
      expect(statuses).toMatchObject({ test_nothing_forged: "passed", test_forger_was_there: "passed" });
      expect(evaluation.warnings.join()).toContain(
        "did not reach the tests: BASH_ENV, DJANGO_SETTINGS_MODULE,",
      );
    });
  });

  it("stops when it is cancelled", async () => {
    const controller = new AbortController();
    const running = tryCheckpoint(sandbox, environment, "every_outcome", "checkpoint_1", {
      signal: controller.signal,
      whenStarted: () => {
        controller.abort();
      },
    });
    await expect(running).rejects.toMatchObject({ code: "cancelled" });
  });
}
