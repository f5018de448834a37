import { execFile, spawn } from "node:child_process";
import { access, mkdir, mkdtemp, readdir, readFile, readlink, rm } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import process from "node:process";
import { promisify } from "node:util";
import Docker from "dockerode";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { openSandbox, trajectoryServices } from "../../src/cli/sandboxes.js";
import type { Agent } from "../../src/core/agent/agent.js";
import { commandAgent } from "../../src/core/agent/command.js";
import { replayAgent } from "../../src/core/agent/replay.js";
import type { Analyzer } from "../../src/core/analysis/analysis.js";
import type { Environment } from "../../src/core/model/environment.js";
import type { Run, RunEvent } from "../../src/core/model/run.js";
import type { Turn } from "../../src/core/model/turn.js";
import { DEFAULT_LIMITS, DEFAULT_POLICY, type TurnLimits } from "../../src/core/model/policy.js";
import { parseEnvironment } from "../../src/core/problem/environment-file.js";
import { readPack } from "../../src/core/problem/pack.js";
import type { Sandbox } from "../../src/core/sandbox/sandbox.js";
import { readRun } from "../../src/core/store/read-run.js";
import { runTrajectory } from "../../src/core/trajectory/loop.js";
import { installation, lay, wordPack } from "../unit/cli/support.js";
import { IMAGE } from "../support/image.js";

const ROOT = path.resolve(import.meta.dirname, "../..");
const never = new AbortController().signal;
const docker = new Docker();

function environmentOf(image: string): Environment {
  const text = `type: docker
name: test
docker: { image: "${image}" }
commands: { entry_file: "{entry_file}.py", command: python }
`;
  return parseEnvironment(text, "test.yaml");
}

const environment = environmentOf(IMAGE);

let sandbox: Sandbox;
let analyzer: Analyzer;
let root: string;
let events: RunEvent[];

beforeAll(async () => {
  sandbox = await openSandbox(installation, environment, never);
  analyzer = installation.createAnalyzer();
});

afterAll(async () => {
  await analyzer[Symbol.asyncDispose]();
});

beforeEach(async () => {
  events = [];
  root = await mkdtemp(path.join(os.tmpdir(), "slop-lens-docker-"));
  await lay(root, wordPack("words"));
});

afterEach(async () => {
  await rm(root, { recursive: true });
});

interface Wish {
  readonly agent: Agent;
  readonly limits?: Partial<TurnLimits>;
  readonly environment?: Environment;
  readonly runs?: string;
  readonly signal?: AbortSignal;
  readonly hear?: (event: RunEvent) => void;
}

async function take(wish: Wish): Promise<Run> {
  const { problem } = await readPack(path.join(root, "words"));
  if (problem === undefined) throw new Error("the pack of words does not read");
  return runTrajectory(
    {
      problem,
      agent: wish.agent,
      environment: wish.environment ?? environment,
      prompt: { name: "plain", source: "{{ spec }}" },
      runsFolder: wish.runs ?? path.join(root, "runs"),
      policy: { ...DEFAULT_POLICY, limits: { ...DEFAULT_LIMITS, ...wish.limits } },
      analysis: installation.analysis,
      checkpoints: undefined,
    },
    trajectoryServices(installation, sandbox, analyzer),
    (event) => {
      events.push(event);
      wish.hear?.(event);
    },
    wish.signal ?? never,
  );
}

function agent(command: string): Agent {
  return commandAgent(command, { passEnv: [], hostEnv: {} });
}

function turnsOf(run: Run | undefined): readonly Turn[] {
  return run?.problems[0]?.turns ?? [];
}

function verdicts(run: Run | undefined): (string | undefined)[] {
  return turnsOf(run).map(({ verdict }) => verdict);
}

function snapshotFile(run: Run, checkpoint: number, file: string): Promise<string> {
  return readFile(path.join(run.folder, `words/checkpoint_${checkpoint}/snapshot`, file), "utf8");
}

/** Containers that carry the label of a run below this test's folder. */
async function containersOfTest(): Promise<string[]> {
  const all = await docker.listContainers({ all: true, filters: { label: ["slop-lens.kind=session"] } });
  return all.filter(({ Labels }) => Labels["slop-lens.run"]?.startsWith(root) === true).map(({ Id }) => Id);
}

describe("a replay in containers", () => {
  it("gives each checkpoint its outcomes, measures and record", async () => {
    const run = await take({ agent: replayAgent({ kind: "solutions" }) });
    expect(run).toMatchObject({ state: "finished", isolation: "docker" });
    expect(verdicts(run)).toEqual(["passed", "failed"]);
    const [, second] = turnsOf(run);
    expect(second?.counts).toMatchObject({ Core: { failed: 1 }, Regression: { passed: 1 } });
    expect(second?.quality?.totals).toMatchObject({ totalLoc: 1, filesScanned: 1 });
    expect(second?.outcomes.find(({ id }) => id === "test_word_2")?.message).toContain("word2");
    expect(turnsOf(await readRun(run.folder)).map(({ counts }) => counts)).toEqual(
      turnsOf(run).map(({ counts }) => counts),
    );
    expect(await containersOfTest()).toEqual([]);
  });

  it("of an earlier run gives the same outcomes and snapshots", async () => {
    const first = await take({ agent: replayAgent({ kind: "solutions" }) });
    const second = await take({ agent: replayAgent({ kind: "folder", folder: first.folder }) });
    const essence = (run: Run): unknown =>
      turnsOf(run).map(({ snapshotHash, verdict, counts }) => ({ snapshotHash, verdict, counts }));
    expect(essence(second)).toEqual(essence(first));
    expect(turnsOf(second)[0]?.origin).toBe("replay");
  });
});

