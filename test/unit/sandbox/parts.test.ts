import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, rmSync, symlinkSync, utimesSync, writeFileSync } from "node:fs";
import { hostname } from "node:os";
import path from "node:path";
import process from "node:process";

import { describe, expect, it } from "vitest";

import { mapAhead, Tasks } from "../../../src/core/sandbox/archive/ahead.js";
import { pause, timerMilliseconds, within } from "../../../src/core/sandbox/deadline.js";
import { withLock } from "../../../src/core/sandbox/local/folder-lock.js";
import { requirementsTrouble } from "../../../src/core/evaluation/hints.js";
import { formatStamp, isDead, ownStamp, parseStamp } from "../../../src/core/sandbox/process-stamp.js";
import { askedPackages, ProvisionReader } from "../../../src/core/sandbox/provision.js";
import { versionInTag, versionWarning } from "../../../src/core/sandbox/python-version.js";
import {
  asksForSomething,
  readRequirements,
  refersToFiles,
  requirementsWarning,
} from "../../../src/core/sandbox/requirements.js";
import { sessionVariables } from "../../../src/core/sandbox/variables.js";
import { environment, NEVER, temporaryFolder } from "./support.js";

describe("Python versions", () => {
  it.each([
    ["python:3.12-slim", "3.12"],
    ["python:3.12.4", "3.12.4"],
    ["python:3.12@sha256:0123", "3.12"],
    ["ghcr.io/astral-sh/uv:python3.12-trixie-slim", "3.12"],
    ["registry:5000/team/python:3.9", "3.9"],
    ["python:latest", undefined],
    ["python", undefined],
    ["alpine:3.20", undefined],
    ["debian:bookworm", undefined],
  ])("%s names %s", (image, version) => {
    expect(versionInTag(image)).toBe(version);
  });

  it("warns of another version, and only then", () => {
    expect(versionWarning("python:3.12-slim", "3.11.2")).toContain("3.11.2");
    expect(versionWarning("python:3.1", "3.12.1")).toBeDefined();
    expect(versionWarning("python:3.12-slim", "3.12.4")).toBeUndefined();
    expect(versionWarning(undefined, "3.12.4")).toBeUndefined();
  });
});

describe("requirements", () => {
  it.each([
    ["", false],
    ["# nothing\n\n   # here\n", false],
    ["\uFEFF# comment\n", false],
    ["# needs\nrequests\n", true],
  ])("%j asks for something: %s", (text, expected) => {
    expect(asksForSomething(text)).toBe(expected);
  });

  it.each([
    ["requests>=2\nflask==3.0 # web\n", false],
    ["--index-url https://example.org/simple\nx\n", false],
    ["git+https://example.org/a/b.git\n", false],
    ["https://example.org/a-1.0.whl\n", false],
    ["-r more.txt\n", true],
    ["-e .\n", true],
    ["./package\n", true],
    ["wheels/a-1.0-py3-none-any.whl\n", true],
    ["a @ file:///workspace/a\n", true],
  ])("%j refers to files: %s", (text, expected) => {
    expect(refersToFiles(text)).toBe(expected);
  });

  it("are hashed with the files they refer to, and only then", async () => {
    using folder = temporaryFolder();
    const read = async (): Promise<string | undefined> => (await readRequirements(folder.path, NEVER))?.hash;
    writeFileSync(path.join(folder.path, "requirements.txt"), "six\n");
    const plain = await read();
    writeFileSync(path.join(folder.path, "main.py"), "print(1)\n");
    expect(await read()).toBe(plain);
    writeFileSync(path.join(folder.path, "requirements.txt"), "-e .\n");
    const editable = await read();
    writeFileSync(path.join(folder.path, "main.py"), "print(2)\n");
    expect(await read()).not.toBe(editable);
  });

  it.each([
    ["bytes that are no UTF-8", Buffer.from([0x80]), Buffer.from([0x81])],
    ["half a letter", Buffer.from([0xc3]), Buffer.from("\uFFFD")],
    ["a byte order mark", Buffer.from("x"), Buffer.from("\uFEFFx")],
    ["the end of a large file", Buffer.alloc(3_000_001, 1), Buffer.alloc(3_000_001, 1).fill(2, 3_000_000)],
    ["the start of a large file", Buffer.alloc(3_000_001, 1), Buffer.alloc(3_000_001, 1).fill(2, 0, 1)],
    ["the length of a large file", Buffer.alloc(3_000_001), Buffer.alloc(3_000_000)],
    ["all of an empty file", Buffer.alloc(0), Buffer.alloc(2_000_000)],
  ])("have another hash when a file they refer to differs in %s", async (_, one, other) => {
    using folder = temporaryFolder();
    writeFileSync(path.join(folder.path, "requirements.txt"), "./wheel.whl\n");
    const hashOf = async (bytes: Buffer): Promise<string | undefined> => {
      writeFileSync(path.join(folder.path, "wheel.whl"), bytes);
      return (await readRequirements(folder.path, NEVER))?.hash;
    };
    const first = await hashOf(one);
    expect(first).toMatch(/^[0-9a-f]{64}$/u);
    expect(await hashOf(other)).not.toBe(first);
    expect(await hashOf(one)).toBe(first);
  });

  it("that are there and passed over are told", async () => {
    using folder = temporaryFolder();
    const file = path.join(folder.path, "requirements.txt");
    expect(await requirementsWarning(undefined)).toBeUndefined();
    expect(await requirementsWarning(folder.path)).toBeUndefined();
    writeFileSync(file, `six\n${" ".repeat(1024 * 1024 - 4)}`);
    expect(await requirementsWarning(folder.path)).toBeUndefined();
    expect(await readRequirements(folder.path, NEVER)).toBeDefined();
    const told = async (why: RegExp): Promise<void> => {
      const warning = await requirementsWarning(folder.path);
      expect(warning).toMatch(why);
      const image = { warnings: [warning ?? ""] };
      expect(requirementsTrouble(image)).toMatch(/the tests ran without them$/u);
      expect(await readRequirements(folder.path, NEVER)).toBeUndefined();
      rmSync(file, { recursive: true });
    };
    writeFileSync(file, `six\n${" ".repeat(1024 * 1024)}`);
    await told(/it has 1\.00 MiB, and at most 1 MiB is read/u);
    symlinkSync("/etc/hostname", file);
    await told(/it is a link, which is not followed/u);
    mkdirSync(file);
    await told(/it is no plain file/u);
  });

  it("are not read through a link", async () => {
    using folder = temporaryFolder();
    symlinkSync("/etc/hostname", path.join(folder.path, "requirements.txt"));
    expect(await readRequirements(folder.path, NEVER)).toBeUndefined();
    expect(await readRequirements(undefined, NEVER)).toBeUndefined();
  });
});

