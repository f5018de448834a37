import { lstatSync, mkdirSync, readFileSync, readdirSync, symlinkSync, writeFileSync } from "node:fs";
import path from "node:path";

import { afterEach, beforeAll, describe, expect, it } from "vitest";

import { pause } from "../../src/core/sandbox/deadline.js";
import type { PreparedImage, SandboxSession, SessionRequest } from "../../src/core/sandbox/sandbox.js";
import { converse, gather, NEVER, sessionRequest, temporaryFolder } from "../unit/sandbox/support.js";
import { dockerEnvironment, newSandbox, ownContainers } from "./sandbox-support.js";

const sandbox = newSandbox();
const plain = dockerEnvironment();
const noLimits = { timeoutSeconds: undefined, memoryBytes: undefined, cpus: undefined, pids: undefined };
let image: PreparedImage;

beforeAll(async () => {
  const request = { environment: plain, testDependencies: [], requirementsFrom: undefined };
  image = await sandbox.prepare(request, () => undefined, NEVER);
});

afterEach(async () => {
  expect(await ownContainers()).toEqual([]);
});

function open(
  command: readonly string[] | SessionRequest["command"],
  fields: Partial<SessionRequest> = {},
): Promise<SandboxSession> {
  const start = typeof command === "function" ? command : () => command;
  return sandbox.open(sessionRequest({ image, environment: plain, command: start, ...fields }), NEVER);
}

const shell = (script: string): string[] => ["sh", "-c", script];