describe("a command agent in containers", () => {
  it("writes a solution as non-root, from the prompt, over the snapshot before, and never sees the tests", async () => {
    const command = [
      "id -u > uid.txt",
      "cat > prompt-$SLOP_LENS_CHECKPOINT.txt",
      `word=$(grep -o 'word[0-9]' "$SLOP_LENS_PROMPT_FILE")`,
      `echo "print('$word')" >> "$SLOP_LENS_ENTRY_FILE"`,
      "find / -name 'test_checkpoint*' 2>/dev/null > tests.txt; true",
      "mkdir -p deep/er && ln -sf /etc/passwd deep/er/link",
      "echo done here",
    ].join("\n");
    const run = await take({ agent: agent(command) });
    expect(verdicts(run)).toEqual(["passed", "passed"]);
    expect(await snapshotFile(run, 1, "uid.txt")).toBe("1000\n");
    expect(await snapshotFile(run, 1, "tests.txt")).toBe("");
    expect(await snapshotFile(run, 1, "prompt-checkpoint_1.txt")).toBe("Print word1 from words.py.\n");
    expect(await snapshotFile(run, 2, "prompt-checkpoint_1.txt")).toBe("Print word1 from words.py.\n");
    expect(await snapshotFile(run, 2, "words.py")).toBe("print('word1')\nprint('word2')\n");
    expect(await readlink(path.join(run.folder, "words/checkpoint_2/snapshot/deep/er/link"))).toBe(
      "/etc/passwd",
    );
    const transcript = path.join(run.folder, "words/checkpoint_1/agent/stdout.txt");
    expect(await readFile(transcript, "utf8")).toBe("done here\n");
    expect(await containersOfTest()).toEqual([]);
  });

  it("tells a command that is not there, a failure and a timeout apart, and keeps what was written", async () => {
    const gone = await take({ agent: agent("echo half > words.py; surely-not-a-command") });
    expect(verdicts(gone)).toEqual(["agent-error", "not-reached"]);
    expect(turnsOf(gone)[0]?.reason).toMatch(
      /^Command not found in the image \(exit code 127\): the agent must be inside the image/u,
    );
    const failed = await take({ agent: agent("echo half > words.py; echo 'no credit' >&2; exit 9") });
    expect(turnsOf(failed)[0]).toMatchObject({
      verdict: "agent-error",
      reason: "The agent ended with exit code 9 (no credit)",
    });
    const late = await take({ agent: agent("echo half > words.py; sleep 600"), limits: { seconds: 1 } });
    expect(verdicts(late)).toEqual(["agent-timeout", "not-reached"]);
    for (const run of [gone, failed, late]) {
      expect(await snapshotFile(run, 1, "words.py")).toBe("half\n");
      expect(turnsOf(run)[0]?.outcomes.map(({ status }) => status)).toEqual(["failed"]);
    }
    expect(await containersOfTest()).toEqual([]);
  });
});

describe("an image that cannot be had", () => {
  it("is told before a run folder is made", async () => {
    const missing = environmentOf("slop-lens-test/nowhere:never");
    await expect(take({ agent: agent("true"), environment: missing })).rejects.toMatchObject({
      code: "image-unavailable",
    });
    await expect(readdir(path.join(root, "runs"))).rejects.toThrow();
  });
});

describe("cancel", () => {
  it.each([
    ["the agent works", "log", agent("echo at work; sleep 600"), "not-reached"],
    // What the agent made is kept, for a resumed run to evaluate.
    ["the tests run", "test", agent(`echo "import time; time.sleep(600)" > words.py`), "infrastructure"],
  ])("while %s ends within two seconds, without a container left", async (_when, what, slow, verdict) => {
    const controller = new AbortController();
    let abortedAt = 0;
    const run = await take({
      agent: slow,
      signal: controller.signal,
      hear: (event) => {
        const isAtWork = event.type === "log" && event.message === "at work";
        const isTesting = event.type === "turn-progress" && event.progress.running !== undefined;
        if (controller.signal.aborted || !(what === "log" ? isAtWork : isTesting)) return;
        abortedAt = performance.now();
        controller.abort();
      },
    });
    expect(performance.now() - abortedAt).toBeLessThan(2000);
    expect(run.state).toBe("cancelled");
    expect(await containersOfTest()).toEqual([]);
    const read = await readRun(run.folder);
    expect(read.state).toBe("cancelled");
    expect(verdicts(read)).toEqual([verdict, "not-reached"]);
    expect(read.faults).toEqual([]);
  });
});