describe("process stamps", () => {
  it("tell the living from the dead, and never judge another host", () => {
    const own = ownStamp();
    expect(parseStamp(formatStamp(own))).toEqual(own);
    expect(isDead(own)).toBe(false);
    const gone = spawnSync(process.execPath, ["-e", ""]).pid;
    expect(isDead({ host: hostname(), pid: gone, started: "1" })).toBe(true);
    expect(isDead({ host: "another", pid: gone, started: "1" })).toBe(false);
    expect(parseStamp("nonsense")).toBeUndefined();
  });

  it.runIf(existsSync("/proc/self/stat"))("see that an id belongs to another process now", () => {
    expect(isDead({ ...ownStamp(), started: "1" })).toBe(true);
  });
});

describe("lock", () => {
  it("lets one in at a time and takes over from the dead", async () => {
    using folder = temporaryFolder();
    const file = path.join(folder.path, "lock");
    const gone = spawnSync(process.execPath, ["-e", ""]).pid;
    writeFileSync(file, formatStamp({ host: hostname(), pid: gone, started: "1" }));
    let inside = 0;
    let most = 0;
    const work = async (): Promise<void> => {
      inside += 1;
      most = Math.max(most, inside);
      await pause(20);
      inside -= 1;
    };
    await Promise.all([1, 2, 3].map(() => withLock(file, NEVER, work)));
    expect(most).toBe(1);
    expect(existsSync(file)).toBe(false);
  });

  it("of another machine is taken over once it is older than its work takes, and not before", async () => {
    using folder = temporaryFolder();
    const file = path.join(folder.path, "lock");
    writeFileSync(file, formatStamp({ host: `${hostname()}-other`, pid: 1, started: "1" }));
    const work = (): Promise<string> => Promise.resolve("done");
    /** Looks once. */
    const isKept = async (longest?: number): Promise<boolean> => {
      const once = withLock(file, AbortSignal.abort(), work, longest);
      await expect(once).rejects.toMatchObject({ code: "cancelled" });
      return existsSync(file);
    };
    expect(await isKept(60_000)).toBe(true);
    const old = new Date(Date.now() - 61_000);
    utimesSync(file, old, old);
    expect(await isKept()).toBe(true);
    expect(await withLock(file, NEVER, work, 60_000)).toBe("done");
    expect(existsSync(file)).toBe(false);
    writeFileSync(file, formatStamp(ownStamp()));
    utimesSync(file, old, old);
    expect(await isKept(60_000)).toBe(true);
  });

  it("is left when its work fails, and not waited for after an abort", async () => {
    using folder = temporaryFolder();
    const file = path.join(folder.path, "lock");
    await expect(withLock(file, NEVER, () => Promise.reject(new Error("broken")))).rejects.toThrow("broken");
    writeFileSync(file, formatStamp(ownStamp()));
    const waiting = withLock(file, AbortSignal.abort(), () => Promise.resolve());
    await expect(waiting).rejects.toMatchObject({ code: "cancelled" });
  });
});

