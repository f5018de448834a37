import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  readlinkSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import path from "node:path";

import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { pause } from "../../../src/core/sandbox/deadline.js";
import { LocalSandbox } from "../../../src/core/sandbox/local/local-sandbox.js";
import { findMarked } from "../../../src/core/sandbox/local/process-tree.js";
import type { PreparedImage, SandboxSession, SessionRequest } from "../../../src/core/sandbox/sandbox.js";
import { converse, environment, gather, HARNESS, NEVER, sessionRequest, temporaryFolder } from "./support.js";

const cache = temporaryFolder();
const sandbox = new LocalSandbox({ harness: HARNESS, cacheFolder: cache.path });
const plain = environment();
let image: PreparedImage;

beforeAll(async () => {
  const request = { environment: plain, testDependencies: [], requirementsFrom: undefined };
  image = await sandbox.prepare(request, () => undefined, NEVER);
}, 180_000);

afterAll(() => {
  cache[Symbol.dispose]();
});

function open(
  command: readonly string[] | SessionRequest["command"],
  fields: Partial<SessionRequest> = {},
): Promise<SandboxSession> {
  const start = typeof command === "function" ? command : () => command;
  return sandbox.open(sessionRequest({ image, environment: plain, command: start, ...fields }), NEVER);
}

describe("preparing", () => {
  it("reuses what was made, without a word", async () => {
    const lines: string[] = [];
    const request = { environment: plain, testDependencies: [], requirementsFrom: undefined };
    const again = await sandbox.prepare(request, (line) => lines.push(line), NEVER);
    expect(again.pythonVersion).toMatch(/^3\.\d+\.\d+$/u);
    expect(lines).toEqual([]);
  });

  it("installs the solution's requirements for its `python` and keeps pytest out of it", async () => {
    using solution = temporaryFolder();
    writeFileSync(path.join(solution.path, "requirements.txt"), "# ours\nsix==1.16.0\n");
    const request = { environment: plain, testDependencies: [], requirementsFrom: solution.path };
    const prepared = await sandbox.prepare(request, () => undefined, NEVER);
    await using session = await open(
      ["python", "-c", "import six, importlib.util as u; print(six.__version__, u.find_spec('pytest'))"],
      { image: prepared },
    );
    expect(await gather(session)).toMatchObject({ exitCode: 0, stdout: "1.16.0 None\n" });
  }, 120_000);

  it("gives up on requirements whose own build never ends", async () => {
    using solution = temporaryFolder();
    mkdirSync(path.join(solution.path, "lingering"));
    const setup =
      'import os, setuptools\nos.system("sleep 613 &")\nsetuptools.setup(name="lingering", version="1")\n';
    writeFileSync(path.join(solution.path, "lingering", "setup.py"), setup);
    writeFileSync(path.join(solution.path, "requirements.txt"), "./lingering\n");
    const impatient = environment({ env: { SLOP_LENS_INSTALL_SECONDS: "15" } });
    const request = { environment: impatient, testDependencies: [], requirementsFrom: solution.path };
    const prepared = await sandbox.prepare(request, () => undefined, NEVER);
    expect(prepared.warnings.join()).toMatch(/requirements\.txt .*stopped after 15 seconds/u);
  }, 120_000);

  it("warns of requirements that do not exist and goes on", async () => {
    using solution = temporaryFolder();
    writeFileSync(path.join(solution.path, "requirements.txt"), "six==0.0.999\n");
    const request = { environment: plain, testDependencies: [], requirementsFrom: solution.path };
    const prepared = await sandbox.prepare(request, () => undefined, NEVER);
    expect(prepared.warnings.join()).toMatch(/requirements\.txt .*six==0\.0\.999/u);
  }, 120_000);

  it("tells a package index that is out of reach, and leaves nothing", async () => {
    using other = temporaryFolder();
    const offline = environment({ env: { PIP_INDEX_URL: "http://127.0.0.1:9/simple" } });
    const fresh = new LocalSandbox({ harness: HARNESS, cacheFolder: other.path });
    const request = {
      environment: offline,
      testDependencies: ["surely-not-installed"],
      requirementsFrom: undefined,
    };
    await expect(fresh.prepare(request, () => undefined, NEVER)).rejects.toMatchObject({
      code: "dependencies-unavailable",
    });
    expect(readdirSync(path.join(other.path, "environments"))).toEqual([]);
  }, 120_000);

  it("refuses a Python that is not there", async () => {
    const missing = new LocalSandbox({
      harness: HARNESS,
      python: "python-of-nobody",
      cacheFolder: cache.path,
    });
    const request = { environment: plain, testDependencies: [], requirementsFrom: undefined };
    await expect(missing.prepare(request, () => undefined, NEVER)).rejects.toMatchObject({
      code: "image-unsuitable",
    });
  });

  it("warns when the environment's image names another Python", async () => {
    const docker = {
      image: "python:3.4-slim",
      workdir: "/workspace",
      extraMounts: {},
      network: undefined,
      user: undefined,
    };
    const request = {
      environment: environment({ docker }),
      testDependencies: [],
      requirementsFrom: undefined,
    };
    const prepared = await sandbox.prepare(request, () => undefined, NEVER);
    expect(prepared.warnings.join()).toContain("python:3.4-slim");
  });
});

