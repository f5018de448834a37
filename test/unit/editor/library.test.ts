import { describe, expect, it } from "vitest";
import type { Run } from "../../../src/core/model/run.js";
import { Library } from "../../../src/editor/library/library.js";
import {
  holdsKnown,
  problemNamed,
  progressKey,
  shownRun,
  turnOfFile,
} from "../../../src/editor/library/state.js";
import * as make from "./support.js";

function library(stored: readonly Run[] = []): Library {
  return new Library({
    ...make.NO_DISK,
    packs: (folder) =>
      Promise.resolve([make.pack({ ...make.problem("shelf", 2), folder: `${folder}/shelf` })]),
    runs: () => Promise.resolve(stored),
    run: (folder) => Promise.resolve(make.run(folder, [make.turn(1)], { state: "interrupted" })),
  });
}

const live = make.run("/runs/live", [make.turn(1, { verdict: "not-reached" })], {
  state: "running",
  startedAt: "2026-07-01T00:00:00",
});
const old = make.run("/runs/old", [make.turn(1)]);

describe("Library", () => {
  it("orders runs by their start, newest first, and packs by name", async () => {
    const shelves = library([old, make.run("/runs/new", [], { startedAt: "2026-08-01T00:00:00" })]);
    await shelves.load(["/b", "/a", "/a"]);
    expect(shelves.state.runs.map(({ folder }) => folder)).toEqual(["/runs/new", "/runs/old"]);
    expect(shelves.state.packs.map(({ folder }) => folder)).toEqual(["/b/shelf", "/a/shelf"]);
  });

  it("shows runs while the others are read the first time, and changes in one step after that", async () => {
    const other = make.run("/runs/other", [], { startedAt: "2026-08-01T00:00:00" });
    const seen: string[][] = [];
    const shelves = new Library({
      ...make.NO_DISK,
      runs: (_, tell) => {
        tell(old);
        tell(other);
        return Promise.resolve([old, other]);
      },
      run: (folder) => Promise.resolve(make.run(folder, [])),
    });
    shelves.onDidChange(({ runs }) => seen.push(runs.map(({ folder }) => folder)));

    await shelves.load(["/runs"]);
    expect(seen).toEqual([["/runs/old"], ["/runs/other", "/runs/old"], ["/runs/other", "/runs/old"]]);
    await shelves.load(["/runs"]);
    expect(seen.slice(3)).toEqual([["/runs/other", "/runs/old"]]);
  });

  it("keeps what was found in hidden tests over readings of the packs, until they are looked into again", async () => {
    const shelves = library();
    await shelves.load(["/a"]);
    const fault = {
      file: "/a/shelf/tests/x.py",
      line: 1,
      column: 1,
      message: "m",
      severity: "error",
    } as const;
    shelves.keepTestFaults(new Map([["/a/shelf", [fault]]]));
    await shelves.load(["/a"]);
    expect(shelves.state.packs.map(({ problem, faults }) => [problem?.name, faults])).toEqual([
      ["shelf", [fault]],
    ]);
    shelves.keepTestFaults(new Map());
    expect(shelves.state.packs.flatMap(({ faults }) => faults)).toEqual([]);
  });

  it("follows a live run, selects it, and keeps it over a reading of the disk", async () => {
    const shelves = library([old, { ...live, state: "interrupted" }]);
    await shelves.load(["/a"]);
    shelves.apply({ type: "run-started", run: live });
    const turn = make.turn(1, { verdict: undefined });
    const progress = make.NO_PROGRESS;
    shelves.apply({ type: "turn-progress", folder: live.folder, turn, progress });
    await shelves.load(["/a"]);
    const shown = shownRun(shelves.state, { name: "shelf", folder: "/a/shelf" });
    expect(shown?.run).toMatchObject({ folder: "/runs/live", state: "running" });
    expect(shown?.part.turns).toEqual([turn]);
    expect(shelves.state.progress.get(progressKey(live.folder, turn.id))).toBe(progress);
    shelves.apply({ type: "turn-finished", folder: live.folder, turn: make.turn(1) });
    expect(shelves.state.progress.size).toBe(0);
  });

  it("takes the last word of a run, and then what the disk says", async () => {
    const shelves = library([{ ...live, state: "cancelled" }]);
    shelves.apply({ type: "run-started", run: live });
    shelves.apply({ type: "run-finished", run: { ...live, state: "finished" } });
    expect(shelves.state.runs.map(({ state }) => state)).toEqual(["finished"]);
    await shelves.load(["/a"]);
    expect(shelves.state.runs.map(({ state }) => state)).toEqual(["cancelled"]);
  });

  it("does not hold on to its own run when that is cancelled before anything finished", async () => {
    const shelves = library([old]);
    await shelves.load(["/a"]);
    shelves.apply({ type: "run-started", run: live });
    expect(shownRun(shelves.state, { name: "shelf", folder: "/a/shelf" })?.run.folder).toBe(live.folder);
    shelves.apply({ type: "run-finished", run: { ...live, state: "cancelled" } });
    expect(shownRun(shelves.state, { name: "shelf", folder: "/a/shelf" })?.run.folder).toBe(old.folder);
  });

  it("reads from the disk what a runner left without a word", async () => {
    const shelves = library();
    shelves.apply({ type: "run-started", run: live });
    await shelves.abandon(live.folder);
    expect(shelves.state.runs.map(({ state }) => state)).toEqual(["interrupted"]);
    await shelves.abandon("/runs/unknown");
    expect(shelves.state.runs).toHaveLength(1);
  });

  it("ignores events of runs that it does not know", () => {
    const shelves = library();
    shelves.apply({ type: "turn-finished", folder: "/runs/x", turn: make.turn(1) });
    expect(shelves.state.runs).toEqual([]);
  });

  it("keeps opened folders over a reading and forgets deleted runs", async () => {
    const shelves = library();
    await shelves.open("/elsewhere");
    await shelves.load(["/a"]);
    expect(shelves.state.runs.map(({ folder }) => folder)).toEqual(["/elsewhere"]);
    expect(shelves.state.selectedRun).toBe("/elsewhere");
    shelves.forget("/elsewhere");
    expect(shelves.state).toMatchObject({ runs: [], selectedRun: undefined });
  });

  it("tells listeners until they leave", () => {
    const shelves = library();
    const heard: (string | undefined)[] = [];
    const stop = shelves.onDidChange(({ selectedRun }) => heard.push(selectedRun));
    shelves.select("/runs/a");
    shelves.select("/runs/a");
    stop();
    shelves.select("/runs/b");
    expect(heard).toEqual(["/runs/a"]);
  });
});

