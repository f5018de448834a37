import { describe, expect, it } from "vitest";
import type { SnapshotCallables } from "../../../src/core/report/follow-callable.js";
import { fileToShow, playChoices, playSteps, type PlayedTurn } from "../../../src/core/report/play-steps.js";
import { callable, quality, turn } from "../editor/support.js";

const NO_LINES = () => Promise.resolve([]);

function played(order: number, part: Partial<PlayedTurn> = {}): PlayedTurn {
  const snapshot: SnapshotCallables = { callables: [], totalMass: 200, linesOf: NO_LINES };
  return { turn: turn(order), hasSnapshot: true, snapshot, followed: undefined, ...part };
}

describe("the steps of a trajectory", () => {
  it("carry erosion, and complexity and share of the followed callable", () => {
    const measured = turn(1, { quality: quality({ erosion: 0.5 }) });
    const main = callable("main", { cc: 20, mass: 50 });
    expect(playSteps([played(1, { turn: measured, followed: main })], "main")).toEqual([
      {
        ...{ order: 1, checkpoint: "checkpoint_1", verdict: "passed", erosion: 0.5, notes: [] },
        followed: { name: "main", cc: 20, mass: 50, share: 0.25 },
      },
    ]);
  });

  it("tell of a callable that is absent, renamed or moved, and of a missing snapshot", () => {
    const steps = playSteps(
      [
        played(1),
        played(2, { followed: callable("run") }),
        played(3, { hasSnapshot: false, snapshot: undefined }),
        played(4, { followed: callable("main", { path: "cli.py" }) }),
        played(5),
      ],
      "main",
    );
    expect(steps.map(({ notes }) => notes)).toEqual([
      [{ kind: "absent", name: "main" }],
      [],
      [{ kind: "no-snapshot", order: 3 }],
      [
        { kind: "renamed", from: "run", to: "main" },
        { kind: "moved", from: "app.py", to: "cli.py" },
      ],
      [{ kind: "absent", name: "main" }],
    ]);
    expect(steps[2]).toMatchObject({ erosion: null, followed: null });
  });

  it("say nothing while nobody is followed or the snapshot is not read", () => {
    expect(playSteps([played(1)], undefined)[0]?.notes).toEqual([]);
    expect(playSteps([played(1, { snapshot: undefined })], "main")[0]?.notes).toEqual([]);
  });
});

describe("the callables to follow", () => {
  const heavy = (name: string, mass: number, path = "app.py") => callable(name, { mass, path });

  it("come heaviest first, with their file where a name stands twice", () => {
    const callables = [heavy("a", 1), heavy("main", 9), heavy("main", 5, "cli.py")];
    expect(playChoices({ callables, totalMass: 15, linesOf: NO_LINES }, undefined)).toEqual([
      { id: "app.py#main", name: "main (app.py)" },
      { id: "cli.py#main", name: "main (cli.py)" },
      { id: "app.py#a", name: "a" },
    ]);
  });

  it("hold the followed one also where it is gone", () => {
    const gone = { id: "app.py#old", name: "old" };
    expect(playChoices(undefined, gone)).toEqual([gone]);
  });
});

describe("the file to show", () => {
  it("is the first wish that is there, else the first that changed, else the first", () => {
    expect(fileToShow(["a.py", "b.py"], [undefined, "gone.py", "b.py"], ["a.py"])).toBe("b.py");
    expect(fileToShow(["a.py", "b.py"], ["gone.py"], ["b.py"])).toBe("b.py");
    expect(fileToShow(["a.py", "b.py"], [], [])).toBe("a.py");
    expect(fileToShow([], ["a.py"], ["a.py"])).toBeUndefined();
  });
});