describe("running", () => {
  it("gives the tests an interpreter with pytest", async () => {
    await using session = await open((roots) => [
      roots.testPython,
      "-c",
      "import pytest, deepdiff, jsonschema",
    ]);
    expect(await gather(session)).toMatchObject({ exitCode: 0, stderr: "" });
  });

  it("can be talked to while it runs, and ends with its input", async () => {
    await using session = await open(["sh", "-c", 'while read -r word; do echo "heard $word"; done; exit 5']);
    expect(await converse(session, ["one", "two"])).toEqual(["heard one\n", "heard two\n", "exit code 5"]);
  });

  it("keeps the streams apart and passes the input on", async () => {
    await using session = await open(["sh", "-c", "cat; echo oops >&2; exit 3"]);
    const result = await gather(session, { stdin: "hello\n" });
    expect(result).toMatchObject({ exitCode: 3, stdout: "hello\n", stderr: "oops\n", timedOut: false });
  });

  it("gives a command without input an end of file", async () => {
    await using session = await open(["cat"]);
    expect(await gather(session)).toMatchObject({ exitCode: 0, stdout: "" });
  });

  it("starts in the workspace with few variables", async () => {
    await using session = await open(["sh", "-c", "pwd; env | cut -d= -f1 | sort | tr '\\n' ' '"], {
      env: () => ({ OWN: "1" }),
    });
    const { stdout } = await gather(session);
    const [folder, names] = stdout.split("\n");
    expect(folder).toBe(session.roots.workspace);
    expect(names?.trim().split(" ")).toEqual(["HOME", "LANG", "OWN", "PATH", "PWD", "SLOP_LENS_SESSION"]);
  });

  it("lets SIGINT do what it does by default", async () => {
    await using session = await open([
      "python",
      "-c",
      "import os, signal; os.kill(os.getpid(), signal.SIGINT)",
    ]);
    expect((await gather(session)).exitCode).toBe(130);
  });

  it("says 128 + n for a command that was ended by signal n", async () => {
    await using session = await open(["sh", "-c", "kill -TERM $$"]);
    expect((await gather(session)).exitCode).toBe(143);
  });

  it("kills a command that takes too long, with everything it started", async () => {
    const limits = { timeoutSeconds: 0.5, memoryBytes: undefined, cpus: undefined, pids: undefined };
    await using session = await open(["sh", "-c", "setsid sleep 300 & sleep 300"], { limits });
    const result = await gather(session);
    expect(result).toMatchObject({ timedOut: true, exitCode: 137 });
    expect(await findMarked(path.dirname(session.roots.workspace))).toEqual([]);
  });

  it("takes a limit longer than any timer as one that does not come", async () => {
    const limits = { timeoutSeconds: 3e6, memoryBytes: undefined, cpus: undefined, pids: undefined };
    await using session = await open(["sleep", "0.2"], { limits });
    expect(await gather(session)).toMatchObject({ timedOut: false, exitCode: 0 });
  });

  it("ends with the command what the command leaves behind", async () => {
    await using session = await open(["sh", "-c", "setsid sleep 300 & echo started"]);
    expect(await gather(session)).toMatchObject({ exitCode: 0, stdout: "started\n" });
    expect(await findMarked(path.dirname(session.roots.workspace))).toEqual([]);
  });

  it("rejects with `cancelled` on abort", async () => {
    const controller = new AbortController();
    await using session = await open(["sleep", "300"]);
    const running = gather(session, { signal: controller.signal });
    await pause(200);
    const aborted = performance.now();
    controller.abort();
    await expect(running).rejects.toMatchObject({ code: "cancelled" });
    expect(performance.now() - aborted).toBeLessThan(2000);
  });

  it("says which command cannot be started", async () => {
    await using session = await open(["no-such-command"]);
    await expect(gather(session)).rejects.toMatchObject({ code: "bad-input" });
  });

  it("removes everything when it is disposed of while running", async () => {
    const session = await open(["sleep", "300"]);
    const ending = expect(gather(session)).rejects.toMatchObject({ code: "cancelled" });
    await pause(100);
    await session[Symbol.asyncDispose]();
    await session[Symbol.asyncDispose]();
    await ending;
    expect(existsSync(session.roots.workspace)).toBe(false);
  });
});