describe("a killed runner", () => {
  it("leaves a folder that reads up to the last finished step, and an orphan that the next start removes", async () => {
    const command = `echo "print('word1')" > words.py; test $SLOP_LENS_CHECKPOINT = checkpoint_1 || { echo second; sleep 600; }`;
    const args = ["run", "words", "--image", IMAGE, "--agent", "command", "--command", command, "--verbose"];
    const child = spawn(process.execPath, [path.join(ROOT, "dist/cli.js"), ...args], { cwd: root });
    await new Promise<void>((resolve, reject) => {
      child.stderr.on("data", (chunk: Buffer) => {
        if (chunk.toString().includes("second")) resolve();
      });
      child.on("exit", (code) => {
        reject(new Error(`ended with ${code ?? "a signal"} before it could be killed`));
      });
    });
    const [orphan] = await containersOfTest();
    expect(orphan).toBeDefined();
    const exited = new Promise((resolve) => child.once("exit", resolve));
    child.removeAllListeners("exit");
    child.once("exit", () => undefined);
    child.kill("SIGKILL");
    await Promise.race([exited, new Promise((resolve) => child.once("close", resolve))]);

    const [name = ""] = await readdir(path.join(root, "runs"));
    const run = await readRun(path.join(root, "runs", name));
    expect(run.state).toBe("interrupted");
    expect(verdicts(run)).toEqual(["passed", "infrastructure"]);
    expect(turnsOf(run)[1]?.reason).toBe("The run ended before the agent was done");
    expect(run.faults).toEqual([]);
    await openSandbox(installation, environment, never);
    expect(await containersOfTest()).toEqual([]);
  });
});

it("stops an agent that writes more than it may, judges what it had written, and ends the run", async () => {
  const fill = "mkdir fill; for i in $(seq 100); do head -c 4000000 /dev/zero > fill/$i; done; sleep 300";
  const command = `echo "print('word1')" > words.py; ${fill}`;
  const run = await take({ agent: agent(command), limits: { diskBytes: 40_000_000, retries: 0 } });
  expect([run.state, ...verdicts(run)]).toEqual(["finished", "agent-error", "not-reached"]);
  const [stopped] = turnsOf(run);
  expect(stopped?.reason).toBe("The agent wrote more than it may and was stopped");
  expect(stopped?.counts.Core).toEqual({ passed: 1, failed: 0, skipped: 0 });
  expect(await snapshotFile(run, 1, "words.py")).toContain("word1");
  expect(await containersOfTest()).toEqual([]);
});

const canMount = process.platform === "linux" && process.getuid?.() === 0;

describe.skipIf(!canMount)("a full disk", () => {
  const run = promisify(execFile);
  let small: string;

  beforeEach(async () => {
    small = path.join(root, "small");
    await mkdir(small);
    await run("mount", ["-t", "tmpfs", "-o", "size=2m", "slop-lens-test", small]);
  });

  afterEach(async () => {
    await run("umount", [small]);
  });

  it("is told as such, loses no finished turn, and leaves a folder that reads", async () => {
    const command = `echo "print('word1')" > words.py; test $SLOP_LENS_CHECKPOINT = checkpoint_1 || head -c 4000000 /dev/urandom > big`;
    await expect(take({ agent: agent(command), runs: small })).rejects.toMatchObject({ code: "disk-full" });
    const told = events.flatMap((event) => (event.type === "run-finished" ? [event.run] : []));
    expect(told).toHaveLength(1);
    expect(verdicts(told[0])).toEqual(["passed", "infrastructure"]);
    const read = await readRun(told[0]?.folder ?? "");
    expect(verdicts(read)).toEqual(["passed", "infrastructure"]);
    expect(turnsOf(read)[1]?.reason).toMatch(/disk is full/u);
    await access(path.join(read.folder, "words/checkpoint_1/snapshot/words.py"));
    expect(await containersOfTest()).toEqual([]);
  });

  it("of the engine, filled by an agent, spoils no verdict: it is told as such, and what was written is kept", async () => {
    const command = `echo "print('word1')" > words.py; test $SLOP_LENS_CHECKPOINT = checkpoint_1 || head -c 4000000 /dev/zero > big`;
    const place = environment.docker;
    if (place === undefined) throw new Error("not in Docker");
    // What agents and tests write lies on the small disk; run folders do not.
    const full = { ...environment, docker: { ...place, extraMounts: { [small]: "/workspace" } } };
    const wish = { agent: agent(command), environment: full, limits: { retries: 0 } };
    await expect(take(wish)).rejects.toMatchObject({ code: "disk-full" });
    const told = events.flatMap((event) => (event.type === "run-finished" ? [event.run] : []));
    const read = await readRun(told[0]?.folder ?? "");
    expect([read.state, ...verdicts(read)]).toEqual(["finished", "passed", "infrastructure"]);
    expect(turnsOf(read)[1]?.reason).toMatch(/disk of the Docker engine is full/u);
    expect(await snapshotFile(read, 2, "words.py")).toContain("word1");
    expect(await containersOfTest()).toEqual([]);
  });
});
