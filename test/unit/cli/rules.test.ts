import { mkdtemp, rm } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { cli, lay } from "./support.js";

let cwd: string;
beforeEach(async () => {
  cwd = await mkdtemp(path.join(os.tmpdir(), "slop-lens-rules-"));
});
afterEach(async () => {
  await rm(cwd, { recursive: true });
});

describe("rules", () => {
  const print =
    "id: no-print\nlanguage: python\nmessage: Log it.\nnote: A reason.\nrule:\n  pattern: print($A)\nmetadata:\n  family: noise\n  examples:\n    bad: [print(1)]\n    good: [log(1)]\n";

  it("lists the shipped rules, and shows one with its examples", async () => {
    const { code, out, err } = await cli(cwd, ["rules"]);
    expect([code, err]).toEqual([0, ""]);
    expect(out).toMatch(/\nbool-comparison +python +boolean-noise +on +\S/u);
    const [, on, all] = /\n(\d+) of (\d+) rules are on\.\n$/u.exec(out) ?? [];
    expect(Number(on)).toBeGreaterThan(100);
    expect(on).toBe(all);
    const one = await cli(cwd, ["rules", "bool-comparison"]);
    expect(one.out).toMatch(
      /^bool-comparison \(python · boolean-noise · \w+ · on\)\n.*\n.*\n\nMatches:\n {4}\S/mu,
    );
  });

  it("tells what is off and what is broken, and ends with 1 for an error", async () => {
    const broken = "id: nope\nlanguage: go\nrule:\n  kind: nonsense\n";
    await lay(cwd, { "mine/a.yml": `${print}---\n${broken}` });
    const { code, out, err } = await cli(cwd, [
      "rules",
      "--no-rules",
      "--add-rules",
      "mine",
      "--rule-off",
      "no-prin",
    ]);
    expect(code).toBe(1);
    expect(out).toMatch(/no-print +python +noise +on +Log it\.\nnope +go +– +broken +nope\n/u);
    expect(err).toMatch(/warning: .*no rule has the id no-prin.*"no-print"/u);
    expect(err).toMatch(/error: mine.a\.yml:\d+:1: rule nope: .*nonsense/u);
    const off = await cli(cwd, ["rules", "no-print", "--rules", "mine", "--rule-off", "no-print", "--json"]);
    expect(JSON.parse(off.out)).toMatchObject({
      id: "no-print",
      state: "off",
      examples: { bad: ["print(1)"] },
    });
    expect((await cli(cwd, ["rules", "no-prints"])).code).toBe(2);
  });

  it("are added and switched off for an analysis, which tells what comments suppress", async () => {
    await lay(cwd, {
      "mine/a.yml": print,
      "src/a.py": "print(1)\nprint(2)  # slop-lens-ignore[no-print]\nx = 1\ny = x == True\n",
    });
    const analyze = ["analyze", "src", "--no-cache", "--add-rules", "mine"];
    const both = JSON.parse((await cli(cwd, [...analyze, "--json"])).out) as {
      matches: { rule: string }[];
      suppressed: { rule: string; start: number }[];
    };
    expect(both.matches.map(({ rule }) => rule)).toEqual(["no-print", "bool-comparison"]);
    expect(both.suppressed).toMatchObject([{ rule: "no-print", start: 2 }]);
    const some = await cli(cwd, [...analyze, "--rule-off", "bool-comparison"]);
    expect(some.out).toMatch(/rules +1 +lines matched/u);
    expect(some.out).toMatch(/\nsuppressed by comments: 1 match \(no-print 1\)\n/u);
  });
});
