import { basename, join } from "node:path";
import { describe, expect, it } from "vitest";
import { LARGEST_MARKED } from "../../../src/core/analysis/analysis.js";
import { SlopLensError } from "../../../src/core/model/errors.js";
import { folderOf, inlineAnalyzer, openedReport, options } from "./support.js";

const signal = new AbortController().signal;
const loop = "for a in b:\n    c(a)\n    d(a)\n";

describe("a single text", () => {
  it("is measured under its own name", async () => {
    const report = await openedReport(inlineAnalyzer(), "/w/a.py", "def f(a):\r\n    return a or 1\r\n");
    expect(report?.functions.map(({ path, name, cc, sloc }) => [path, name, cc, sloc])).toEqual([
      ["/w/a.py", "f", 2, 2],
    ]);
    expect(report?.totals).toMatchObject({ filesScanned: 1, totalLoc: 2, trivialWrapperLoc: 2 });
  });

  it("with syntax errors has no report", async () => {
    expect(await openedReport(inlineAnalyzer(), "/w/a.py", "def f(:")).toBeUndefined();
  });

  it("in a language that is not measured is refused", async () => {
    const report = openedReport(inlineAnalyzer(), "/w/a.md", "x = 1", "markdown");
    await expect(report).rejects.toSatisfy((error) => SlopLensError.is(error, "bad-input"));
  });

  it("knows the clones within itself", async () => {
    const report = await openedReport(inlineAnalyzer(), "/w/a.py", loop + loop);
    expect(report?.clones.map(({ instances }) => instances.length)).toEqual([2]);
    expect(report?.totals.cloneLoc).toBe(6);
  });

  it("is told of clones in the other files of the folder that was analysed last", async () => {
    const analyzer = inlineAnalyzer();
    const folder = await folderOf({ "a.py": loop, "sub/b.py": `x = 1\n${loop}`, "c.py": "y = 1\n" });
    await analyzer.analyzePaths([folder], options, signal);
    const path = join(folder, "c.py");
    const report = await openedReport(analyzer, path, `z = 1\n\n${loop}`);
    expect(report?.clones.map(({ instances }) => instances)).toEqual([
      [
        { path: join(folder, "a.py"), start: 1, end: 3 },
        { path, start: 3, end: 5 },
        { path: join(folder, "sub/b.py"), start: 2, end: 4 },
      ],
    ]);
    expect(report?.totals.cloneLoc).toBe(3);
  });

  it("is told of none in a file that is too large to be marked, which is measured all the same", async () => {
    const analyzer = inlineAnalyzer();
    const large = `${loop}text = "${"x".repeat(LARGEST_MARKED)}"\n`;
    const folder = await folderOf({ "large.py": large, "small.py": `x = 1\n${loop}`, "own.py": "" });
    const { totals, clones } = await analyzer.analyzePaths([folder], options, signal);
    expect([totals.filesScanned, clones[0]?.instances.length]).toEqual([3, 2]);
    const report = await openedReport(analyzer, join(folder, "own.py"), loop);
    const others = report?.clones.flatMap(({ instances }) => instances.map(({ path }) => basename(path)));
    expect(others).toEqual(["own.py", "small.py"]);
  });

  it("is told of clones in files that were only learned", async () => {
    const analyzer = inlineAnalyzer();
    const folder = await folderOf({ "a.py": loop, "b.py": "" });
    await analyzer.learnPaths([folder], options, signal);
    expect((await openedReport(analyzer, join(folder, "b.py"), loop))?.clones).toHaveLength(1);
  });

  it("is told of clones in its folder also after one file of it was measured alone", async () => {
    const analyzer = inlineAnalyzer();
    const folder = await folderOf({ "a.py": loop, "b.py": "" });
    await analyzer.learnPaths([folder], options, signal);
    await analyzer.summarizePaths([join(folder, "b.py")], { ...options, most: Infinity }, signal);
    expect((await openedReport(analyzer, join(folder, "b.py"), loop))?.clones).toHaveLength(1);
  });

  it("replaces what was known of its own file, and ignores other folders", async () => {
    const analyzer = inlineAnalyzer();
    const folder = await folderOf({ "a.py": loop, "b.py": loop });
    await analyzer.analyzePaths([folder], options, signal);
    const [a, b] = [join(folder, "a.py"), join(folder, "b.py")];
    const alone = await openedReport(analyzer, a, "x = 1\n");
    expect(alone?.clones).toEqual([]);
    expect((await openedReport(analyzer, b, loop))?.clones).toEqual([]);
    expect((await openedReport(analyzer, a, loop))?.clones).toHaveLength(1);
    expect((await openedReport(analyzer, "/elsewhere/a.py", loop))?.clones).toEqual([]);
  });
});