describe("files", () => {
  it("places and collects with modes and links, and leaves pipes out", async () => {
    using source = temporaryFolder();
    mkdirSync(path.join(source.path, "sub"));
    writeFileSync(path.join(source.path, "sub", "tool"), "#!/bin/sh\n");
    chmodSync(path.join(source.path, "sub", "tool"), 0o755);
    writeFileSync(path.join(source.path, "left.txt"), "");
    symlinkSync("/etc/passwd", path.join(source.path, "link"));
    await using session = await open(["sh", "-c", "mkfifo pipe; mkdir empty; printf x > 'new\nline'; ls"], {
      placements: [
        {
          source: { path: source.path },
          root: "workspace",
          target: ".",
          owner: "solution",
          keep: (name) => name !== "left.txt",
        },
        { source: { content: "ours" }, root: "harness", target: "deep/ours.txt", owner: "harness" },
      ],
    });
    expect(readFileSync(path.join(session.roots.harness, "deep", "ours.txt"), "utf8")).toBe("ours");
    expect(lstatSync(path.join(session.roots.harness, "deep", "ours.txt")).mode & 0o777).toBe(0o644);
    await gather(session);

    using target = temporaryFolder();
    const out = path.join(target.path, "out");
    expect(await session.collect(out, () => true, NEVER)).toEqual(["pipe"]);
    expect(readdirSync(out).sort()).toEqual(["empty", "link", "new\nline", "sub"]);
    expect(readlinkSync(path.join(out, "link"))).toBe("/etc/passwd");
    expect(lstatSync(path.join(out, "sub", "tool")).mode & 0o777).toBe(0o755);
  });

  it("collects what its command has closed, with itself let in", async () => {
    const close =
      "mkdir -p c/d e; echo x | tee c/d/f > e/g; echo x > h; chmod 0 h e/g c/d/f c/d c; chmod 555 e";
    await using session = await open(["sh", "-c", close]);
    await gather(session);
    using target = temporaryFolder();
    const out = path.join(target.path, "out");
    expect(await session.collect(out, () => true, NEVER)).toEqual([]);
    for (const name of ["c/d/f", "e/g", "h"]) {
      expect(readFileSync(path.join(out, name), "utf8")).toBe("x\n");
      // Root reads whatever the mode: the modes tell that another user can, too.
      expect(lstatSync(path.join(session.roots.workspace, name)).mode & 0o777).toBe(0o400);
    }
    expect(lstatSync(path.join(session.roots.workspace, "c", "d")).mode & 0o777).toBe(0o700);
  });

  it("removes folders that are closed for writing", async () => {
    const session = await open(["sh", "-c", "mkdir closed; touch closed/file; chmod 500 closed"]);
    await gather(session);
    expect(lstatSync(path.join(session.roots.workspace, "closed")).mode & 0o222).toBe(0);
    await session[Symbol.asyncDispose]();
    expect(existsSync(path.dirname(session.roots.workspace))).toBe(false);
  });
});