describe("holdsKnown", () => {
  const state = make.state({
    packs: [make.pack(make.problem("shelf", 1))],
    runs: [make.run("/runs/a", [make.turn(1)])],
  });

  it.each([
    ["/runs", true],
    ["/runs/a", true],
    ["/runs/a/shelf/checkpoint_1", true],
    ["/packs/shelf", true],
    ["/runs/a/shelf/checkpoint_1/snapshot", false],
    ["/runs/ab", false],
    ["/node_modules", false],
  ])("%s: %s", (folder, expected) => {
    expect(holdsKnown(state, folder)).toBe(expected);
  });
});

describe("packs of one name in several roots", () => {
  const [here, there] = ["/work/a", "/work/b"].map((root) => ({
    ...make.problem("shelf", 1),
    folder: `${root}/shelf`,
  }));
  if (here === undefined || there === undefined) throw new Error("no packs");
  const own = make.run("/work/b/runs/two", [make.turn(1)]);
  const state = make.state({ packs: [here, there].map(make.pack), runs: [own] });

  it("each have the runs that lie nearest to them", () => {
    expect(shownRun(state, there)?.run).toBe(own);
    expect(shownRun(state, here)).toBeUndefined();
    expect(problemNamed(state, "shelf", own.folder)).toBe(there);
  });

  it("take a run from elsewhere into the first of them", () => {
    const foreign = make.run("/elsewhere/runs/one", [make.turn(1)]);
    const both = { ...state, runs: [foreign, own] };
    expect(shownRun(both, here)?.run).toBe(foreign);
    expect(shownRun(both, there)?.run).toBe(own);
  });

  it("are told apart by the folders of Windows too", () => {
    const packs = ["c:\\a\\shelf", "c:\\b\\shelf"].map((folder) =>
      make.pack({ ...make.problem("shelf", 1), folder }),
    );
    const found = problemNamed(make.state({ packs }), "shelf", "c:\\b\\runs\\two");
    expect(found?.folder).toBe("c:\\b\\shelf");
  });
});

describe("turnOfFile", () => {
  const [first, second] = [make.turn(1), make.turn(2)];
  const state = make.state({ runs: [old, make.run("/runs/a", [first, second])] });

  it("finds the turn whose snapshot holds a file, and the path that reports have of it", () => {
    const found = turnOfFile(state, "/runs/a/shelf/checkpoint_2/snapshot/lib/store.py");
    expect(found).toMatchObject({ run: { folder: "/runs/a" }, turn: { order: 2 }, path: "lib/store.py" });
  });

  it.each([
    "/runs/a/shelf/checkpoint_2/prompt.txt",
    "/runs/a/shelf/checkpoint_2/snapshot",
    "/runs/a/shelf/checkpoint_2/snapshots/x.py",
    "/runs/ab/shelf/checkpoint_2/snapshot/x.py",
  ])("finds none for %s", (file) => {
    expect(turnOfFile(state, file)).toBeUndefined();
  });
});
