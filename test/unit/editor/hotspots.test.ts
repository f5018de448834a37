import path from "node:path";
import { describe, expect, it } from "vitest";
import type { CallableMetrics } from "../../../src/core/model/quality.js";
import type { Turn } from "../../../src/core/model/turn.js";
import { hotspotRows, hotspotTable } from "../../../src/editor/tree/hotspot-rows.js";
import { fileHotspots, turnHotspots, unexplained } from "../../../src/editor/tree/hotspots.js";
import {
  hasCallablesOf,
  mayBelong,
  withFile,
  workspaceHotspots,
  type RootReading,
} from "../../../src/editor/tree/workspace-hotspots.js";
import type { TreeNode } from "../../../src/editor/tree/node.js";
import { FOLD } from "../../../src/editor/tree/test-rows.js";
import { HIGH_SPARK, LOW_SPARK, sparkIcon } from "../../../src/editor/tree/spark.js";
import * as make from "./support.js";

const main = (cc: number, mass: number): CallableMetrics =>
  make.callable("main", { cc, mass, start: 3, end: 40 });

function measured(
  order: number,
  heaviest: readonly CallableMetrics[],
  totalFunctions = heaviest.length,
): Turn {
  const totalMass = heaviest.reduce((sum, { mass }) => sum + mass, 0);
  return make.turn(order, { quality: { ...make.quality({ totalMass, totalFunctions }), heaviest } });
}

function hotspotsOf(turns: readonly Turn[], turn = turns.at(-1)) {
  const [part] = make.run("/runs/a", turns).problems;
  if (part === undefined || turn === undefined) throw new Error("no turns");
  return turnHotspots(part, turn).map((hotspot) => ({
    ...hotspot,
    uri: `file:///s/${hotspot.callable.path}`,
  }));
}

const svgOf = (uri: string): string => Buffer.from(uri.split(",")[1] ?? "", "base64").toString();

describe("hotspots of a run", () => {
  const helper = make.callable("Shelf.add", { cc: 4, mass: 60, start: 50, end: 60 });
  const turns = [measured(1, [main(14, 20)]), measured(2, [main(68, 40), helper])];

  it("say share, complexity, and how it changed against the checkpoint before", () => {
    const rows = hotspotRows(hotspotsOf(turns));
    expect(rows.map(({ label, description }) => `${label} | ${description}`)).toEqual([
      "Shelf.add | 60\u202f% · CC 4 new",
      "main | 40\u202f% · CC 68 ▲ 54",
    ]);
    expect(rows.map(({ spoken }) => spoken)).toEqual([
      "Shelf.add, 60 percent of the mass, complexity 4, new since checkpoint 1",
      "main, 40 percent of the mass, complexity 68, up 54 since checkpoint 1",
    ]);
    expect(rows[1]?.tooltip).toBe(
      "app.py, lines 3 to 40\nCC 68, 4 SLOC, mass 40\nMass by checkpoint: 20, 40\nProfile scb-0.1.3",
    );
    expect(rows[1]?.action).toMatchObject({ arguments: ["file:///s/app.py", 3, 3] });
  });

  it("say what fell and what stayed, and nothing of the first checkpoint", () => {
    const steady = [measured(1, [main(20, 9)]), measured(2, [main(12, 9)]), measured(3, [main(12, 9)])];
    const spoken = (turn: Turn | undefined) => hotspotRows(hotspotsOf(steady, turn))[0]?.spoken;
    expect(spoken(steady[0])).toBe("main, 100 percent of the mass, complexity 20");
    expect(spoken(steady[1])).toBe("main, 100 percent of the mass, complexity 12, down 8 since checkpoint 1");
    expect(spoken(steady[2])).toBe(
      "main, 100 percent of the mass, complexity 12, unchanged since checkpoint 2",
    );
  });

  it("do not call new what a turn may only have been too long to keep", () => {
    const [hotspot] = hotspotsOf([measured(1, [helper], 40), measured(2, [main(68, 40)])]);
    expect(hotspot).toMatchObject({ before: undefined, masses: [undefined, 40] });
  });

  it("are none while nothing is measured, or nothing is above the threshold", () => {
    expect(hotspotsOf([make.turn(1)])).toEqual([]);
    expect(hotspotsOf([measured(1, [main(10, 40)])])).toEqual([]);
  });

  it("know a callable that was renamed on the way, and say under which name", () => {
    const run = make.callable("run", { cc: 20, mass: 30 });
    const renamed = [measured(1, [run]), measured(2, [run]), measured(3, [main(68, 40)])];
    const [part] = make.run("/runs/a", renamed).problems;
    const last = renamed.at(-1);
    if (part === undefined || last === undefined) throw new Error("no turns");
    expect(unexplained(part, last).map(({ name }) => name)).toEqual(["main"]);
    const histories = new Map([["app.py#main", [null, run, main(68, 40)]]]);
    const hotspots = turnHotspots(part, last, histories);
    expect(hotspots).toMatchObject([{ was: "run", masses: [0, 30, 40], before: 20 }]);
    const [row] = hotspotRows(hotspots.map((hotspot) => ({ ...hotspot, uri: "file:///s/app.py" })));
    expect(`${row?.label} | ${row?.description}`).toBe("main (was run) | 100\u202f% · CC 68 ▲ 48");
    expect(row?.spoken).toBe(
      "main, 100 percent of the mass, earlier called run, complexity 68, up 48 since checkpoint 2",
    );
  });

  it("need no snapshot where every earlier checkpoint has the callable, or it is simple", () => {
    const steady = [measured(1, [main(20, 9)]), measured(2, [main(30, 9), helper])];
    const [part] = make.run("/runs/a", steady).problems;
    if (part === undefined || steady[1] === undefined) throw new Error("no turns");
    expect(unexplained(part, steady[1])).toEqual([]);
  });

  it("can be copied as a table", () => {
    expect(hotspotTable(hotspotsOf(turns)).split("\n")).toEqual([
      "callable\tpath\tline\tshare\tmass\tCC\tCC before\tSLOC",
      "Shelf.add\tapp.py\t50\t0.6000\t60.00\t4\t\t4",
      "main\tapp.py\t3\t0.4000\t40.00\t68\t14\t4",
      "",
    ]);
  });
});

