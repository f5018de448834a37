import { expect, it } from "vitest";
import { analyze } from "./support.js";

const good = "function f(a) {\n  return a ? 1 : 2;\n}\nlet a = f(1);\nlet b = f(2);\nlet c = f(3);\n";

it("a file with some syntax errors is measured, and the report says so", async () => {
  const report = await analyze({ "a.js": `${good}const = = 5;\n`, "b.js": good });
  expect(report.skipped).toEqual([]);
  expect(report.incomplete).toEqual([{ path: "a.js", reason: "1 of 6 lines of code could not be parsed" }]);
  expect(report.functions.map(({ path, name, cc }) => [path, name, cc])).toEqual([
    ["a.js", "f", 2],
    ["b.js", "f", 2],
  ]);
});

it("a file that is mostly unreadable is skipped, and a whole report names no incomplete files", async () => {
  const report = await analyze({ "a.ts": "<TS>\n%% = = )\n)) ( % = 5\n% =% %\n", "b.ts": "let a = 1;\n" });
  expect(report.skipped.map(({ path }) => path)).toEqual(["a.ts"]);
  expect(report.skipped[0]?.reason).toMatch(/^syntax errors: \d of \d lines of code could not be parsed$/);
  expect(report.incomplete).toBeUndefined();
});

it("a Python file with a syntax error is skipped, as scb-check does", async () => {
  const report = await analyze({ "a.py": "def f(:\n", "b.py": "x = 1\n" });
  expect(report.skipped).toEqual([{ path: "a.py", reason: "syntax error" }]);
});

it("totals are those of Python where there is some, and each language has its own", async () => {
  const report = await analyze({
    "a.py": "def f(a):\n    return a or 1\n",
    "b.js": good,
    "c.java": "class A {}\n",
  });
  expect(report.totals).toMatchObject({ filesScanned: 1, totalFunctions: 1 });
  expect(report.overall).toMatchObject({ filesScanned: 3, totalFunctions: 2 });
  expect(report.languages.map(({ language, totals }) => [language, totals.totalLoc])).toEqual([
    ["python", 2],
    ["javascript", 5],
    ["java", 1],
  ]);
});
