import { describe, expect, it } from "vitest";
import type { CallableMetrics } from "../../../src/core/model/quality.js";
import {
  callableId,
  followCallable,
  type SnapshotCallables,
} from "../../../src/core/report/follow-callable.js";
import { callable } from "../editor/support.js";

const WORK = ["items = load()", "for item in items:", "    show(item)", "save(items)", "return 0"];

/** A snapshot of functions by their names, each with its body. */
function snapshot(
  functions: Readonly<Record<string, readonly string[]>>,
  path = "app.py",
): SnapshotCallables {
  const callables = Object.keys(functions).map((name) => callable(name, { path }));
  const linesOf = ({ name }: CallableMetrics) =>
    Promise.resolve([`def ${name}():`, ...(functions[name] ?? [])]);
  return { callables, totalMass: 10, linesOf };
}

async function names(
  snapshots: readonly (SnapshotCallables | undefined)[],
  at: number,
  id: string,
): Promise<(string | undefined)[]> {
  const found = await followCallable(snapshots, at, id);
  return found.map((one) => one && callableId(one));
}

describe("following a callable", () => {
  it("goes by path and name, forwards and backwards, and says where it is not", async () => {
    const all = [
      snapshot({ load: [] }),
      snapshot({ load: [], main: WORK }),
      snapshot({ main: ["return 1"] }),
    ];
    expect(await names(all, 1, "app.py#main")).toEqual([undefined, "app.py#main", "app.py#main"]);
  });

  it("knows a renamed callable by its body, also when it has grown", async () => {
    const grown = [...WORK, "print(1)", "print(2)", "print(3)", "print(4)"];
    const all = [snapshot({ run: WORK }), snapshot({ main: grown }), snapshot({ main: grown })];
    expect(await names(all, 2, "app.py#main")).toEqual(["app.py#run", "app.py#main", "app.py#main"]);
    expect(await names(all, 0, "app.py#run")).toEqual(["app.py#run", "app.py#main", "app.py#main"]);
  });

  it("knows one that moved to another file", async () => {
    const all = [snapshot({ main: WORK }), snapshot({ main: WORK }, "cli.py")];
    expect(await names(all, 0, "app.py#main")).toEqual(["app.py#main", "cli.py#main"]);
  });

  it("takes no callable that was there before under its own name, and none that only looks alike in a line or two", async () => {
    const copied = [snapshot({ run: WORK, other: WORK }), snapshot({ other: WORK, short: WORK.slice(0, 2) })];
    expect(await names(copied, 0, "app.py#run")).toEqual(["app.py#run", undefined]);
  });

  it("goes on over checkpoints without a snapshot or without the callable", async () => {
    const all = [snapshot({ main: WORK }), undefined, snapshot({ load: [] }), snapshot({ main: WORK })];
    expect(await names(all, 0, "app.py#main")).toEqual(["app.py#main", undefined, undefined, "app.py#main"]);
  });

  it("finds nothing when the callable is not where it was pointed at", async () => {
    expect(await names([snapshot({ main: WORK })], 0, "app.py#gone")).toEqual([undefined]);
    expect(await names([undefined], 0, "app.py#main")).toEqual([undefined]);
  });
});