describe("hotspots of files", () => {
  it("share the mass of all of them, and know their files", () => {
    const report = (cc: number, mass: number) =>
      make.report({ functions: [main(cc, mass)], overall: make.totals({ totalMass: mass }) });
    const found = fileHotspots([
      { uri: "file:///a.py", report: report(5, 25) },
      { uri: "file:///b.py", report: report(30, 75) },
    ]);
    expect(
      hotspotRows(found).map(({ description, action }) => [description, action?.arguments?.[0]]),
    ).toEqual([
      ["75\u202f% · CC 30", "file:///b.py"],
      ["25\u202f% · CC 5", "file:///a.py"],
    ]);
    expect(fileHotspots([{ uri: "file:///a.py", report: report(5, 25) }])).toEqual([]);
  });
});

describe("hotspots of a workspace", () => {
  const root = (name: string, callables: readonly CallableMetrics[]): RootReading => ({
    ...{ name, folder: path.resolve("/w", name), without: [path.resolve("/w", name, "runs")] },
    ...{ profile: "scb-0.1.3", files: 2, callables },
  });
  const uriOf = (file: string): string => `file://${path.relative(path.resolve("/"), file)}`;
  const small = make.callable("small", { cc: 2, mass: 25, path: "lib/small.py" });

  it("share the mass of all folders, and name the folder where there are several", () => {
    const one = hotspotRows(workspaceHotspots([root("a", [main(30, 75), small])], uriOf));
    expect(one.map(({ label, description }) => `${label} ${description}`)).toEqual([
      "main 75\u202f% · CC 30",
      "small 25\u202f% · CC 2",
    ]);
    const two = workspaceHotspots([root("a", [small]), root("b", [main(30, 75)])], uriOf);
    const rows = hotspotRows(two);
    expect(rows.map(({ description, spoken }) => [description, spoken])).toEqual([
      ["75\u202f% · CC 30 · b", "main, 75 percent of the mass, complexity 30, b"],
      ["25\u202f% · CC 2 · a", "small, 25 percent of the mass, complexity 2, a"],
    ]);
    expect(rows[0]?.action?.arguments?.[0]).toBe(uriOf(path.resolve("/w/b/app.py")));
    expect(hotspotTable(two)).toContain("small\ta/lib/small.py\t");
    expect(workspaceHotspots([root("a", [small])], uriOf)).toEqual([]);
  });

  it("take a saved file's callables in place of those that it had", () => {
    const before = root("a", [main(30, 75), small]);
    expect(hasCallablesOf(before, "lib/small.py")).toBe(true);
    expect(hasCallablesOf(before, "small.py")).toBe(false);
    const grown = make.callable("grown", { cc: 3, mass: 50, path: "small.py" });
    const after = withFile(before, "lib/small.py", [grown]);
    expect(after.callables.map(({ name, path: file }) => `${file} ${name}`)).toEqual([
      "app.py main",
      "lib/small.py grown",
    ]);
    expect(withFile(before, "lib/small.py", []).callables).toHaveLength(1);
  });

  it("do not hear of files outside, in runs, in excluded folders, or of no language", () => {
    const place = root("a", []);
    const may = (...way: string[]): boolean => mayBelong(place, path.join(place.folder, ...way));
    expect([may("x.py"), may("lib", "X.TS"), may("runs2", "x.py")]).toEqual([true, true, true]);
    expect([may("runs", "r1", "x.py"), may("node_modules", "m", "x.js"), may("x.md")]).toEqual(
      Array(3).fill(false),
    );
    expect(mayBelong(place, path.resolve("/w/ab/x.py"))).toBe(false);
  });
});

