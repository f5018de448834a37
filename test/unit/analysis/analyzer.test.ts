import { createRequire } from "node:module";
import { join } from "node:path";
import { build } from "esbuild";
import { beforeAll, describe, expect, it, onTestFinished } from "vitest";
import type { Analyzer } from "../../../src/core/analysis/analysis.js";
import { createAnalyzer, type AnalyzerOptions } from "../../../src/core/analysis/analyzer.js";
import { SlopLensError } from "../../../src/core/model/errors.js";
import { folderOf, openedReport, options, productFiles } from "./support.js";

const outdir = join(import.meta.dirname, "../../../.cache/test-analyzer");
const signal = new AbortController().signal;
const text = "def f(a):\n    for b in a:\n        print(b)\n        print(a)\n    return a\n";

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

function analyzerOf(how: AnalyzerOptions): Analyzer {
  const analyzer = createAnalyzer(productFiles, how);
  onTestFinished(() => analyzer[Symbol.asyncDispose]());
  return analyzer;
}

describe.each(["resident", "pool", "inline"] as const)("an analyzer that works %s", (mode) => {
  it("measures paths and texts, with the shipped rules, and knows clones of other files", async () => {
    const analyzer = analyzerOf({ mode });
    const folder = await folderOf({ "a.py": text, "b.py": text });
    const report = await analyzer.analyzePaths([folder], options, signal);
    expect(report.totals).toMatchObject({ filesScanned: 2, totalLoc: 10, cloneLoc: 10, totalFunctions: 2 });
    // Of the same rules, only those that can match Python count here.
    const { count, ...all } = await analyzer.ruleSet();
    expect(report.rules).toMatchObject(all);
    expect(report.rules.count).toBeGreaterThan(0);
    expect(report.rules.count).toBeLessThan(count);
    const single = await openedReport(analyzer, join(folder, "c.py"), text);
    expect(single?.clones.map(({ instances }) => instances.length)).toEqual([3, 3]);
    expect(await openedReport(analyzer, join(folder, "c.py"), "def")).toBeUndefined();
  });

  it("refuses what is not there with a clear error", async () => {
    const work = analyzerOf({ mode }).analyzePaths(["/not/there"], options, signal);
    await expect(work).rejects.toSatisfy((error) => SlopLensError.is(error, "bad-input"));
  });
});

describe("a resident analyzer", () => {
  const workerFile = join(outdir, "faulty-worker.js");

  it("lets go of work that is aborted", async () => {
    const abort = new AbortController();
    const work = analyzerOf({ workerFile }).analyzePaths(["/a"], options, abort.signal);
    abort.abort();
    await expect(work).rejects.toSatisfy((error) => SlopLensError.is(error, "cancelled"));
  });
});