describe("a command", () => {
  it("has its streams apart, its input, its exit code, its place and its user", async () => {
    await using session = await open(shell("pwd; id -u; cat; echo oops >&2; exit 3"));
    const result = await gather(session, { stdin: "hello\n" });
    expect(result).toMatchObject({
      exitCode: 3,
      stdout: "/workspace\n1000\nhello\n",
      stderr: "oops\n",
      timedOut: false,
      outOfMemory: false,
    });
  });

  it("reads an end of file when it is given no input", async () => {
    await using session = await open(["cat"]);
    expect(await gather(session)).toMatchObject({ exitCode: 0, stdout: "" });
  });

  it("can be talked to while it runs, and ends with its input", async () => {
    await using session = await open(shell('while read -r word; do echo "heard $word"; done; exit 5'));
    expect(await converse(session, ["one", "two"])).toEqual(["heard one\n", "heard two\n", "exit code 5"]);
  });

  it("may end before its input is read", async () => {
    await using session = await open(["true"]);
    expect((await gather(session, { stdin: "x".repeat(5_000_000) })).exitCode).toBe(0);
  });

  it("has its variables, a home to write to, and the solution's `python` first", async () => {
    await using session = await open(
      shell('echo "$OWN $LANG"; touch "$HOME/x"; command -v python; git --version >/dev/null; env'),
      { env: () => ({ OWN: "1" }) },
    );
    const { stdout, exitCode } = await gather(session);
    const [first, python, ...variables] = stdout.trim().split("\n");
    expect([first, python, exitCode]).toEqual(["1 C.UTF-8", "/opt/slop-lens/solution/bin/python", 0]);
    expect(variables.find((line) => line.startsWith("PATH="))).toMatch(
      /^PATH=\/opt\/slop-lens\/solution\/bin:/u,
    );
  });

  it("has pytest in its own interpreter and none in the solution's", async () => {
    const script = "import importlib.util as u; print(u.find_spec('pytest') is not None)";
    await using tests = await open((roots) => [roots.testPython, "-c", script]);
    await using solution = await open(["python", "-c", script]);
    expect((await gather(tests)).stdout).toBe("True\n");
    expect((await gather(solution)).stdout).toBe("False\n");
  });

  it("is killed when it takes too long", async () => {
    await using session = await open(shell("sleep 300 & sleep 300"), {
      limits: { ...noLimits, timeoutSeconds: 1 },
    });
    expect(await gather(session)).toMatchObject({ timedOut: true, exitCode: 137 });
  });

  it("says 128 + n when it was ended by signal n", async () => {
    // As PID 1 it ignores most signals, but not its own faults.
    await using session = await open(["python", "-c", "import ctypes; ctypes.string_at(0)"]);
    expect((await gather(session)).exitCode).toBe(139);
  });

  it("may close its output and go on", async () => {
    await using session = await open(shell("exec >&- 2>&-; sleep 1; exit 7"));
    expect((await gather(session)).exitCode).toBe(7);
  });

  it("is dead within two seconds of an abort", async () => {
    const controller = new AbortController();
    await using session = await open(["sleep", "300"]);
    const ending = expect(gather(session, { signal: controller.signal })).rejects.toMatchObject({
      code: "cancelled",
    });
    await pause(700);
    const aborted = performance.now();
    controller.abort();
    await ending;
    expect(performance.now() - aborted).toBeLessThan(2000);
  });

  it("does not outlive an abort that comes while it is being started", async () => {
    const controller = new AbortController();
    await using session = await open(["sleep", "300"]);
    const ending = expect(gather(session, { signal: controller.signal })).rejects.toMatchObject({
      code: "cancelled",
    });
    await pause(20);
    controller.abort();
    await ending;
  });

  it("ends as cancelled when the session is disposed of meanwhile", async () => {
    const session = await open(["sleep", "300"]);
    const ending = expect(gather(session)).rejects.toMatchObject({ code: "cancelled" });
    await pause(300);
    await session[Symbol.asyncDispose]();
    await session[Symbol.asyncDispose]();
    await ending;
  });

  it("is named when it cannot be started", async () => {
    await using session = await open(["no-such-command"]);
    await expect(gather(session)).rejects.toMatchObject({ code: "bad-input" });
  });

  it("may print more than fits in memory", async () => {
    await using session = await open(shell("head -c 200000000 /dev/zero; echo end >&2"));
    const before = process.memoryUsage().rss;
    let [bytes, most, errors] = [0, 0, ""];
    await session.run(
      {
        stdin: undefined,
        onStdout: (chunk) => {
          bytes += chunk.length;
          most = Math.max(most, process.memoryUsage.rss() - before);
        },
        onStderr: (chunk) => (errors += Buffer.from(chunk).toString()),
      },
      NEVER,
    );
    expect([bytes, errors]).toEqual([200_000_000, "end\n"]);
    expect(most).toBeLessThan(150_000_000);
  });
});

describe("limits", () => {
  it("tell when a process was killed for want of memory", async () => {
    await using session = await open(["python", "-c", "x = bytearray(200_000_000)"], {
      limits: { ...noLimits, memoryBytes: 50_000_000 },
    });
    expect(await gather(session)).toMatchObject({ outOfMemory: true, exitCode: 137 });
  });

  it("hold the number of processes", async () => {
    const script = "for i in 1 2 3 4 5 6 7 8 9 10; do sleep 5 & done; true";
    await using session = await open(shell(script), { limits: { ...noLimits, pids: 5 } });
    expect((await gather(session)).stderr).toMatch(/fork/u);
  });

  it("leave no capability and no network to an evaluation", async () => {
    await using session = await open(
      shell("grep CapEff /proc/self/status; grep NoNewPrivs /proc/self/status; ls /sys/class/net"),
    );
    const { stdout } = await gather(session);
    expect(stdout.split(/\s+/u)).toEqual(["CapEff:", "0000000000000000", "NoNewPrivs:", "1", "lo", ""]);
  });

  it("leave the network to an agent, and its workspace to Git", async () => {
    await using session = await open(
      shell("ls /sys/class/net; git init -q . && git status --short && echo ok"),
      {
        purpose: "agent",
      },
    );
    const { stdout } = await gather(session);
    expect(stdout).toContain("eth0");
    expect(stdout).toContain("ok");
  });
});

