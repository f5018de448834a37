import { cp } from "node:fs/promises";
import path from "node:path";
import { describe, expect, it } from "vitest";
import type { Run } from "../../../src/core/model/run.js";
import type { Turn, TurnProgress } from "../../../src/core/model/turn.js";
import { RunStore } from "../../../src/core/store/run-store.js";
import type { StoreChange } from "../../../src/core/store/run-store.js";
import { exampleTurn } from "./examples.js";
import { ROOT, temporaryFolder } from "./support.js";

const FIXTURES = path.join(ROOT, "test/fixtures/runs");
const LIVE = path.resolve("/runs/live");
const TESTING: TurnProgress = { phase: "testing", detail: undefined, queued: [], running: undefined };

function liveRun(turns: readonly Turn[], state: Run["state"] = "running"): Run {
  return {
    folder: LIVE,
    agent: { type: "replay", version: undefined, model: undefined, detail: undefined },
    prompt: undefined,
    environment: undefined,
    isolation: "local",
    startedAt: "2026-06-03T12:00:00Z",
    state,
    problems: [{ problem: "ledger", folder: path.join(LIVE, "ledger"), turns }],
    faults: [],
  };
}

function listen(store: RunStore): StoreChange[] {
  const changes: StoreChange[] = [];
  store.onDidChange((change) => changes.push(change));
  return changes;
}

describe("RunStore", () => {
  it("follows a live run, turn by turn", () => {
    const store = new RunStore();
    const changes = listen(store);
    const first = { ...exampleTurn("checkpoint_1", "/x"), verdict: undefined };
    const second = { ...exampleTurn("checkpoint_2", "/y"), verdict: undefined };
    store.apply({ type: "run-started", run: liveRun([second]) });
    store.apply({ type: "turn-progress", folder: LIVE, turn: first, progress: TESTING });
    expect(store.progress(LIVE, first.id)).toBe(TESTING);
    expect(store.run(LIVE)?.problems[0]?.turns).toEqual([first, second]);
    const done = exampleTurn("checkpoint_1", "/x");
    store.apply({ type: "turn-finished", folder: LIVE, turn: done });
    expect(store.progress(LIVE, first.id)).toBeUndefined();
    expect(store.turn(LIVE, first.id)).toBe(done);
    store.apply({ type: "log", level: "info", message: "hello" });
    store.apply({ type: "run-finished", run: liveRun([done], "finished") });
    expect(store.run(LIVE)?.state).toBe("finished");
    expect(changes).toEqual([
      { type: "run", folder: LIVE },
      { type: "turn", folder: LIVE, turn: "ledger/checkpoint_1" },
      { type: "turn", folder: LIVE, turn: "ledger/checkpoint_1" },
      { type: "run", folder: LIVE },
    ]);
  });

  it("replaces values instead of changing them", () => {
    const store = new RunStore();
    store.apply({ type: "run-started", run: liveRun([]) });
    const before = store.run(LIVE);
    store.apply({ type: "turn-finished", folder: LIVE, turn: exampleTurn("checkpoint_1", "/x") });
    expect(before?.problems[0]?.turns).toEqual([]);
    expect(store.run(LIVE)).not.toBe(before);
  });

  it("does not know turns of runs that it does not have", () => {
    const store = new RunStore();
    const changes = listen(store);
    store.apply({ type: "turn-finished", folder: LIVE, turn: exampleTurn("checkpoint_1", "/x") });
    expect(store.runs).toEqual([]);
    expect(changes).toEqual([]);
  });

  it("reads folders, newest first, and forgets them", async () => {
    const store = new RunStore();
    const old = await store.add(path.join(FIXTURES, "old"));
    const recent = await store.add(path.join(FIXTURES, "recent"));
    expect(store.runs).toEqual([recent, old]);
    expect(await store.add(path.join(FIXTURES, "old"))).toBe(old);
    const changes = listen(store);
    store.remove(old.folder);
    store.remove(old.folder);
    expect(store.runs).toEqual([recent]);
    expect(changes).toEqual([{ type: "run", folder: old.folder }]);
    await expect(store.add(path.join(FIXTURES, "absent"))).rejects.toMatchObject({ code: "run-folder" });
  });

  it("reloads, but never over what a loop told meanwhile", async () => {
    const folder = path.join(await temporaryFolder(), "recent");
    await cp(path.join(FIXTURES, "recent"), folder, { recursive: true });
    const store = new RunStore();
    const first = await store.add(folder);
    const reading = store.reload(folder);
    const live = { ...first, state: "running" } as const;
    store.apply({ type: "run-started", run: live });
    expect(await reading).toBe(live);
    expect(store.run(folder)).toBe(live);
    const again = await store.reload(folder);
    expect(again).not.toBe(first);
    expect(again).toEqual(first);
  });

  it("stops telling a listener that has left", () => {
    const store = new RunStore();
    const changes: StoreChange[] = [];
    const leave = store.onDidChange((change) => changes.push(change));
    leave();
    store.apply({ type: "run-started", run: liveRun([]) });
    expect(changes).toEqual([]);
  });
});
