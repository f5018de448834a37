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
import { Readable } from "node:stream";

import { pack as tarPack, type Header } from "tar-stream";
import { describe, expect, it } from "vitest";

import { packPlan } from "../../../src/core/sandbox/archive/pack.js";
import { PlacementPlan } from "../../../src/core/sandbox/archive/plan.js";
import { unpackInto, type UnpackOptions } from "../../../src/core/sandbox/archive/unpack.js";
import type { Placement } from "../../../src/core/sandbox/sandbox.js";
import { NEVER, temporaryFolder } from "./support.js";

function content(target: string, text: string, owner: Placement["owner"] = "solution"): Placement {
  return { source: { content: text }, root: "workspace", target, owner };
}

async function planOf(...placements: Placement[]): Promise<PlacementPlan> {
  return PlacementPlan.of(placements, NEVER);
}

type Entry = Partial<Header> & Pick<Header, "name">;

/** A tar stream with these entries, as an engine might send it. */
function archive(entries: readonly (Entry & { content?: string })[]): Readable {
  const pack = tarPack();
  for (const { content: text, ...header } of entries) pack.entry(header, text ?? "");
  pack.finalize();
  return Readable.from(pack, { objectMode: false });
}

function unpack(
  target: string,
  entries: readonly (Entry & { content?: string })[],
  options: Partial<UnpackOptions> = {},
): ReturnType<typeof unpackInto> {
  return unpackInto(target, archive(entries), { keep: () => true, signal: NEVER, ...options });
}

describe("placement plan", () => {
  it("lists parents before children and adds those that are missing", async () => {
    const plan = await planOf(content("b/c/d.txt", "1"), content("a.txt", "2"));
    expect(plan.entries().map((entry) => `${entry.kind} ${entry.path}`)).toEqual([
      "file a.txt",
      "folder b",
      "folder b/c",
      "file b/c/d.txt",
    ]);
  });

  it("lets a later placement replace a solution's link that stands in its way", async () => {
    using source = temporaryFolder();
    symlinkSync("/etc", path.join(source.path, ".evaluation_tests"));
    const plan = await planOf(
      { source: { path: source.path }, root: "workspace", target: ".", owner: "solution" },
      content(".evaluation_tests/test_a.py", "pass", "harness"),
    );
    const entries = plan.entries().map(({ kind, path: name, owner, mode }) => ({ kind, name, owner, mode }));
    expect(entries).toEqual([
      { kind: "folder", name: ".evaluation_tests", owner: "harness", mode: 0o755 },
      { kind: "file", name: ".evaluation_tests/test_a.py", owner: "harness", mode: 0o644 },
    ]);
    expect(plan.guardsWorkspace).toBe(true);
  });

  it("drops what lay below when a file replaces a folder", async () => {
    const plan = await planOf(content("x/inner.txt", "1"), content("x", "2"));
    expect(plan.entries().map((entry) => entry.path)).toEqual(["x"]);
  });

  it.each(["../out", "/etc/passwd", "a/../../b"])("refuses the target %s", async (target) => {
    await expect(planOf(content(target, ""))).rejects.toMatchObject({ code: "bad-input" });
  });

  it("refuses a source that is not there", async () => {
    const placement: Placement = {
      source: { path: "/nowhere/at/all" },
      root: "workspace",
      target: ".",
      owner: "solution",
    };
    await expect(planOf(placement)).rejects.toMatchObject({ code: "bad-input" });
  });
});

describe("archives", () => {
  const layout = {
    workspace: "/workspace",
    harness: "/harness",
    home: "/home",
    uid: 1000,
    gid: 1000,
    workspaceMode: 0o1777,
    workspaceOwner: "harness",
  } as const;

  it("carry files, links, modes, odd names and big files there and back", async () => {
    using source = temporaryFolder();
    const odd = `${"long ".repeat(40)}ünïcode\nname`;
    mkdirSync(path.join(source.path, "empty"));
    writeFileSync(path.join(source.path, odd), "odd");
    writeFileSync(path.join(source.path, "run.sh"), "#!/bin/sh\n");
    chmodSync(path.join(source.path, "run.sh"), 0o755);
    writeFileSync(path.join(source.path, "big.bin"), Buffer.alloc(3_000_001, 7));
    symlinkSync("/etc/passwd", path.join(source.path, "link"));
    const plan = await planOf({
      source: { path: source.path },
      root: "workspace",
      target: ".",
      owner: "solution",
    });

    using target = temporaryFolder();
    const packed = packPlan(plan.entries(), layout, NEVER);
    await unpackInto(target.path, packed, { keep: () => true, signal: NEVER });
    expect(readdirSync(target.path).sort()).toEqual(["big.bin", "empty", "link", odd, "run.sh"].sort());
    expect(readFileSync(path.join(target.path, "big.bin")).equals(Buffer.alloc(3_000_001, 7))).toBe(true);
    expect(readlinkSync(path.join(target.path, "link"))).toBe("/etc/passwd");
    expect(lstatSync(path.join(target.path, "run.sh")).mode & 0o777).toBe(0o755);
  });

  it("fail with the reason when a file cannot be read", async () => {
    using source = temporaryFolder();
    using target = temporaryFolder();
    writeFileSync(path.join(source.path, "a.txt"), "1");
    const placement: Placement = {
      source: { path: path.join(source.path, "a.txt") },
      root: "workspace",
      target: "a.txt",
      owner: "solution",
    };
    const plan = await planOf(placement);
    source[Symbol.dispose]();
    const unpacking = unpackInto(target.path, packPlan(plan.entries(), layout, NEVER), {
      keep: () => true,
      signal: NEVER,
    });
    await expect(unpacking).rejects.toMatchObject({ code: "run-folder" });
  });
});

