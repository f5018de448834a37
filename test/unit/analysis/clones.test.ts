import { describe, expect, it } from "vitest";
import type { CloneClass } from "../../../src/core/model/quality.js";
import { analyze, measure } from "./support.js";

function spans(classes: readonly CloneClass[]): string[] {
  return classes.map(({ instances }) =>
    instances.map(({ path, start, end }) => `${path}:${start}-${end}`).join(" "),
  );
}

/** Whether two loops over the statement are clones of each other. */
async function areClones(one: string, other: string): Promise<boolean> {
  const loop = (body: string) => ["for x in y:", `    ${body}`, "    z()"];
  const { cloneCandidates } = await measure(...loop(one), ...loop(other));
  expect(cloneCandidates).toHaveLength(2);
  return cloneCandidates[0]?.key === cloneCandidates[1]?.key;
}

describe("clones", () => {
  it.each([
    ["names", "a.b(c)", "d.e(f)"],
    ["values", "f('a', 1, 1.5, True)", 'f("""b""", 2, 0.1, False)'],
    ["formatted strings", "f(f'{a + b}')", "f('')"],
    ["comments", "a = 1  # here", "a = 1"],
    ["keyword names", "f(a=1)", "f(b=1)"],
  ])("do not mind other %s", async (_, one, other) => {
    expect(await areClones(one, other)).toBe(true);
  });

  it.each([
    ["operators", "a = b + c", "a = b - c"],
    ["kinds of literals", "a = 1", "a = 1.0"],
    ["None for a number", "a = None", "a = 1"],
    ["the same name twice", "f(a, a)", "f(a, b)"],
    ["an order of names", "f(a, b, a)", "f(a, b, b)"],
    ["brackets", "a = (b)", "a = b"],
    ["nesting", "f(a(b), c)", "f(a(b, c))"],
    ["comparisons", "a = b < c", "a = b <= c"],
    ["bytes for a name", "b''", "a"],
  ])("mind other %s", async (_, one, other) => {
    expect(await areClones(one, other)).toBe(false);
  });

  it("leave docstrings out, but not bytes", async () => {
    const head = (doc: string) => ["def f():", `    ${doc}`, "    a()", "    b()"];
    const { cloneCandidates } = await measure(
      ...head("'''d'''"),
      ...head("pass"),
      "def f():",
      "    a()",
      "    b()",
      "",
    );
    const [documented, passing, plain] = cloneCandidates.map(({ key }) => key);
    expect(documented).toBe(plain);
    expect(passing).not.toBe(plain);
  });

  it("need three lines of code", async () => {
    const { cloneCandidates } = await measure(
      "if a:",
      "    # one",
      "",
      "    b()",
      "if a:",
      "    b()",
      "    c()",
    );
    expect(cloneCandidates.map(({ start, end }) => [start, end])).toEqual([[5, 7]]);
  });

  it("are found across files and reported in order", async () => {
    const loop = "for a in b:\n    c(a)\n    d(a)\n";
    const report = await analyze({
      "z.py": loop,
      "pkg/a.py": `x = 1\n${loop}`,
      "only.py": "while a:\n    b()\n    c()\n",
    });
    expect(spans(report.clones)).toEqual(["pkg/a.py:2-4 z.py:1-3"]);
    expect(report.totals.cloneLoc).toBe(6);
  });

  it("count a line once, however many classes it is in", async () => {
    const block = (name: string) => `def ${name}():\n    for a in b:\n        c(a)\n        d(a)\n\n\n`;
    const report = await analyze({ "a.py": block("one") + block("two") });
    expect(spans(report.clones)).toEqual(["a.py:1-4 a.py:7-10", "a.py:2-4 a.py:8-10"]);
    expect(report.totals.cloneLoc).toBe(8);
    expect(report.totals.verbosity).toBe(1);
  });
});
