import { describe, expect, it } from "vitest";
import type { Turn } from "../../../src/core/model/turn.js";
import type { SnapshotCallables } from "../../../src/core/report/follow-callable.js";
import { CallableHistories } from "../../../src/editor/library/histories.js";
import * as make from "./support.js";

const WORK = ["    items = load()", "    for item in items:", "        show(item)", "    save(items)"];

/** Snapshots by the order of their turns, in which one function has this name; undefined where none can be read. */
function snapshotsOf(names: readonly (string | undefined)[]) {
  const read = new Set<Turn>();
  return {
    read: (turn: Turn) => {
      read.add(turn);
      return Promise.resolve();
    },
    get: (turn: Turn): SnapshotCallables | undefined => {
      const name = read.has(turn) ? names[turn.order - 1] : undefined;
      if (name === undefined) return undefined;
      const callables = [make.callable(name)];
      return { callables, totalMass: 1, linesOf: () => Promise.resolve([`def ${name}():`, ...WORK]) };
    },
  };
}

async function historyOf(names: readonly (string | undefined)[], finishedAt = "2026-01-01T00:00:00Z") {
  const turns = names.map((_, index) => make.turn(index + 1, { finishedAt }));
  const [part] = make.run("/runs/a", turns).problems;
  const last = turns.at(-1);
  if (part === undefined || last === undefined) throw new Error("no turns");
  const histories = new CallableHistories(snapshotsOf(names));
  expect(histories.get(part, last)).toBeUndefined();
  const name = names.at(-1) ?? "";
  await histories.learn(part, last, [make.callable(name)], new AbortController().signal);
  return { part, last, histories, found: histories.get(part, last)?.get(`app.py#${name}`) };
}

describe("where a callable comes from", () => {
  it("is told by name, or by body where it was renamed, and nothing is said where there is no snapshot", async () => {
    const { found } = await historyOf(["run", undefined, "start", "main"]);
    expect(found?.map((callable) => callable?.name)).toEqual(["run", undefined, "start", "main"]);
  });

  it("is asked anew when a checkpoint was taken anew", async () => {
    const { part, last, histories } = await historyOf(["run", "main"]);
    const again = { ...last, finishedAt: "2026-01-02T00:00:00Z" };
    expect(histories.get({ ...part, turns: [...part.turns.slice(0, -1), again] }, again)).toBeUndefined();
  });
});
