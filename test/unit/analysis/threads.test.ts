import { createRequire } from "node:module";
import { join } from "node:path";
import { build } from "esbuild";
import { afterEach, beforeAll, describe, expect, it } from "vitest";
import { NO_RULES } from "../../../src/core/analysis/analysis.js";
import { Engine } from "../../../src/core/analysis/engine.js";
import { Measurer } from "../../../src/core/analysis/measurer.js";
import { Pool } from "../../../src/core/analysis/threads/pool.js";
import type { MeasurerCalls } from "../../../src/core/analysis/threads/protocol.js";
import { Thread, ThreadLost } from "../../../src/core/analysis/threads/thread.js";
import { SlopLensError } from "../../../src/core/model/errors.js";
import { analyze, folderOf, noRules, options, productFiles } from "./support.js";

const outdir = join(import.meta.dirname, "../../../.cache/test-analysis");
const workerFile = join(outdir, "faulty-worker.js");

beforeAll(async () => {
  await build({
    entryPoints: [join(import.meta.dirname, "faulty-worker.ts")],
    outdir,
    bundle: true,
    platform: "node",
    format: "cjs",
    alias: { "web-tree-sitter": createRequire(import.meta.url).resolve("web-tree-sitter") },
  });
});

const open: AsyncDisposable[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((thing) => thing[Symbol.asyncDispose]()));
});

function pooled(secondsPerFile = 60): Engine {
  const start = { files: productFiles, workerFile };
  const engine = new Engine(
    new Measurer(productFiles, noRules),
    new Pool({ start, threads: 2, secondsPerFile }),
  );
  open.push(engine);
  return engine;
}

const signal = new AbortController().signal;
const module = (index: number) => `def f${index}(a):\n    if a:\n        return ${index}\n    return a\n`;
const many = Object.fromEntries(Array.from({ length: 40 }, (_, index) => [`m${index}.py`, module(index)]));

describe("a pool of threads", () => {
  it("gives the report that one thread gives", async () => {
    const report = await pooled().analyzePaths([await folderOf(many)], options, signal);
    expect(report).toEqual(await analyze(many));
    expect(report.totals.totalFunctions).toBe(40);
  });

  it.each([
    ["exits", "analysis failed: ended with exit code 7"],
    ["throws", "analysis failed: nobody catches this"],
  ])("loses only the file on which a thread %s", async (name, reason) => {
    const folder = await folderOf({ ...many, [`${name}.py`]: "x = 1\n" });
    const report = await pooled().analyzePaths([folder], options, signal);
    expect(report.skipped).toEqual([{ path: `${name}.py`, reason }]);
    expect(report.totals.filesScanned).toBe(40);
  });

  it("gives a file up after its time, and goes on", async () => {
    const folder = await folderOf({ "hangs.py": "x = 1\n", "other.py": "y = 1\n" });
    const report = await pooled(1).analyzePaths([folder], options, signal);
    expect(report.skipped).toEqual([{ path: "hangs.py", reason: "analysis failed: took longer than 1 s" }]);
    expect(report.totals.filesScanned).toBe(1);
  });

  it("passes errors on that are nobody's file", async () => {
    const folder = await folderOf({ "refuses.py": "", ...many });
    const error: unknown = await pooled()
      .analyzePaths([folder], options, signal)
      .catch((caught: unknown) => caught);
    expect(SlopLensError.is(error, "rules-invalid") && [error.message, error.hint]).toEqual([
      "No rules",
      "Mend them.",
    ]);
  });

  it("stops at once when aborted, also behind a file that hangs, and works again", async () => {
    const engine = pooled();
    const abort = new AbortController();
    const work = engine.analyzePaths([await folderOf({ "hangs.py": "" })], options, abort.signal);
    const outcome = work.catch((caught: unknown) => caught);
    setTimeout(() => {
      abort.abort();
    }, 50);
    expect(SlopLensError.is(await outcome, "cancelled")).toBe(true);
    const report = await engine.analyzePaths([await folderOf({ "a.py": "x = 1\n" })], options, signal);
    expect(report.totals.totalLoc).toBe(1);
  });
});

describe("a thread", () => {
  it("that is missing is lost, not waited for", async () => {
    const thread = new Thread<{ ask: { args: null; value: null } }>(join(outdir, "missing.js"), {});
    await expect(thread.call("ask", null)).rejects.toBeInstanceOf(ThreadLost);
    expect(thread.isLost).toBe(true);
  });

  it("that takes more memory than it may is lost, and nothing with it", async () => {
    const limits = { mostMemory: 64, youngMemory: 4 };
    const thread = new Thread<MeasurerCalls>(workerFile, { role: "measurer", files: productFiles }, limits);
    const rules = { choice: NO_RULES, hash: "none", byPath: [] };
    const job = { file: "fills.py", path: "fills.py", language: "python", bytes: 0 } as const;
    await expect(thread.call("measure", { job, rules, number: 1 })).rejects.toThrow(/memory limit/);
    expect(thread.isLost).toBe(true);
  });

  it("answers what it does not know with an error", async () => {
    const thread = new Thread<{ unknown: { args: null; value: null } }>(workerFile, {
      role: "measurer",
      files: productFiles,
    });
    await expect(thread.call("unknown", null)).rejects.toThrow("no call unknown");
    await thread.close();
    await expect(thread.call("unknown", null)).rejects.toBeInstanceOf(ThreadLost);
  });
});
