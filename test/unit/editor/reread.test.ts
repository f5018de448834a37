import { describe, expect, it } from "vitest";
import { SlopLensError } from "../../../src/core/model/errors.js";
import type { Run } from "../../../src/core/model/run.js";
import { staleAfter } from "../../../src/editor/library/disk-changes.js";
import { Library } from "../../../src/editor/library/library.js";
import * as make from "./support.js";

const NOTHING = new Set<string>();

describe("staleAfter", () => {
  const known = {
    runs: [{ folder: "/w/runs/a" }, { folder: "/w/runs/b" }],
    packs: [{ folder: "/w/shelf" }, { folder: "/w/forge" }],
  };
  const after = (changed: readonly string[], live = NOTHING) => staleAfter(changed, known, live);

  it.each([
    ["a record of a run", "/w/runs/a/shelf/checkpoint_1/slop-lens.json", { runs: ["/w/runs/a"] }],
    ["the folder of a run", "/w/runs/b", { runs: ["/w/runs/b"] }],
    ["a folder above runs", "/w/runs", { runs: ["/w/runs/a", "/w/runs/b"] }],
    ["a test of a pack", "/w/forge/tests/conftest.py", { packs: ["/w/forge"] }],
    [
      "a run of a name that begins like a known one's",
      "/w/runs/ab/config.yaml",
      { unknown: ["/w/runs/ab/config.yaml"] },
    ],
    ["a new pack", "/w/new/config.yaml", { unknown: ["/w/new/config.yaml"] }],
    ["what a snapshot holds", "/w/runs/a/shelf/checkpoint_1/snapshot/config.yaml", {}],
    ["what becomes a snapshot", "/w/runs/a/shelf/checkpoint_1/.snapshot.tmp/conftest.py", {}],
  ])("finds what belongs to %s", (_, place, stale) => {
    expect(after([place])).toEqual({ runs: [], packs: [], unknown: [], ...stale });
  });

  it("leaves a live run to its events, but not when its folder or one above is touched", () => {
    const live = new Set(["/w/runs/a"]);
    expect(after(["/w/runs/a/slop-lens.json"], live).runs).toEqual([]);
    expect(after(["/w/runs/a"], live).runs).toEqual(["/w/runs/a"]);
    expect(after(["/w"], live).runs).toEqual(["/w/runs/a", "/w/runs/b"]);
  });
});

/** A disk whose runs can be changed, and what was read of it. */
function disk(...folders: string[]) {
  const there = new Set(folders);
  const read: string[] = [];
  const missing = (folder: string): SlopLensError =>
    new SlopLensError("run-folder", `${folder} does not exist`);
  const run = (folder: string): Promise<Run> => {
    read.push(folder);
    return there.has(folder)
      ? Promise.resolve(make.run(folder, [make.turn(1)]))
      : Promise.reject(missing(folder));
  };
  const library = new Library({
    ...make.NO_DISK,
    packs: (folder) => {
      read.push(folder);
      if (folder === "/gone") return Promise.reject(missing(folder));
      const packs = [make.problem("shelf", 2), make.problem("forge", 2)].map(make.pack);
      return Promise.resolve(folder === "/packs" ? packs : packs.filter((pack) => pack.folder === folder));
    },
    runs: () => Promise.all([...there].map(run)),
    runFolders: () => Promise.resolve([...there]),
    run,
    isThere: (place) => Promise.resolve(there.has(place) || place === "/packs"),
  });
  return { there, read, library };
}

const ROOTS = ["/packs"];

describe("Library.update", () => {
  it("reads the run that changed and leaves all others the same objects", async () => {
    const { library, read } = disk("/packs/runs/a", "/packs/runs/b", "/packs/runs/c");
    await library.load(ROOTS);
    const before = new Map(library.state.runs.map((run) => [run.folder, run]));
    read.length = 0;
    await library.update(new Set(["/packs/runs/b/shelf/checkpoint_1/evaluation.json"]), ROOTS);
    expect(read).toEqual(["/packs/runs/b"]);
    const changed = library.state.runs.filter((run) => before.get(run.folder) !== run);
    expect(changed.map(({ folder }) => folder)).toEqual(["/packs/runs/b"]);
  });

  it("takes in a run that came and lets one go that went, and reads no other", async () => {
    const { library, read, there } = disk("/packs/runs/a", "/packs/runs/b");
    await library.load(ROOTS);
    there.delete("/packs/runs/a");
    there.add("/packs/runs/new");
    read.length = 0;
    await library.update(new Set(["/packs/runs/a", "/packs/runs/new/slop-lens.json"]), ROOTS);
    expect(library.state.runs.map(({ folder }) => folder).sort()).toEqual([
      "/packs/runs/b",
      "/packs/runs/new",
    ]);
    expect(read).toEqual(["/packs/runs/a", "/packs/runs/new"]);
  });

  it("reads a pack that changed and neither its neighbours nor any run", async () => {
    const { library, read } = disk("/packs/runs/a");
    await library.load(ROOTS);
    const [forge] = library.state.packs;
    read.length = 0;
    await library.update(new Set(["/packs/shelf/checkpoint_1.md"]), ROOTS);
    expect(read).toEqual(["/packs/shelf"]);
    expect(library.state.packs.map(({ name }) => name)).toEqual(["forge", "shelf"]);
    expect(library.state.packs[0]).toBe(forge);
  });

  it("gives up on a live run whose folder went, tells it, and does not take it back at its last word", async () => {
    const { library, there } = disk("/packs/runs/a");
    await library.load(ROOTS);
    const live = make.run("/packs/runs/live", [], { state: "running" });
    const lost: string[] = [];
    library.onDidLose((folder) => lost.push(folder));
    library.apply({ type: "run-started", run: live });
    there.add(live.folder);
    await library.update(new Set(["/packs/runs/a/slop-lens.json"]), ROOTS);
    expect(library.state.runs).toHaveLength(2);
    expect(lost).toEqual([]);

    there.delete(live.folder);
    await library.update(new Set([live.folder]), ROOTS);
    library.apply({ type: "run-finished", run: { ...live, state: "cancelled" } });
    await library.abandon(live.folder);
    expect(lost).toEqual([live.folder]);
    expect(library.state.runs.map(({ folder }) => folder)).toEqual(["/packs/runs/a"]);
  });

  it("shows the packs of the other folders when one is gone, and names that one", async () => {
    const { library } = disk();
    const troubles = await library.load(["/gone", "/packs"]);
    expect(troubles.map(({ folder }) => folder)).toEqual(["/gone"]);
    expect(library.state.packs).toHaveLength(2);
  });

  it("goes on reading after a reading that failed", async () => {
    let fails = true;
    const library = new Library({
      ...make.NO_DISK,
      runs: () => (fails ? Promise.reject(new Error("no")) : Promise.resolve([make.run("/runs/a", [])])),
    });
    await expect(library.load(ROOTS)).rejects.toThrow("no");
    fails = false;
    await library.load(ROOTS);
    expect(library.state.runs).toHaveLength(1);
  });
});
