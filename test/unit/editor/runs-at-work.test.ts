import { describe, expect, it } from "vitest";
import type { Run } from "../../../src/core/model/run.js";
import { RunsAtWork } from "../../../src/editor/run/runs-at-work.js";
import type { ChoiceStore } from "../../../src/editor/tree/view-choices.js";
import * as make from "./support.js";

function memory(): ChoiceStore {
  const kept = new Map<string, unknown>();
  return {
    get: (key) => kept.get(key),
    update: (key, value) => {
      kept.set(key, value);
      return Promise.resolve();
    },
  };
}

const run = (name: string, state: Run["state"]): Run => make.run(`/runs/${name}`, [], { state });
const namesOf = (runs: readonly Run[]): string[] => runs.map(({ folder }) => folder.slice(6));

describe("RunsAtWork", () => {
  it("tells the next window what was in progress, and neither what ended nor what it begins itself", async () => {
    const store = memory();
    const before = new RunsAtWork(store);
    for (const name of ["cut", "ended", "cancelled", "closing"]) await before.begin(`/runs/${name}`);
    await before.end("/runs/ended");
    const now = new RunsAtWork(store);
    await now.begin("/runs/own");
    const runs = [
      run("cut", "interrupted"),
      run("ended", "finished"),
      run("cancelled", "cancelled"),
      run("closing", "running"),
      run("own", "running"),
      run("older", "interrupted"),
    ];
    const { interrupted, ending, over } = now.left(runs);
    expect([interrupted, ending, over].map(namesOf)).toEqual([["cut"], ["closing"], ["cancelled"]]);
  });

  it("tells of each run once", async () => {
    const store = memory();
    await new RunsAtWork(store).begin("/runs/cut");
    const now = new RunsAtWork(store);
    await now.end("/runs/cut");
    expect(namesOf(now.left([run("cut", "interrupted")]).interrupted)).toEqual([]);
    expect(namesOf(new RunsAtWork(store).left([run("cut", "interrupted")]).interrupted)).toEqual([]);
  });

  it("takes what another hand stored for nothing", () => {
    const store = { get: () => ({ folder: 1 }), update: () => Promise.resolve() };
    expect(new RunsAtWork(store).left([run("cut", "interrupted")]).interrupted).toEqual([]);
  });
});
