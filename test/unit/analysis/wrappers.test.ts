import { describe, expect, it } from "vitest";
import type { Profile } from "../../../src/core/model/quality.js";
import { analyze, noRules } from "./support.js";

it("resolves aliases across files through imports and packages", async () => {
  const report = await analyze({
    "pkg/__init__.py": "",
    "pkg/tools.py": "def work(a):\n    b = a\n    return b\n",
    "pkg/__main__.py":
      "from pkg.tools import work\nfrom pkg import tools\nfrom other import work as foreign\n" +
      "run = work\nalso = tools.work\nnot_ours = foreign\n",
    "other.py": "import pkg.tools\nimport pkg.tools as t\nthere = t.work\nnowhere = pkg.tools.work\n",
  });
  expect(report.structural.map(({ path, start, kind, name }) => [path, start, kind, name])).toEqual([
    ["other.py", 3, "alias", "there"],
    ["pkg/__main__.py", 4, "alias", "run"],
    ["pkg/__main__.py", 5, "alias", "also"],
  ]);
  expect(report.totals.trivialWrappers).toBe(3);
});

it("flags a function of one return wherever it stands", async () => {
  const report = await analyze({
    "a.py":
      "if x:\n    def f(a):\n        'doc'\n        return a\n\n\nclass A:\n    def g(self):\n        return 1\n\n    def h(self):\n        return\n\n    def i(self): ...\n",
  });
  expect(report.structural.map(({ name, start, end }) => [name, start, end])).toEqual([
    ["f", 2, 4],
    ["g", 8, 9],
    ["h", 11, 12],
  ]);
  expect(report.totals.trivialWrapperLoc).toBe(6);
});

describe("scb-0.2.0", () => {
  it("flags what hands its parameters on to a definition of the project, and nothing else", async () => {
    const report = await analyze(
      {
        "tools.py": "from far import away\n\n\ndef work(a, b):\n    print(a, b)\n",
        "use.py":
          "from tools import work\nfrom far import away\n\n\ndef on(a, b):\n    return work(b, a)\n\n\n" +
          "def less(a, b):\n    return work(a)\n\n\ndef out(a):\n    return away(a)\n\n\n@cached\n" +
          "def bound(a, b):\n    return work(a, b)\n\n\nclass A(Base):\n    def own(self, a):\n        return a\n",
      },
      noRules,
      "scb-0.2.0",
    );
    expect(report.structural.map(({ path, name }) => [path, name])).toEqual([["use.py", "on"]]);
    expect(report.totals).toMatchObject({ trivialWrappers: 1, trivialWrapperLoc: 2 });
  });

  it("counts the last of one qualified name, in the order of folders", async () => {
    const files = {
      "a/main.py": "def run(x):\n    return x or 1\n",
      "a-b/main.py": "def run(x):\n    return x\n\n\ndef other(): pass\n",
      "c.py": "def twice(): pass\n\n\nclass twice: pass\n",
    };
    const found = async (profile: Profile) =>
      (await analyze(files, noRules, profile)).functions.map(({ path, name }) => `${path} ${name}`);
    expect(await found("scb-0.2.0")).toEqual(["a-b/main.py run", "a-b/main.py other"]);
    expect(await found("scb-0.1.3")).toHaveLength(4);
  });
});

it("flags nothing by structure in the article's profile", async () => {
  const files = { "a.py": "def f(a):\n    return a\n\n\ng = f\n" };
  const { structural, totals } = await analyze(files, noRules, "article");
  expect(structural).toEqual([]);
  expect(totals).toMatchObject({ totalLoc: 3, verbosityFlaggedLoc: 0 });
});
