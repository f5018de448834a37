import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { explainFile, type FileExplanation } from "../../../src/core/analysis/explain.js";
import type { Profile } from "../../../src/core/model/quality.js";
import { folderOf, productFiles } from "./support.js";

const snippets = join(import.meta.dirname, "snippets");
const broken = ["broken.py", "python2.py"];
const names = (await readdir(snippets)).filter((name) => name.endsWith(".py") && !broken.includes(name));

function explain(file: string, profile: Profile = "scb-0.1.3"): Promise<FileExplanation> {
  return explainFile(file, profile, productFiles.dist, new AbortController().signal);
}

async function explainText(name: string, text: string, profile?: Profile): Promise<FileExplanation> {
  return explain(join(await folderOf({ [name]: text }), name), profile);
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}

describe("the parts of a callable's numbers", () => {
  it.each(names)("add up in %s", async (name) => {
    const { callables, report } = await explain(join(snippets, name));
    for (const { cc, cognitive, lines, qualifiedName } of callables) {
      const parts = {
        cc: 1 + sum(lines.map((line) => line.cc)),
        cognitive: sum(lines.map((l) => l.cognitive)),
      };
      expect({ qualifiedName, ...parts }).toEqual({ qualifiedName, cc, cognitive });
    }
    const shares = callables.map(({ erosionShare }) => erosionShare);
    expect(sum(shares)).toBeCloseTo(report.totals.erosion, 12);
    expect(sum(callables.map((one) => one.cogErosionShare))).toBeCloseTo(report.totals.cogErosion, 12);
    if (report.totals.totalMass > 0) expect(sum(callables.map((one) => one.massShare))).toBeCloseTo(1, 12);
  });

  it("say what stands on a line, how deep, and what both complexities see there", async () => {
    const { callables } = await explainText(
      "a.py",
      "def f(a, b):\n    while a:\n        if a and b or a: break\n        elif b: pass\n    else:\n        assert a\n",
    );
    expect(callables[0]?.lines).toEqual([
      { line: 2, cc: 1, cognitive: 1, nesting: 0, labels: ["while"], text: "while a:" },
      {
        ...{ line: 3, cc: 3, cognitive: 5, nesting: 1 },
        labels: ["if", "and, or", "and, or", "break"],
        text: "if a and b or a: break",
      },
      { line: 4, cc: 1, cognitive: 3, nesting: 2, labels: ["elif"], text: "elif b: pass" },
      { line: 5, cc: 0, cognitive: 2, nesting: 1, labels: ["else"], text: "else:" },
      { line: 6, cc: 1, cognitive: 0, nesting: 0, labels: ["assert"], text: "assert a" },
    ]);
  });

  it.each([
    [
      "a.ts",
      "function f(a: number) {\n  if (a) return 1;\n  else if (a > 2) {\n    return 2;\n  } else {\n    return 3;\n  }\n}\n",
    ],
    [
      "a.go",
      "package a\n\nfunc f(a int) int {\n\tif a > 1 {\n\t\treturn 1\n\t} else if a > 2 {\n\t\treturn 2\n\t} else {\n\t\treturn 3\n\t}\n}\n",
    ],
  ])("name the other branches of %s", async (name, text) => {
    const { callables } = await explainText(name, text);
    expect(callables[0]?.lines.flatMap(({ labels }) => labels)).toEqual(["if", "else if", "else"]);
    expect(sum(callables[0]?.lines.map(({ cognitive }) => cognitive) ?? [])).toBe(callables[0]?.cognitive);
  });

  it("leave out of the shares what a later definition replaces", async () => {
    const text =
      "class A:\n    @property\n    def x(self): return 1\n    @x.setter\n    def x(self, v): pass\n";
    const of = async (profile: Profile) =>
      (await explainText("a.py", text, profile)).callables.map(({ isCounted, massShare }) => [
        isCounted,
        massShare,
      ]);
    expect(await of("scb-0.2.0")).toEqual([
      [false, 0],
      [true, 1],
    ]);
    expect(await of("scb-0.1.3")).toEqual([
      [true, 0.5],
      [true, 0.5],
    ]);
  });

  it.each([
    ["nowhere.py", undefined, "does not exist or cannot be read"],
    ["broken.py", "def f(:\n", "cannot be measured: syntax errors"],
    ["binary.py", "x = 1\0\n", "cannot be measured: binary"],
    ["large.py", "#".repeat(5 * 1024 * 1024 + 1), "cannot be measured: larger than 5 MB"],
    ["notes.txt", "words\n", "is in no language that is measured: no language has files in .txt"],
    ["", undefined, "is a folder"],
  ])("are refused of '%s', with the reason", async (name, text, reason) => {
    const folder = await folderOf(text === undefined ? { "a.py": "x = 1\n" } : { [name]: text });
    await expect(explain(join(folder, name))).rejects.toMatchObject({
      code: "bad-input",
      message: expect.stringContaining(reason) as string,
    });
  });
});