describe("working ahead", () => {
  it("keeps the order, and hands back what nobody took", async () => {
    const discarded: number[] = [];
    const double = async (n: number): Promise<number> => {
      await pause(n === 1 ? 20 : 1);
      return n * 2;
    };
    const taken: number[] = [];
    const discard = (n: number): Promise<void> => Promise.resolve(void discarded.push(n));
    for await (const [, result] of mapAhead([1, 2, 3, 4], double, discard)) {
      taken.push(result);
      if (taken.length === 2) break;
    }
    expect([taken, discarded]).toEqual([
      [2, 4],
      [6, 8],
    ]);
  });

  it("tells the first failure of the tasks, after all have ended", async () => {
    const tasks = new Tasks();
    let ended = false;
    await tasks.add(async () => {
      await pause(10);
      ended = true;
    });
    await tasks.add(() => Promise.reject(new Error("first")));
    await expect(tasks.finish()).rejects.toThrow("first");
    expect(ended).toBe(true);
  });
});

describe("deadlines", () => {
  const late = { milliseconds: 5, onExpiry: (): Error => new Error("late") };

  it("end a wait that would never end, by time or by abort", async () => {
    const never = new Promise<void>(() => undefined);
    await expect(within(never, late)).rejects.toThrow("late");
    const signal = AbortSignal.abort();
    await expect(within(never, { ...late, signal })).rejects.toMatchObject({ code: "cancelled" });
  });

  it.each([
    [0.5, 500],
    [7200, 7_200_000],
    [3e6, 2 ** 31 - 1],
    [1e20, 2 ** 31 - 1],
    [Infinity, 2 ** 31 - 1],
  ])("of %d s fit into a timer", (seconds, milliseconds) => {
    expect(timerMilliseconds(seconds)).toBe(milliseconds);
  });

  it("pass on what is in time", async () => {
    await expect(within(Promise.resolve(1), late)).resolves.toBe(1);
    await expect(within(Promise.reject(new Error("own")), late)).rejects.toThrow("own");
  });
});

describe("provisioning", () => {
  const done = { event: "done", python: "3.12.1", uid: null, gid: null, offline: false, warnings: [] };

  it("reads progress and result across chunks, and ignores noise", () => {
    const lines: string[] = [];
    const reader = new ProvisionReader((line) => lines.push(line));
    const text = `noise\n${JSON.stringify({ event: "progress", line: "über" })}\n${JSON.stringify(done)}\n`;
    for (const byte of Buffer.from(text)) reader.push(Buffer.from([byte]));
    expect(reader.result("X", "")).toMatchObject({ python: "3.12.1" });
    expect(lines).toEqual(["über"]);
  });

  it("names the image that cannot be used, and shows the words of a script that died", () => {
    const failed = new ProvisionReader(() => undefined);
    const event = {
      event: "failed",
      code: "image-unsuitable",
      message: "its python3 is 3.6",
      hint: "Other.",
    };
    failed.push(Buffer.from(`${JSON.stringify(event)}\n`));
    expect(() => failed.result("The image old", "")).toThrow(
      "The image old cannot be used: its python3 is 3.6",
    );
    const silent = new ProvisionReader(() => undefined);
    expect(() => silent.result("The image odd", "Illegal instruction")).toThrow(/odd .*Illegal instruction/u);
  });

  it("knows a problem's packages whatever the order and the spaces", () => {
    expect(askedPackages(["pyyaml", " attrs ", "pyyaml", ""])).toEqual(["attrs", "pyyaml"]);
  });
});

describe("variables", () => {
  const own = { path: ["/solution/bin", "/usr/bin", "/usr/bin"], home: "/own" };

  it("are the environment's, then the caller's, then ours", () => {
    const env = environment({ env: { A: "1", B: "1", LANG: "de_DE.UTF-8", PATH: "/other" } });
    expect(sessionVariables(env, { B: "2" }, own)).toEqual({
      A: "1",
      B: "2",
      HOME: "/own",
      LANG: "de_DE.UTF-8",
      PATH: "/solution/bin:/usr/bin",
    });
  });

  it("include the host's only when asked, and never its places", () => {
    process.env["SANDBOX_TEST_KEY"] = "secret";
    try {
      expect(sessionVariables(environment(), {}, own)).not.toHaveProperty("SANDBOX_TEST_KEY");
      const included = sessionVariables(environment({ includeOsEnv: true }), {}, own);
      expect(included).toMatchObject({ SANDBOX_TEST_KEY: "secret", HOME: "/own" });
      expect(included).not.toHaveProperty("PWD");
    } finally {
      delete process.env["SANDBOX_TEST_KEY"];
    }
  });
});
