import { readdir, readFile, stat, truncate, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import process from "node:process";
import { describe, expect, it } from "vitest";
import { NO_RULES, SHIPPED_RULES, type Analyzer } from "../../../src/core/analysis/analysis.js";
import { loadShippedRules } from "../../../src/core/analysis/analyzer.js";
import { assemble } from "../../../src/core/analysis/assemble.js";
import { chooseRules } from "../../../src/core/analysis/cache/chosen-rules.js";
import { DiskCache } from "../../../src/core/analysis/cache/disk-cache.js";
import { decodeResult, encodeResult, storedResult } from "../../../src/core/analysis/cache/encode.js";
import { MeasureCache } from "../../../src/core/analysis/cache/measure-cache.js";
import { Engine, InlineBatch } from "../../../src/core/analysis/engine.js";
import type { FileResult, RuleScanner } from "../../../src/core/analysis/measurer.js";
import { Measurer, type RuleLoader } from "../../../src/core/analysis/measurer.js";
import { PROFILES } from "../../../src/core/model/quality.js";
import { folderOf, measure, options, productFiles } from "./support.js";

const signal = new AbortController().signal;
const code = "def pick(a, b):\n    if a and b:\n        return a\n    return b\n\n\nalias = pick\n";
const key = (digits: string) => digits.padEnd(64, "0");

describe("results as bytes", () => {
  it("are read as they were written", async () => {
    const text = await readFile(join(productFiles.harness, "supervisor.py"), "utf8");
    const matches = ["é", "\ud83d\ude00 a long message that is shared by many files", undefined].map(
      (note) => ({
        start: 3,
        end: 70_000,
        startColumn: 1,
        endColumn: 9,
        rule: "some-rule",
        message: "Say it once.",
        note,
      }),
    );
    const results: FileResult[] = [
      { skipped: "syntax error" },
      { measures: { ...(await measure(text)), matches, suppressed: matches.slice(0, 1) } },
      { measures: await measure("") },
    ];
    for (const result of results) {
      expect(decodeResult(encodeResult(result))).toEqual(result);
      expect({ ...storedResult(encodeResult(result)) }).toEqual(result);
    }
  });

  it("stay bytes until their measures are asked for, and are asked once for a report", async () => {
    const stored = storedResult(encodeResult({ measures: await measure(code) }));
    if ("skipped" in stored) throw new Error(stored.skipped);
    let asked = 0;
    const file = {
      ...({ path: "a.py", language: "python", module: "a" } as const),
      get measures() {
        asked++;
        return stored.measures;
      },
    };
    expect(stored.measures).not.toBe(stored.measures);
    for (const profile of PROFILES) {
      asked = 0;
      const report = assemble([file], { profile, rules: { name: "none", count: 0, hash: "" }, skipped: [] });
      expect([report.totals.totalLoc, report.functions.length, asked]).toEqual([5, 1, 1]);
    }
  });

  it("cannot be read when a piece is missing", async () => {
    const bytes = encodeResult({ measures: await measure(code) });
    for (const length of [0, 1, 5, bytes.length - 1]) {
      expect(() => decodeResult(bytes.subarray(0, length))).toThrow(RangeError);
    }
  });
});

describe("values on disk", () => {
  it("are found by another process, unless they were damaged", async () => {
    const folder = await folderOf({});
    new DiskCache(folder).write(key("ab1"), Buffer.from("value"));
    expect(Buffer.from(new DiskCache(folder).read(key("ab1")) ?? []).toString()).toBe("value");
    expect(new DiskCache(folder).read(key("ab2"))).toBeUndefined();
    const [name] = await readdir(join(folder, "ab"));
    const file = join(folder, "ab", name ?? "");
    const whole = await readFile(file);
    const flipped = Buffer.from(whole);
    flipped[whole.length - 1] = (flipped[whole.length - 1] ?? 0) ^ 1;
    await writeFile(file, flipped);
    expect(new DiskCache(folder).read(key("ab1"))).toBeUndefined();
    await writeFile(file, whole);
    await truncate(file, whole.length - 2);
    expect(new DiskCache(folder).read(key("ab1"))).toBeUndefined();
    await truncate(file, 0);
    expect(new DiskCache(folder).read(key("ab1"))).toBeUndefined();
  });

  it("give way to newer ones where the limit is reached, those first that were not used for longest", async () => {
    const folder = await folderOf({});
    const limit = 256 * 10 * 4096;
    const cache = new DiskCache(folder, { limit });
    const keys = Array.from({ length: 10 }, (_, index) => key(`00${index}`).slice(0, 62) + "01");
    for (const [index, one] of keys.entries()) {
      cache.write(one, Buffer.from(`value ${index}`));
      const day = Date.now() / 1000 - (20 - index) * 24 * 3600;
      await utimes(join(folder, "00", one.slice(2)), day, day);
    }
    // The oldest is used again.
    expect(cache.read(keys[0] ?? "")).toBeDefined();
    // A key that ends so makes the cache look after its folder.
    cache.write(key("00f"), Buffer.from("one too many"));
    const kept = keys.map((one) => cache.read(one) !== undefined);
    expect(kept).toEqual([true, false, false, false, false, true, true, true, true, true]);
    expect(cache.read(key("00f"))).toBeDefined();
  });

  it("are not kept where a file stands in the way, which is no error", async () => {
    const folder = await folderOf({ cache: "a file" });
    const cache = new DiskCache(join(folder, "cache"));
    cache.write(key("ab"), Buffer.from("value"));
    expect(cache.read(key("ab"))).toBeUndefined();
  });

  it("are not kept where no folder can be made, which ends at once", () => {
    const cache = new DiskCache("/proc/slop-lens-nowhere/deep");
    cache.write(key("a1"), new Uint8Array([1]));
    expect(cache.read(key("a1"))).toBeUndefined();
  });

  it("are readable for their owner only, and leave nothing half-written", async () => {
    const folder = join(await folderOf({}), "cache");
    new DiskCache(folder).write(key("ab1"), Buffer.from("value"));
    new DiskCache(folder).write(key("ab1"), Buffer.from("value"));
    expect(await readdir(join(folder, "ab"))).toEqual([key("ab1").slice(2)]);
    if (process.platform !== "win32") expect((await stat(folder)).mode & 0o777).toBe(0o700);
  });
});

/** An analyzer as a new process would have it, and the paths that it applied rules to. */
function freshAnalyzer(cacheFolder: string): { analyzer: Analyzer; scanned: string[] } {
  const scanned: string[] = [];
  const loadRules: RuleLoader = async (choice, files, parsers, keep) => {
    const rules = await loadShippedRules(choice, files, parsers, keep);
    return {
      hash: rules.hash,
      describe: (languages) => rules.describe(languages),
      rulesFor: async (language) => watched(await rules.rulesFor(language), scanned),
    };
  };
  const measurer = new Measurer(productFiles, loadRules, new MeasureCache(cacheFolder));
  return { analyzer: new Engine(measurer, new InlineBatch(measurer)), scanned };
}

function watched(rules: RuleScanner | undefined, scanned: string[]): RuleScanner | undefined {
  return (
    rules && {
      isWhole: rules.isWhole,
      scan: (path, tree) => {
        scanned.push(path);
        return rules.scan(path, tree);
      },
    }
  );
}

describe("a file that did not change", () => {
  const files = { "a.py": code, "b.py": "x = 1\n", "wrong.py": "def (\n" };

  it("is never analysed twice: in another session, under another name, in another checkpoint", async () => {
    const cacheFolder = await folderOf({});
    const first = freshAnalyzer(cacheFolder);
    const folder = await folderOf(files);
    const report = await first.analyzer.analyzePaths([folder], options, signal);
    expect(first.scanned.sort()).toEqual(["a.py", "b.py"]);

    const second = freshAnalyzer(cacheFolder);
    expect(await second.analyzer.analyzePaths([folder], options, signal)).toEqual(report);
    expect(second.scanned).toEqual([]);

    const checkpoint = await folderOf({ "moved/c.py": code, "b.py": "x = 2\n" });
    const later = await second.analyzer.analyzePaths([checkpoint], options, signal);
    expect(second.scanned).toEqual(["b.py"]);
    expect(later.functions.map(({ path, name }) => `${path} ${name}`)).toEqual(["moved/c.py pick"]);
    expect(later.matches.every(({ path }) => path === "moved/c.py" || path === "b.py")).toBe(true);
  });

  it("is analysed anew with other rules, and with rules that were changed", async () => {
    const cacheFolder = await folderOf({});
    const folder = await folderOf({ "a.py": code });
    const rules = await folderOf({ "one.yaml": rule("no-pick", "pick") });
    const own = { ...options, rules: { folders: [rules], added: [], off: [] } };
    const { analyzer, scanned } = freshAnalyzer(cacheFolder);
    await analyzer.analyzePaths([folder], options, signal);
    const before = await analyzer.analyzePaths([folder], own, signal);
    expect(before.matches.map((match) => match.rule)).toEqual(["no-pick", "no-pick"]);
    await writeFile(join(rules, "one.yaml"), rule("no-alias", "alias"));
    const after = await analyzer.analyzePaths([folder], own, signal);
    expect(after.matches.map((match) => match.rule)).toEqual(["no-alias"]);
    expect(after.rules.hash).not.toBe(before.rules.hash);
    expect((await analyzer.analyzePaths([folder], { ...own, rules: NO_RULES }, signal)).matches).toEqual([]);
    expect(scanned).toEqual(["a.py", "a.py", "a.py"]);
  });

  it("is analysed anew under another path where rules are for some paths only", async () => {
    const cacheFolder = await folderOf({});
    const rules = await folderOf({ "one.yaml": `${rule("no-pick", "pick")}files: ["src/**"]\n` });
    const own = { ...options, rules: { folders: [rules], added: [], off: [] } };
    const matches = async (path: string) => {
      const folder = await folderOf({ [path]: code, "other.py": "x = 1\n" });
      const { analyzer } = freshAnalyzer(cacheFolder);
      return (await analyzer.analyzePaths([folder], own, signal)).matches.length;
    };
    expect(await matches("a.py")).toBe(0);
    expect(await matches("src/a.py")).toBe(2);
    expect(await matches("lib/a.py")).toBe(0);
  });

  it("is analysed anew when what was kept is damaged", async () => {
    const cacheFolder = await folderOf({});
    const folder = await folderOf({ "a.py": code });
    const report = await freshAnalyzer(cacheFolder).analyzer.analyzePaths([folder], options, signal);
    const kept = await readdir(cacheFolder, { recursive: true, withFileTypes: true });
    for (const entry of kept) if (entry.isFile()) await truncate(join(entry.parentPath, entry.name), 20);
    const { analyzer, scanned } = freshAnalyzer(cacheFolder);
    expect(await analyzer.analyzePaths([folder], options, signal)).toEqual(report);
    expect(scanned).toEqual(["a.py"]);
  });

  it("is not remembered without a rule that this installation cannot apply", async () => {
    const cacheFolder = await folderOf({});
    const folder = await folderOf({ "a.py": code });
    const rules = await folderOf({
      "a.yml": rule("any", "print($A)"),
      "b.yml": rule("template", "{ context: f($A), strictness: template }"),
    });
    const chosen = { ...options, rules: { ...SHIPPED_RULES, folders: [rules] } };
    const dist = await folderOf({});
    const measurer = new Measurer(
      productFiles,
      (choice, _files, parsers, keep) => loadShippedRules(choice, { ...productFiles, dist }, parsers, keep),
      new MeasureCache(cacheFolder),
    );
    const engine = new Engine(measurer, new InlineBatch(measurer));
    expect((await engine.analyzePaths([folder], chosen, signal)).rules.count).toBe(1);
    const { analyzer, scanned } = freshAnalyzer(cacheFolder);
    const report = await analyzer.analyzePaths([folder], chosen, signal);
    expect(scanned).toEqual(["a.py"]);
    expect(report.rules.count).toBe(2);
  });
});

it("what depends on its parts only is made once", async () => {
  const folder = await folderOf({});
  let made = 0;
  const ask = (part: string) =>
    new MeasureCache(folder).made("words", ["a", part], () =>
      Promise.resolve({ words: [part], made: ++made }),
    );
  expect(await ask("b")).toEqual({ words: ["b"], made: 1 });
  expect(await ask("b")).toEqual({ words: ["b"], made: 1 });
  expect(await ask("c")).toEqual({ words: ["c"], made: 2 });
});

it("the shipped rules for Python do not look at paths, so that a file that is moved is still known", async () => {
  const { byPath } = await chooseRules(SHIPPED_RULES, productFiles);
  expect(byPath).not.toContain("python");
  expect(byPath).toContain("typescript");
});

function rule(id: string, pattern: string): string {
  return `id: ${id}\nlanguage: python\nseverity: warning\nmessage: Say it once.\nrule: { pattern: ${pattern} }\n`;
}
