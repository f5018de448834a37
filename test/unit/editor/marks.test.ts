import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { barShape, cloneBar } from "../../../src/editor/marks/clone-bar.js";
import { Debounce } from "../../../src/editor/marks/debounce.js";
import {
  escape,
  groupDecisions,
  hoverAt,
  suppressedHover,
  type HoverLinks,
} from "../../../src/editor/marks/hover.js";
import { clonePairs, dedent } from "../../../src/editor/marks/clone-pairs.js";
import type { MarkKinds } from "../../../src/editor/marks/kinds.js";
import { buildMarks } from "../../../src/editor/marks/marks.js";
import { nextLine, previousLine } from "../../../src/editor/marks/navigate.js";
import { draw } from "../../../src/editor/marks/placed.js";
import { problemEntries } from "../../../src/editor/marks/problem-entries.js";
import { statusText, statusTooltip } from "../../../src/editor/marks/summary.js";
import * as make from "./support.js";

const ALL: MarkKinds = {
  ...{ complexity: true, clones: true, verbosity: true },
  ...{ codeLens: false, problems: false, diffs: false },
};
const TEXT = ["def main():", "    if len(x) == 0:", "        pass", "", "    return x   "];
const LINES = (line: number): string => TEXT[line - 1] ?? "";

const main = make.callable("main", {
  start: 15,
  end: 60,
  cc: 24,
  sloc: 44,
  mass: 24 * Math.sqrt(44),
  decisions: [
    { line: 16, label: "x if y else z" },
    { line: 18, label: "if, elif" },
    { line: 22, label: "if, elif" },
  ],
});
const small = make.callable("load_items", { start: 9, end: 12, cc: 2, mass: 3 });
const rotten = make.report({
  functions: [small, main],
  totals: make.totals({ totalMass: main.mass + 3, highCcFunctions: 1, erosion: 0.984, verbosity: 0.27 }),
  clones: [
    {
      id: "a",
      instances: [
        { path: "app.py", start: 24, end: 26 },
        { path: "app.py", start: 34, end: 36 },
        { path: "other.py", start: 41, end: 43 },
      ],
    },
  ],
  matches: [
    {
      path: "app.py",
      start: 2,
      end: 3,
      startColumn: 5,
      endColumn: 13,
      rule: "len-compare",
      message: "Compare the list itself",
      note: undefined,
    },
  ],
});

describe("buildMarks", () => {
  const marks = buildMarks(rotten, LINES, "app.py", ALL);

  it("marks only what is above the threshold, on its signature line", () => {
    expect(marks.functions.map(({ line, text }) => [line, text])).toEqual([
      [15, "CC 24 · mass 159 · 98\u202f% of the file's mass"],
    ]);
  });

  it("marks the clones that lie in the document and knows all their copies", () => {
    expect(marks.clones.map(({ start, end, copies }) => [start, end, copies.length])).toEqual([
      [24, 26, 2],
      [34, 36, 2],
    ]);
  });

  it("takes a file that says the same tens of thousands of times, and names the first copies of those it shows", () => {
    const instances = Array.from({ length: 60_000 }, (_, index) => ({
      ...{ path: index % 2 === 0 ? "app.py" : "other.py" },
      ...{ start: 3 * index + 1, end: 3 * index + 3 },
    }));
    const many = make.report({ clones: [{ id: "a", instances, more: 5 }] });
    const { clones, total, shown } = buildMarks(many, LINES, "app.py", ALL);
    expect({ total, shown, marks: clones.length }).toEqual({ total: 90_000, shown: 999, marks: 333 });
    expect(new Set(clones.map(({ count }) => count))).toEqual(new Set([60_004]));
    expect(Math.max(...clones.map(({ copies }) => copies.length))).toBe(50);
    expect(clones.every(({ start, copies }) => copies.every((copy) => copy.start !== start))).toBe(true);
    expect(clonePairs(clones, "app.py").length).toBeLessThan(300);
    const problems = problemEntries(
      { ...buildMarks(many, LINES, "app.py", { ...ALL, problems: true }) },
      LINES,
    );
    expect(Math.max(...problems.map(({ related }) => related.length))).toBeLessThan(10);
    expect(problems[0]?.message).toBe("Lines 1 to 3 have 60\u202f004 other copies.");
  });

  it("underlines the first line of what a rule matches", () => {
    expect(marks.verbosity).toMatchObject([{ line: 2, startColumn: 5, endColumn: 20, end: 3 }]);
  });

  it("marks wrappers and aliases as verbosity, from the first to the last character of their line", () => {
    const wrapper = { path: "app.py", start: 5, end: 5, kind: "trivial-wrapper" as const, name: "f" };
    const built = buildMarks(make.report({ structural: [wrapper] }), LINES, "app.py", ALL);
    expect(built.verbosity).toMatchObject([
      { line: 5, startColumn: 5, endColumn: 13, rule: "trivial-wrapper" },
    ]);
  });

  it("leaves out kinds that are switched off", () => {
    const kinds = { ...ALL, complexity: false, clones: false, verbosity: false };
    expect(buildMarks(rotten, LINES, "app.py", kinds).total).toBe(0);
  });

  it("keeps functions first when there is too much to mark", () => {
    const capped = buildMarks(rotten, LINES, "app.py", ALL, 5);
    expect(capped).toMatchObject({ total: 8, shown: 5 });
    expect([capped.functions.length, capped.clones.length, capped.verbosity.length]).toEqual([1, 1, 1]);
  });
});

