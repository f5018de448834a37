import { describe, expect, it } from "vitest";
import type { Turn } from "../../../src/core/model/turn.js";
import { Library } from "../../../src/editor/library/library.js";
import { runRows } from "../../../src/editor/tree/run-rows.js";
import { DEFAULT_OPTIONS } from "../../../src/editor/tree/view-options.js";
import * as make from "./support.js";

const ORDERS = [1, 2, 3];
const shelf = (turns: readonly Turn[]) => make.run("/runs/a", turns, { startedAt: undefined });

/** Turns that their run did not measure; as another tool measured them where that is told. */
function turns(recorded?: readonly number[]): Turn[] {
  return ORDERS.map((order) => {
    const erosion = recorded?.[order - 1];
    return make.turn(order, {
      folder: `/runs/a/shelf/checkpoint_${order}`,
      recorded: erosion === undefined ? undefined : { erosion, verbosity: undefined },
    });
  });
}

async function library(all: readonly Turn[]): Promise<Library> {
  const shelves = new Library({ ...make.NO_DISK, runs: () => Promise.resolve([shelf(all)]) });
  await shelves.load(["/"]);
  return shelves;
}

/** What the rows of the run and of its checkpoints say behind their labels. */
async function drawn(shelves: Library): Promise<string[]> {
  const sources = {
    state: shelves.state,
    files: make.FILES,
    measure: () => undefined,
    check: () => undefined,
    options: DEFAULT_OPTIONS,
  };
  return (await make.draw(runRows(sources), 3)).slice(1).map((line) => line.split(" | ")[1] ?? "");
}

async function measure(shelves: Library, turn: Turn | undefined, erosion: number | undefined): Promise<void> {
  if (turn === undefined) throw new Error("no such turn");
  shelves.keepMeasured(turn, erosion === undefined ? undefined : make.quality({ erosion }));
  await shelves.settled;
}

describe("a run that another tool measured", () => {
  it("shows that tool's figures until all are measured, and says how many are", async () => {
    const all = turns([0.1, 0.2, 0.3]);
    const shelves = await library(all);
    expect(await drawn(shelves)).toEqual(["0.30", "0.10", "0.20 ▲ 0.10", "0.30 ▲ 0.10"]);
    await measure(shelves, all[1], 0.55);
    expect(await drawn(shelves)).toEqual(["0.30 · 1 of 3 measured", "0.10", "0.20 ▲ 0.10", "0.30 ▲ 0.10"]);
    await measure(shelves, all[0], 0.5);
    await measure(shelves, all[2], 0.6);
    expect(await drawn(shelves)).toEqual(["0.60", "0.50", "0.55 ▲ 0.05", "0.60 ▲ 0.05"]);
  });

  it("shows no figure of a checkpoint that cannot be measured beside ours", async () => {
    const all = turns([0.1, 0.2, 0.3]);
    const shelves = await library(all);
    await measure(shelves, all[0], 0.5);
    await measure(shelves, all[1], undefined);
    await measure(shelves, all[2], 0.6);
    expect(await drawn(shelves)).toEqual(["0.60", "0.50", "", "0.60"]);
  });
});

describe("a run that nobody measured", () => {
  it("has no figure of its own until all are measured, while its checkpoints have theirs", async () => {
    const all = turns();
    const shelves = await library(all);
    expect(await drawn(shelves)).toEqual(["", "", "", ""]);
    await measure(shelves, all[1], 0.55);
    expect((await drawn(shelves))[0]).toBe("1 of 3 measured");
    expect((await drawn(shelves))[2]).toBe("0.55");
    await measure(shelves, all[0], 0.5);
    await measure(shelves, all[2], 0.6);
    expect(await drawn(shelves)).toEqual(["0.60", "0.50", "0.55 ▲ 0.05", "0.60 ▲ 0.05"]);
  });
});

it("compares no figure of another tool with one of ours, where a run has both from its making", async () => {
  const [first, second] = turns([0.1]);
  if (first === undefined || second === undefined) throw new Error("no turns");
  const shelves = await library([first, { ...second, quality: make.quality({ erosion: 0.5 }) }]);
  expect((await drawn(shelves)).slice(1)).toEqual(["0.10", "0.50"]);
});