describe("more hotspots than stand at the top", () => {
  const many = Array.from({ length: 250 }, (_, index) =>
    make.callable(`f${index}`, { cc: 11, mass: 250 - index, start: index * 10 + 1, end: index * 10 + 9 }),
  );
  const totalMass = many.reduce((sum, { mass }) => sum + mass, 0);
  const last = <T>(all: readonly T[]): T | undefined => all.at(-1);
  const below = async (rows: readonly TreeNode[]): Promise<readonly TreeNode[]> =>
    (await last(rows)?.children()) ?? [];

  it("are folded by the hundred, each exactly once, with what they hold together", async () => {
    const report = make.report({ functions: many, overall: make.totals({ totalMass }) });
    const rows = hotspotRows(fileHotspots([{ uri: "file:///a.py", report }]));
    expect(rows.length).toBe(13);
    expect(last(rows)).toMatchObject({
      ...{ label: "238 more", description: "91\u202f% together" },
      spoken: "238 more, 91 percent of the mass together",
    });
    const page = await below(rows);
    expect(page.length).toBe(101);
    expect(last(page)?.label).toBe("138 more");
    const second = await below(page);
    const third = await below(second);
    const shown = [...rows, ...page, ...second, ...third].filter(({ contextValue }) => contextValue !== FOLD);
    expect(shown.map(({ label }) => label)).toEqual(many.map(({ name }) => name));
  });

  it("of a run are read when they are asked for", async () => {
    const turn = make.turn(1, {
      quality: { ...make.quality({ totalMass, totalFunctions: 250 }), heaviest: many.slice(0, 12) },
    });
    const [part] = make.run("/runs/a", [turn]).problems;
    if (part === undefined) throw new Error("no turns");
    const placed = (callables: readonly CallableMetrics[] | undefined) =>
      turnHotspots(part, turn, undefined, callables).map((one) => ({ ...one, uri: "file:///s/app.py" }));
    let reads = 0;
    const read = () => {
      reads++;
      return Promise.resolve(placed(many));
    };
    const rows = hotspotRows(placed(undefined), { count: 238, read });
    expect([last(rows)?.label, last(rows)?.description, reads]).toEqual([
      "238 more",
      "91\u202f% together",
      0,
    ]);
    expect((await last(rows)?.children())?.[0]?.label).toBe("f12");
    expect(reads).toBe(1);
    expect(hotspotRows(placed(many)).map(({ id }) => id)).toEqual(rows.map(({ id }) => id));
  });
});

describe("the spark line", () => {
  it("rises to the top at the largest value, in a colour for each kind of theme", () => {
    const { dark, light } = sparkIcon([0, 5, 10], HIGH_SPARK);
    expect(svgOf(dark)).toContain('d="M2 14L8 8L14 2" fill="none" stroke="#D9923A"');
    expect(svgOf(light)).toContain('stroke="#B35900"');
    expect(svgOf(sparkIcon([1], LOW_SPARK).dark)).toContain('stroke="#8D8D8D"');
  });

  it("is interrupted where a value is missing", () => {
    expect(svgOf(sparkIcon([10, undefined, 10, 5], HIGH_SPARK).dark)).toContain('d="M2 2M10 2L14 8"');
  });
});