describe("unpacking", () => {
  it("keeps what is wanted, with the folders above it, and really empty folders", async () => {
    using target = temporaryFolder();
    await unpack(
      target.path,
      [
        { name: "ws/", type: "directory" },
        { name: "ws/junk/", type: "directory" },
        { name: "ws/junk/a.pyc", content: "x" },
        { name: "ws/src/", type: "directory", mode: 0o750 },
        { name: "ws/src/a.py", content: "x" },
        { name: "ws/src/a.pyc", content: "x" },
        { name: "ws/empty/", type: "directory" },
      ],
      { keep: (name) => !name.endsWith(".pyc") },
    );
    expect(readdirSync(target.path).sort()).toEqual(["empty", "src"]);
    expect(readdirSync(path.join(target.path, "src"))).toEqual(["a.py"]);
    expect(lstatSync(path.join(target.path, "src")).mode & 0o777).toBe(0o750);
  });

  it.each(["ws/../escaped", "ws/a/../../escaped", "ws//etc/escaped"])("refuses the path %s", async (name) => {
    using parent = temporaryFolder();
    const target = path.join(parent.path, "target");
    await expect(unpack(target, [{ name, content: "x" }])).rejects.toMatchObject({ code: "engine-lost" });
    expect(readdirSync(parent.path)).toEqual(["target"]);
    expect(readdirSync(target)).toEqual([]);
  });

  it("never writes through a link that the archive brought", async () => {
    using parent = temporaryFolder();
    const outside = path.join(parent.path, "outside");
    mkdirSync(outside);
    const entries = [
      { name: "ws/a", type: "symlink", linkname: outside } as const,
      { name: "ws/a/b.txt", content: "x" },
    ];
    await expect(unpack(path.join(parent.path, "target"), entries)).rejects.toThrow();
    expect(readdirSync(outside)).toEqual([]);
  });

  it("reports pipes, devices and names that are not UTF-8", async () => {
    using target = temporaryFolder();
    const { leftOut } = await unpack(target.path, [
      { name: "ws/pipe", type: "fifo" },
      { name: "ws/device", type: "character-device" },
      { name: "ws/bad\uFFFDname", content: "x" },
      { name: "ws/good", content: "x" },
    ]);
    expect(leftOut).toEqual(["pipe", "device", "bad\uFFFDname"]);
    expect(readdirSync(target.path)).toEqual(["good"]);
  });

  it("reports paths that are too long for a host, and keeps the rest", async () => {
    using target = temporaryFolder();
    const deep = Array.from({ length: 400 }, () => "d".repeat(10)).join("/");
    const fits = Array.from({ length: 60 }, () => "d".repeat(10)).join("/");
    const { leftOut } = await unpack(target.path, [
      { name: "ws/good", content: "x" },
      { name: `ws/${fits}/x.py`, content: "x" },
      { name: `ws/${deep}/x.py`, content: "x" },
    ]);
    expect(leftOut).toEqual([`${deep}/x.py`]);
    expect(readdirSync(path.join(target.path, fits))).toEqual(["x.py"]);
  });

  it("names hard links, whose content comes separately", async () => {
    using target = temporaryFolder();
    const { pending } = await unpack(target.path, [
      { name: "ws/one", content: "x" },
      { name: "ws/two", type: "link", linkname: "ws/one" },
    ]);
    expect(pending).toEqual(["two"]);
  });

  it("stops at the caps", async () => {
    using first = temporaryFolder();
    const big = [{ name: "ws/a", content: "x".repeat(100) }];
    await expect(unpack(first.path, big, { caps: { bytes: 50, entries: 10 } })).rejects.toMatchObject({
      code: "run-folder",
    });
    using second = temporaryFolder();
    const many = [1, 2, 3].map((n) => ({ name: `ws/${n}`, content: "" }));
    await expect(unpack(second.path, many, { caps: { bytes: 50, entries: 2 } })).rejects.toMatchObject({
      code: "run-folder",
    });
  });

  it("calls an archive that ends early a lost engine", async () => {
    using target = temporaryFolder();
    const whole = await archive([{ name: "ws/a", content: "x".repeat(2000) }]).toArray();
    const half = Buffer.concat(whole as Buffer[]).subarray(0, 1000);
    const unpacking = unpackInto(target.path, Readable.from([half], { objectMode: false }), {
      keep: () => true,
      signal: NEVER,
    });
    await expect(unpacking).rejects.toMatchObject({ code: "engine-lost" });
  });

  it("refuses a folder that is not empty", async () => {
    using target = temporaryFolder();
    writeFileSync(path.join(target.path, "mine"), "");
    await expect(unpack(target.path, [{ name: "ws/a", content: "x" }])).rejects.toMatchObject({
      code: "bad-input",
    });
    expect(existsSync(path.join(target.path, "a"))).toBe(false);
  });

  it("stops on abort although nothing comes", async () => {
    using target = temporaryFolder();
    const controller = new AbortController();
    const silent = new Readable({ read: () => undefined });
    const unpacking = unpackInto(target.path, silent, { keep: () => true, signal: controller.signal });
    controller.abort();
    await expect(unpacking).rejects.toMatchObject({ code: "cancelled" });
  });
});