describe("hoverAt", () => {
  const links: HoverLinks = {
    lines: (text, path, start, end) => `<${text}@${path ?? "here"}:${start}-${end}>`,
    hotspots: (text, { qualifiedName }) => `<${text}:${qualifiedName}>`,
    growth: () => undefined,
    howCounted: (text) => text,
    compare: (text, clones) => `<${text}:${clones.map(({ id }) => id).join()}>`,
    quickFix: () => undefined,
    suppress: (text, { rule }) => `<${text}:${rule}>`,
    name: (path) => path,
  };
  const marks = buildMarks(rotten, LINES, "app.py", ALL);

  it("takes the number of a function apart", () => {
    const text = hoverAt(marks, 15, 1, "scb-0.1.3", links)?.replace(/<\/?span[^>]*>/g, "") ?? "";
    expect(text).toContain("**`main`** · **cyclomatic complexity 24** (high: above 10)");
    expect(text).toContain(
      "1 + 3 decisions · 44 SLOC · mass 24 × √44 = 159 · 98\u202f% of the mass of this file",
    );
    expect(text).toContain("| +2 | `if,\u00a0elif` | <18@here:18-18>, <22@here:22-22> |");
    expect(text).toContain("Clone lines 24–26 have 2 other copies");
    expect(text.split("Clone lines")).toHaveLength(2);
    expect(text).toContain(
      "<Show in Hotspots:main>\u2003<Compare With Other Copy:a,a>\u2003How Is This Counted?",
    );
    expect(text).toContain("(profile scb-0.1.3)");
    expect(hoverAt(marks, 15, 1, "scb-0.1.3", { ...links, growth: (words) => words })).toContain(
      "\u2003Growth Since Checkpoint 1\u2003",
    );
    expect(text.indexOf("cyclomatic")).toBeLessThan(text.indexOf("Clone lines"));
  });

  it("links the other copies of a clone, in other files too", () => {
    const text = hoverAt(marks, 25, 1, "scb-0.1.3", links) ?? "";
    expect(text).toContain(
      "3 copies, 3 lines each: <app\\.py 34–36@app.py:34-36>, <other\\.py 41–43@other.py:41-43>",
    );
    expect(text).toContain("<Compare With Other Copy:a>");
    expect(text).not.toContain("How Is This Counted");
  });

  it("explains a rule only where it is underlined", () => {
    expect(hoverAt(marks, 2, 6, "scb-0.1.3", links)).toBe(
      "Compare the list itself\n\nRule `len-compare`\n\n<Suppress…:len-compare>",
    );
    expect(hoverAt(marks, 2, 6, "scb-0.1.3", { ...links, quickFix: (words) => words })).toContain(
      "Quick Fix…\u2003<Suppress…:len-compare>",
    );
    expect(hoverAt(marks, 2, 2, "scb-0.1.3", links)).toBeUndefined();
  });

  it("tells what comments suppress on a line, and the status item how much", () => {
    const suppressed = rotten.matches.map((match) => ({
      ...match,
      start: 7,
      message: "Compare *the* list.",
    }));
    expect(suppressedHover(suppressed, 7)).toBe(
      "$(circle-slash) Suppressed here: Compare \\*the\\* list\\. Rule `len-compare`",
    );
    expect(suppressedHover(suppressed, 8)).toBeUndefined();
    const report = { ...rotten, suppressed: [...suppressed, ...suppressed] };
    expect(statusTooltip({ kind: "done", report, marks, stale: false })).toMatch(
      /\n2 rule matches suppressed by comments$/u,
    );
  });

  it("shows what can be done before a table that is too long for a hover", () => {
    const decisions = Array.from({ length: 60 }, (_, line) => ({ label: "if", line: line + 16 }));
    const long = make.report({ functions: [{ ...main, decisions }] });
    const text = hoverAt(buildMarks(long, LINES, "app.py", ALL), 15, 1, "scb-0.1.3", links) ?? "";
    expect(text.indexOf("Show in Hotspots")).toBeLessThan(text.indexOf("| Adds |"));
    const short = hoverAt(marks, 15, 1, "scb-0.1.3", links) ?? "";
    expect(short.indexOf("Show in Hotspots")).toBeGreaterThan(short.indexOf("| Adds |"));
  });

  it("shows code in messages as code, and nothing else of them as Markdown", () => {
    const told = (message: string): string => {
      const report = make.report({ matches: rotten.matches.map((match) => ({ ...match, message })) });
      return (
        hoverAt(buildMarks(report, LINES, "app.py", ALL), 2, 6, "scb-0.1.3", links)?.split("\n")[0] ?? ""
      );
    };
    expect(told("Use `f()` *now*.")).toBe("Use `f()` \\*now\\*\\.");
    expect(told("A ` alone")).toBe("A \\` alone");
  });

  it("adds up to the complexity minus one", () => {
    const decisions = ["a", "b", "a", "c", "a", "b"].map((label, line) => ({ label, line }));
    const groups = groupDecisions(decisions);
    expect(groups.map(({ label }) => label)).toEqual(["a", "b", "c"]);
    expect(groups.flatMap(({ lines }) => lines)).toHaveLength(decisions.length);
  });

  it("takes no Markdown from the text of others", () => {
    expect(escape("[x](command:y) <b> $(sync)")).toBe("\\[x\\]\\(command:y\\) \\<b\\> \\$\\(sync\\)");
  });
});