describe("paths", () => {
  it("of what is no text are left out as that", async () => {
    const folder = await folderOf({
      "picture.py": "\x89PNG\r\n\0\0\0\rIHDR\0(((\0)\0[def\0:\0",
      "utf16.py": Buffer.from("\ufeffdef f(x):\n    return x\n", "utf16le"),
      "half.py": "def f(:\n",
      "text.py": "def f(x):\n    return x\n",
    });
    const { skipped, totals } = await inlineAnalyzer().analyzePaths([folder], options, signal);
    expect(skipped).toEqual([
      { path: "half.py", reason: expect.stringMatching(/^syntax error/) as string },
      { path: "picture.py", reason: "binary" },
      { path: "utf16.py", reason: "binary" },
    ]);
    expect(totals.filesScanned).toBe(1);
  });

  it("are summed up as in their report, with their heaviest callables", async () => {
    const analyzer = inlineAnalyzer();
    const folder = await folderOf({
      "a.py": `def light(x):\n    return x\n\n\ndef heavy(b):\n    ${loop.replaceAll("\n", "\n    ")}return b or a or c\n`,
      "b.py": "def middle(x):\n    return x or 1\n",
    });
    const { profile, totals } = await analyzer.analyzePaths([folder], options, signal);
    const summary = await analyzer.summarizePaths([folder], { ...options, most: 2 }, signal);
    expect(summary).toMatchObject({ profile, totals });
    expect(summary.heaviest.map(({ path, name }) => [path, name])).toEqual([
      ["a.py", "heavy"],
      ["b.py", "middle"],
    ]);
    const { heaviest } = await analyzer.summarizePaths([folder], { ...options, most: Infinity }, signal);
    expect(heaviest.map(({ name }) => name)).toEqual(["heavy", "middle", "light"]);
    expect(Object.keys(heaviest[0] ?? {}).sort()).toEqual([
      "cc",
      "end",
      "mass",
      "name",
      "path",
      "qualifiedName",
      "sloc",
      "start",
    ]);
  });

  it("that are aborted reject as cancelled", async () => {
    const folder = await folderOf(
      Object.fromEntries(Array.from({ length: 50 }, (_, i) => [`m${i}.py`, loop])),
    );
    const abort = new AbortController();
    const outcome = inlineAnalyzer()
      .analyzePaths([folder], options, abort.signal)
      .catch((error: unknown) => error);
    setTimeout(() => {
      abort.abort();
    }, 1);
    expect(SlopLensError.is(await outcome, "cancelled")).toBe(true);
    const before = inlineAnalyzer().analyzePaths([folder], options, AbortSignal.abort());
    await expect(before).rejects.toSatisfy((error) => SlopLensError.is(error, "cancelled"));
  });

  it("keep the error of rules that cannot be used", async () => {
    const refusing = inlineAnalyzer(() =>
      Promise.reject(new SlopLensError("rules-invalid", "No rules in x")),
    );
    const work = refusing.analyzePaths([await folderOf({ "a.py": loop })], options, signal);
    await expect(work).rejects.toSatisfy((error) => SlopLensError.is(error, "rules-invalid"));
    await expect(refusing.ruleSet()).rejects.toThrow("No rules in x");
  });

  it("report in the order of paths, lines and names", async () => {
    const folder = await folderOf({ "b.py": "def z(): pass\ndef a(): pass\n", "a/c.py": "def y(): pass\n" });
    const report = await inlineAnalyzer().analyzePaths([folder], options, signal);
    expect(report.functions.map(({ path, name }) => `${path}:${name}`)).toEqual([
      "a/c.py:y",
      "b.py:z",
      "b.py:a",
    ]);
    expect(report.profile).toBe("scb-0.1.3");
  });
});
