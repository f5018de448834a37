import { expect, it } from "vitest";
import { analyze } from "./support.js";

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