describe("marks elsewhere", () => {
  const build = (kinds: Partial<MarkKinds>) => buildMarks(rotten, LINES, "app.py", { ...ALL, ...kinds });
  const drawn = (kinds: Partial<MarkKinds>) => draw(build(kinds), () => 40, 100);

  it("stand at the end of the line or in a lens, never in both", () => {
    expect(drawn({}).complexity.map(({ text }) => text?.slice(0, 5))).toEqual(["CC 24"]);
    expect(drawn({ codeLens: true }).complexity).toEqual([{ line: 14, from: 0, to: 40 }]);
  });

  it("are underlined by us or by the Problems view, never by both", () => {
    expect(drawn({}).verbosity).toHaveLength(1);
    expect(drawn({ problems: true }).verbosity).toEqual([]);
    expect(problemEntries(build({}), LINES)).toEqual([]);
  });

  it("are entries that name a function by its name and a clone by its first line", () => {
    const text = (line: number): string => (line === 15 ? "async def main(argv):" : "    for a in b:  ");
    const entries = problemEntries(build({ problems: true }), text);
    expect(
      entries.map(({ line, startColumn, endColumn, code }) => [line, startColumn, endColumn, code]),
    ).toEqual([
      [15, 11, 15, "complexity"],
      [24, 5, 16, "clone"],
      [34, 5, 16, "clone"],
      [2, 5, 20, "len-compare"],
    ]);
    expect(entries[0]?.message).toBe("main has a cyclomatic complexity of 24; high is above 10.");
    expect(entries[1]?.related.map(({ place }) => place.start)).toEqual([34, 41]);
  });
});