describe("files", () => {
  it("of ours can be read and neither changed nor deleted; the solution's can", async () => {
    using solution = temporaryFolder();
    writeFileSync(path.join(solution.path, "main.py"), "print(1)\n");
    symlinkSync("/etc", path.join(solution.path, ".evaluation_tests"));
    const script = [
      "cat .evaluation_tests/test_main.py",
      "rm -rf .evaluation_tests/test_main.py .evaluation_tests pytest.ini",
      "mv .evaluation_tests elsewhere",
      "echo x >> .evaluation_tests/test_main.py",
      "echo x > .evaluation_tests/conftest.py",
      "echo x > /opt/slop-lens/harness/run.py",
      "echo x > /opt/slop-lens/tests/bin/python",
      "rm main.py && echo deleted && touch new",
      "cat .evaluation_tests/test_main.py pytest.ini /opt/slop-lens/harness/run.py; ls -A",
    ].join("; ");
    await using session = await open(shell(script), {
      placements: [
        { source: { path: solution.path }, root: "workspace", target: ".", owner: "solution" },
        {
          source: { content: "T\n" },
          root: "workspace",
          target: ".evaluation_tests/test_main.py",
          owner: "harness",
        },
        { source: { content: "I\n" }, root: "workspace", target: "pytest.ini", owner: "harness" },
        { source: { content: "R\n" }, root: "harness", target: "run.py", owner: "harness" },
      ],
    });
    const { stdout } = await gather(session);
    expect(stdout.split("\n")).toEqual([
      "T",
      "deleted",
      "T",
      "I",
      "R",
      ".evaluation_tests",
      "new",
      "pytest.ini",
      "",
    ]);
  });

  it("come back as they were left, with links, hard links and odd names, without pipes", async () => {
    using solution = temporaryFolder();
    mkdirSync(path.join(solution.path, "sub"));
    writeFileSync(path.join(solution.path, "sub", "a.txt"), "a");
    const script = [
      "chmod 700 sub/a.txt",
      "ln sub/a.txt sub/hard",
      "ln sub/a.txt junk.pyc",
      "ln -s /etc/passwd link",
      "mkfifo pipe",
      "mkdir -p empty __pycache__",
      "touch __pycache__/x.pyc",
      "printf x > \"$(printf 'bad\\377name')\"",
      "printf y > \"$(printf 'new\\nline')\"",
    ].join("; ");
    await using session = await open(shell(script), {
      placements: [{ source: { path: solution.path }, root: "workspace", target: ".", owner: "solution" }],
    });
    await gather(session);
    using target = temporaryFolder();
    const out = path.join(target.path, "out");
    const leftOut = await session.collect(out, (name) => !name.endsWith(".pyc"), NEVER);
    expect(leftOut.sort()).toEqual(["bad\uFFFDname", "pipe"]);
    expect(readdirSync(out).sort()).toEqual(["empty", "link", "new\nline", "sub"]);
    expect(readFileSync(path.join(out, "sub", "hard"), "utf8")).toBe("a");
    expect(lstatSync(path.join(out, "sub", "a.txt")).mode & 0o777).toBe(0o700);
    expect(lstatSync(path.join(out, "link")).isSymbolicLink()).toBe(true);
  });

  it("may be many", async () => {
    await using session = await open(["python", "-c", "for i in range(5000): open(f'{i}', 'w').close()"]);
    await gather(session);
    using target = temporaryFolder();
    await session.collect(path.join(target.path, "out"), (name) => name.endsWith("7"), NEVER);
    expect(readdirSync(path.join(target.path, "out"))).toHaveLength(500);
  });

  it("that cannot be read stop the session before it begins", async () => {
    const missing = {
      source: { path: "/nowhere" },
      root: "workspace",
      target: ".",
      owner: "solution",
    } as const;
    await expect(open(["true"], { placements: [missing] })).rejects.toMatchObject({ code: "bad-input" });
  });
});
