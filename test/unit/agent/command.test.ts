import { access, mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { AgentResult, AgentTurn } from "../../../src/core/agent/agent.js";
import { commandAgent, type CommandAgentOptions } from "../../../src/core/agent/command.js";
import { DEFAULT_LIMITS } from "../../../src/core/model/policy.js";
import { LocalSandbox } from "../../../src/core/sandbox/local/local-sandbox.js";
import type { PreparedImage, Sandbox, SessionRequest } from "../../../src/core/sandbox/sandbox.js";
import { aProblem, anEnvironment, noSandbox } from "../trajectory/samples.js";
import { FIRST_TRY } from "./support.js";

const ROOT = path.resolve(import.meta.dirname, "../../..");
const sandbox = new LocalSandbox({
  harness: path.join(ROOT, "harness"),
  cacheFolder: path.join(ROOT, ".cache/local"),
});
const signal = new AbortController().signal;
const environment = anEnvironment();

function prepareImage(): Promise<PreparedImage> {
  const request = { environment, testDependencies: [], requirementsFrom: undefined };
  return sandbox.prepare(request, () => undefined, signal);
}

// The first use on a machine installs pytest into a virtual environment.
beforeAll(prepareImage, 300_000);

let root: string;
let heard: string;

beforeEach(async () => {
  heard = "";
  root = await mkdtemp(path.join(os.tmpdir(), "slop-lens-command-"));
  await mkdir(path.join(root, "before"));
  await writeFile(path.join(root, "before/shelf.py"), "print('old')\n");
});

afterEach(async () => {
  await rm(root, { recursive: true });
});

function options(part: Partial<CommandAgentOptions> = {}): CommandAgentOptions {
  return { passEnv: [], hostEnv: {}, ...part };
}

async function take(
  command: string,
  settings = options(),
  abort: AbortSignal = signal,
  part: Partial<AgentTurn> = {},
): Promise<AgentResult> {
  const problem = aProblem(path.join(root, "pack"), 1);
  const [checkpoint] = problem.checkpoints;
  if (checkpoint === undefined) throw new Error("the sample has one checkpoint");
  const turn: AgentTurn = {
    problem,
    checkpoint,
    environment,
    sandbox,
    image: prepareImage,
    owner: { run: root, turn: "sample/checkpoint_1" },
    prompt: "Write a shelf.\nMit Ümläuten.\n",
    workspaceBefore: path.join(root, "before"),
    workspaceAfter: path.join(root, "after"),
    keep: (relative) => !relative.endsWith(".pyc"),
    transcriptFolder: path.join(root, "agent"),
    ...FIRST_TRY,
    onOutput: (text) => {
      heard += text;
    },
    ...part,
  };
  return commandAgent(command, settings).takeTurn(turn, abort);
}

function after(file: string): Promise<string> {
  return readFile(path.join(root, "after", file), "utf8");
}

describe.skipIf(process.platform === "win32")("the command agent", () => {
  it("gives the prompt on stdin and in a file outside the workspace, beside the parent's files", async () => {
    const result = await take(
      'cat > stdin.txt; cp "$SLOP_LENS_PROMPT_FILE" file.txt; cp shelf.py seen.py; ls > names.txt; touch x.pyc',
    );
    expect(result).toMatchObject({ status: "done", reason: undefined });
    expect(result.usage.agentSeconds).toBeGreaterThan(0);
    expect(await after("stdin.txt")).toBe("Write a shelf.\nMit Ümläuten.\n");
    expect(await after("file.txt")).toBe("Write a shelf.\nMit Ümläuten.\n");
    expect(await after("seen.py")).toBe("print('old')\n");
    expect(await after("names.txt")).toBe("file.txt\nnames.txt\nseen.py\nshelf.py\nstdin.txt\n");
    await expect(access(path.join(root, "after/x.pyc"))).rejects.toThrow();
    expect(await readFile(path.join(root, "before/shelf.py"), "utf8")).toBe("print('old')\n");
  });

  it("tells problem, checkpoint and entry file, and passes only the variables that are named", async () => {
    const settings = options({ passEnv: ["MY_KEY"], hostEnv: { MY_KEY: "k1", OTHER: "k2" } });
    await take(
      'echo "$SLOP_LENS_PROBLEM $SLOP_LENS_CHECKPOINT $SLOP_LENS_ENTRY_FILE $MY_KEY [$OTHER]" > env.txt',
      settings,
    );
    expect(await after("env.txt")).toBe("sample checkpoint_1 shelf.py k1 []\n");
  });

  it("keeps both streams as transcripts and hands them on live", async () => {
    await take("echo working; echo trouble >&2");
    expect(await readFile(path.join(root, "agent/stdout.txt"), "utf8")).toBe("working\n");
    expect(await readFile(path.join(root, "agent/stderr.txt"), "utf8")).toBe("trouble\n");
    expect(heard).toContain("working\n");
    expect(heard).toContain("trouble\n");
  });

  it("says a variable it passed on nowhere, whatever the command prints", async () => {
    const settings = options({ passEnv: ["MY_KEY"], hostEnv: { MY_KEY: 'sk-"quoted"-123' } });
    const result = await take('echo "key $MY_KEY"; echo "bad key: $MY_KEY" >&2; exit 3', settings);
    expect(result.reason).toBe("The agent ended with exit code 3 (bad key: ***)");
    expect(heard).toContain("key ***\n");
    const files = await Promise.all(
      ["stdout.txt", "stderr.txt"].map((name) => readFile(path.join(root, "agent", name), "utf8")),
    );
    expect(files).toEqual(["key ***\n", "bad key: ***\n"]);
    expect(heard).not.toContain("sk-");
  });

  it("is an agent error when the command fails, and what it wrote is kept", async () => {
    const result = await take("echo half > shelf.py; echo 'no credit left' >&2; exit 3");
    expect(result).toMatchObject({
      status: "error",
      reason: "The agent ended with exit code 3 (no credit left)",
    });
    expect(await after("shelf.py")).toBe("half\n");
  });

  it("tells last words without what would steer a terminal", async () => {
    const result = await take("printf '\\033]0;title\\007\\033[1;31mred\\033[0m alert\\007\\n' >&2; exit 3");
    expect(result.reason).toBe("The agent ended with exit code 3 (red alert)");
  });

  it("says so when the command is not there", async () => {
    const result = await take("surely-not-a-command --help");
    expect(result.status).toBe("error");
    expect(result.reason).toMatch(/^Command not found on this machine \(exit code 127\)/u);
  });

  it("is a timeout when it does not end, and what it wrote is kept", async () => {
    const limits = { ...DEFAULT_LIMITS, seconds: 1 };
    const result = await take("echo half > shelf.py; sleep 60", options(), signal, { limits });
    expect(result.status).toBe("timeout");
    expect(result.reason).toContain("time limit of 1 s");
    expect(await after("shelf.py")).toBe("half\n");
  });

  it("is stopped when it is silent for longer than the turn allows", async () => {
    const limits = { ...DEFAULT_LIMITS, idleSeconds: 1 };
    const result = await take("echo half > shelf.py; sleep 60", options(), signal, { limits });
    expect(result).toMatchObject({ status: "timeout", retryable: false });
    expect(result.reason).toContain("said nothing for 1 s");
    expect(await after("shelf.py")).toBe("half\n");
  });

  it("hands on all of a turn's limits that a sandbox can hold", async () => {
    const asked: SessionRequest[] = [];
    const watched: Sandbox = {
      ...noSandbox,
      open: (request) => {
        asked.push(request);
        return Promise.reject(new Error("nothing is to run"));
      },
    };
    const limits = {
      ...{
        ...DEFAULT_LIMITS,
        seconds: 7,
        memoryBytes: 1e9,
        cpus: 2,
        pids: 50,
        idleSeconds: 3,
        diskBytes: 1e8,
      },
      network: { hosts: ["api.example.com"] },
    };
    await expect(take("true", options(), signal, { limits, sandbox: watched })).rejects.toThrow("nothing");
    expect(asked[0]?.network).toEqual({ hosts: ["api.example.com"] });
    expect(asked[0]?.limits).toEqual({
      ...{ timeoutSeconds: 7, memoryBytes: 1e9, cpus: 2, pids: 50, idleSeconds: 3, diskBytes: 1e8 },
    });
  });

  it("rejects with cancelled on abort", async () => {
    const controller = new AbortController();
    const taking = take("sleep 60", options(), controller.signal);
    setTimeout(() => {
      controller.abort();
    }, 300);
    await expect(taking).rejects.toMatchObject({ code: "cancelled" });
  });

  it("refuses an empty command and variables that are not set, before anything starts", async () => {
    const problem = aProblem(root, 1);
    await expect(commandAgent("  ", options()).check(problem)).rejects.toMatchObject({
      code: "agent-invalid",
    });
    const settings = options({ passEnv: ["MY_KEY", "SET"], hostEnv: { SET: "" } });
    await expect(commandAgent("true", settings).check(problem)).rejects.toMatchObject({
      code: "agent-invalid",
      message: "The agent is to be given MY_KEY, which is not set",
    });
  });
});