describe("clonePairs", () => {
  it("has every two copies once, those in other files too", () => {
    const { clones } = buildMarks(rotten, LINES, "app.py", ALL);
    expect(clonePairs(clones, "app.py").map(({ own, other }) => [own.start, other.start])).toEqual([
      [24, 34],
      [24, 41],
      [34, 41],
    ]);
  });

  it("shows copies from the margin", () => {
    expect(dedent(["    if a:", "", "\t    b", "      c"])).toEqual(["if a:", "", " b", "  c"]);
    expect(dedent(["", "  "])).toEqual(["", "  "]);
  });
});

describe("statusText", () => {
  const marks = buildMarks(rotten, LINES, "app.py", ALL);

  it("tells the figures of the file, or why there are none", () => {
    const done = { kind: "done" as const, report: rotten, marks };
    expect(statusText({ ...done, stale: false })).toBe(
      "$(graph-line) 1 complex · erosion 0.98 · verbosity 0.27",
    );
    expect(statusText({ ...done, stale: true })).toBe("Slop Lens: syntax error, last result kept");
    expect(statusText({ kind: "no-text" })).toBe("Slop Lens: not a text file");
    const capped = { ...marks, shown: 1000, total: 2314 };
    expect(statusText({ ...done, marks: capped, stale: false })).toBe(
      "Slop Lens: 1\u202f000 of 2\u202f314 marks shown",
    );
    expect(statusText({ kind: "not-here" })).toBeUndefined();
    const foreign = { kind: "foreign" as const, reason: "generated, by its name" };
    expect(statusText(foreign)).toBe("Slop Lens: no marks, generated");
    expect(statusTooltip(foreign)).toBe("Not marked and not counted: generated, by its name");
  });
});

describe("Debounce", () => {
  beforeEach(() => {
    vi.useFakeTimers();
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  it("waits for quiet", () => {
    const work = vi.fn();
    const debounce = new Debounce(work, 250, 1000);
    debounce.ask();
    vi.advanceTimersByTime(200);
    debounce.ask();
    vi.advanceTimersByTime(249);
    expect(work).not.toHaveBeenCalled();
    vi.advanceTimersByTime(1);
    expect(work).toHaveBeenCalledTimes(1);
  });

  it("does not wait for ever", () => {
    const work = vi.fn();
    const debounce = new Debounce(work, 250, 1000);
    for (let at = 0; at < 2000; at += 100) {
      debounce.ask();
      vi.advanceTimersByTime(100);
    }
    expect(work).toHaveBeenCalledTimes(2);
  });

  it("forgets what was asked for", () => {
    const work = vi.fn();
    const debounce = new Debounce(work);
    debounce.ask();
    debounce.cancel();
    vi.advanceTimersByTime(5000);
    expect(work).not.toHaveBeenCalled();
  });
});

describe("going from mark to mark", () => {
  it("begins again at the other end", () => {
    expect([nextLine([30, 10], 10), nextLine([30, 10], 30), nextLine([], 3)]).toEqual([30, 10, undefined]);
    expect([previousLine([10, 30], 30), previousLine([10, 30], 10)]).toEqual([10, 30]);
  });
});

describe("the clone bar", () => {
  it("is closed where a clone begins and ends", () => {
    expect([24, 25, 26].map((line) => barShape(line, 24, 26))).toEqual(["start", "middle", "end"]);
    expect(barShape(3, 3, 3)).toBe("single");
    const caps = (["start", "middle", "end", "single"] as const).map(
      (shape) => cloneBar(shape, "#B180D7").split("H13").length - 1,
    );
    expect(caps).toEqual([1, 0, 1, 2]);
  });
});
