import { expect, it } from "vitest";
import type { RuleLoader } from "../../../src/core/analysis/measurer.js";
import { compareText } from "../../../src/core/analysis/measures/order.js";
import { compensatedSum, share } from "../../../src/core/analysis/measures/sum.js";
import { analyze } from "./support.js";

it("keeps what plain addition loses", () => {
  expect(compensatedSum([0.1, 0.2, 0.3])).toBe(0.6);
  expect(compensatedSum([1, 1e100, 1, -1e100])).toBe(2);
  expect(compensatedSum([])).toBe(0);
});

it("is 0 of nothing", () => {
  expect(share(0, 0)).toBe(0);
  expect(share(1, 4)).toBe(0.25);
});

it("orders texts by code points", () => {
  const sorted = ["b", "a/b", "a-b", "\u{1f600}", "\uffff", "a"].sort(compareText);
  expect(sorted).toEqual(["a", "a-b", "a/b", "b", "\uffff", "\u{1f600}"]);
});

const matchesIn = (path: string) =>
  [
    { start: 2, end: 2 },
    { start: 5, end: 9 },
  ].map((span) => ({
    ...span,
    path,
    startColumn: 1,
    endColumn: 1,
    rule: "r",
    message: "m",
    note: undefined,
  }));

it("unites clones, matches and wrappers line by line", async () => {
  const text = "def f(a):\n    return a\n\n\nx = [\n    1,\n    # a comment\n    2,\n]\ny = 1\n";
  const report = await analyze({ "a.py": text }, () =>
    Promise.resolve({
      hash: "h",
      describe: () => Promise.resolve({ name: "two", count: 2, hash: "h" }),
      rulesFor: () =>
        Promise.resolve({
          isWhole: true,
          scan: (path: string) => ({ matches: matchesIn(path), suppressed: [] }),
        }),
    }),
  );
  expect(report.rules).toEqual({ name: "two", count: 2, hash: "h" });
  expect(report.totals).toMatchObject({
    totalLoc: 7,
    astGrepFlaggedLoc: 5,
    trivialWrapperLoc: 2,
    verbosityFlaggedLoc: 6,
    verbosity: 6 / 7,
    maxCc: 1,
  });
});

it("keeps rules to the files that ast-grep takes for Python in the profile's release", async () => {
  const text = "x = 1\ny = 2\n";
  const files = { "a.py": text, "b.pyw": text, "C.PY": text, "d.go": "package d\n" };
  const everywhere: RuleLoader = () =>
    Promise.resolve({
      hash: "h",
      describe: () => Promise.resolve({ name: "two", count: 2, hash: "h" }),
      rulesFor: () =>
        Promise.resolve({
          isWhole: true,
          scan: (path: string) => ({ matches: matchesIn(path).slice(0, 1), suppressed: [] }),
        }),
    });
  const report = await analyze(files, everywhere, "scb-0.2.0");
  expect(report.matches.map(({ path }) => path)).toEqual(["a.py", "d.go"]);
  expect(report.totals).toMatchObject({ filesScanned: 3, astGrepFlaggedLoc: 1 });
});
