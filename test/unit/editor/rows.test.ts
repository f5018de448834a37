import { describe, expect, it } from "vitest";
import type { Group } from "../../../src/core/model/problem.js";
import { progressKey } from "../../../src/editor/library/state.js";
import type { RowSources } from "../../../src/editor/tree/checkpoint-rows.js";
import { problemRows } from "../../../src/editor/tree/problem-rows.js";
import { runRows } from "../../../src/editor/tree/run-rows.js";
import { DEFAULT_OPTIONS } from "../../../src/editor/tree/view-options.js";
import * as make from "./support.js";

function sources(
  part: Parameters<typeof make.state>[0],
  measure: RowSources["measure"] = () => undefined,
): RowSources {
  return {
    state: make.state(part),
    files: make.FILES,
    measure,
    check: () => undefined,
    options: DEFAULT_OPTIONS,
  };
}

function count(group: Group, passed: number, failed: number): ReturnType<typeof make.turn>["counts"] {
  return { ...make.NO_COUNTS, [group]: { passed, failed, skipped: 0 } };
}

const shelf = make.problem("shelf", 3);

describe("a live run in the Problems view", () => {
  const passed = (index: number): ReturnType<typeof make.outcome> =>
    make.outcome(`test_p${index}`, { checkpoint: "checkpoint_2", group: "Functionality" });
  const first = make.turn(1, { counts: count("Core", 12, 0), quality: make.quality({ erosion: 0.41 }) });
  const second = make.turn(2, {
    verdict: undefined,
    quality: undefined,
    outcomes: [
      make.outcome("test_core", { checkpoint: "checkpoint_2" }),
      ...[1, 2, 3, 4, 5, 6, 7].map(passed),
      make.outcome("test_lists_after_drop", {
        checkpoint: "checkpoint_2",
        group: "Functionality",
        status: "failed",
        message: "def test():\n>   assert 1 == 0\nE   AssertionError: exit code 1, expected 0",
      }),
    ],
  });
  const progress = {
    ...make.NO_PROGRESS,
    running: make.test("test_missing_argument", { checkpoint: "checkpoint_2", group: "Error" }),
    queued: [
      make.test("test_unreadable_store", { checkpoint: "checkpoint_2", group: "Error" }),
      make.test("test_old[a b]", { group: "Regression" }),
    ],
  };
  const live = make.run("/runs/a", [first, second, make.turn(3, { verdict: "not-reached" })], {
    state: "running",
  });
  const rows = problemRows(
    sources({
      packs: [make.pack(shelf)],
      runs: [live],
      progress: new Map([[progressKey("/runs/a", second.id), progress]]),
    }),
  );

  it("shows failures first, folds what passed, then what runs and waits", async () => {
    expect(await make.draw(rows)).toEqual([
      "(package) shelf | 3 checkpoints · command · just-solve",
      "  (pass) Checkpoint 1 | 12 passed\u20020.41",
      "    (markdown) Spec | checkpoint_1.md",
      "    (comment) Prompt | 1.9 kB",
      "    (file-code) Snapshot | 1 file, 10 SLOC",
      "  (loading~spin) Checkpoint 2 | 9 of 12 tests, 1 failed",
      "    (markdown) Spec | checkpoint_2.md",
      "    (comment) Prompt | 1.9 kB",
      "    (file-code) Snapshot",
      "    (pass) Core | 1 of 1",
      "      (pass) core | 41 ms",
      "    (error) Functionality | 7 of 8, 1 failed",
      "      (error) lists after drop | exit code 1, expected 0",
      "      (pass) 7 passed",
      ...[1, 2, 3, 4, 5, 6, 7].map((index) => `        (pass) p${index} | 41 ms`),
      "    (loading~spin) Error | 0 of 2, running",
      "      (loading~spin) missing argument",
      "      (circle-outline) unreadable store",
      "    (circle-outline) Regression | 0 of 1, queued",
      "      (circle-outline) old [a b] | from checkpoint 1",
      "  (circle-outline) Checkpoint 3 | not reached yet",
      "    (markdown) Spec | checkpoint_3.md",
    ]);
  });

  it("speaks the standing of a checkpoint", async () => {
    const [one, two, three] = (await rows[0]?.children()) ?? [];
    expect(one?.spoken).toBe("Checkpoint 1, 12 of 12 tests passed, erosion 0.41");
    expect(two?.spoken).toBe("Checkpoint 2, 9 of 12 tests, 1 failed");
    expect(three?.spoken).toBe("Checkpoint 3, not reached yet");
  });

  it("keeps the rows of a group in place while one of them is selected", async () => {
    const group = "problem:/packs/shelf/checkpoint_2/Functionality";
    const order = ["test_p2", "test_lists_after_drop", "test_p1"].map((id) => `${group}/checkpoint_2/${id}`);
    const frozen = problemRows(
      sources({ packs: [make.pack(shelf)], runs: [live], frozen: new Map([[group, order]]) }),
    );
    const checkpoint = (await frozen[0]?.children())?.[1];
    const row = (await checkpoint?.children())?.find(({ id }) => id === group);
    const labels = ((await row?.children()) ?? []).map(({ label }) => label);
    expect(labels).toEqual(["p2", "lists after drop", "p1", "p3", "p4", "p5", "p6", "p7"]);
  });
});

describe("the Problems view", () => {
  it("shows the selected run's outcomes, and the newest run's when none is selected", async () => {
    const older = make.run("/runs/a", [make.turn(1, { counts: count("Core", 3, 0) })]);
    const newer = make.run("/runs/b", [make.turn(1, { counts: count("Core", 4, 0) })]);
    const one = make.problem("shelf", 1);
    const shown = (selectedRun: string | undefined): Promise<string[]> =>
      make.draw(problemRows(sources({ packs: [make.pack(one)], runs: [newer, older], selectedRun })), 2);
    expect((await shown(undefined))[1]).toContain("4 passed");
    expect((await shown("/runs/a"))[1]).toContain("3 passed");
  });

  it("says whose outcomes it shows, and lets no run that finished nothing hide one that did", async () => {
    const replay = { type: "replay", version: undefined, model: undefined, detail: "/recordings/rotting" };
    const done = make.run("/runs/a", [make.turn(1, { counts: count("Core", 3, 0) })], { agent: replay });
    const cancelled = make.run("/runs/b", [make.turn(1, { verdict: "not-reached" })], { state: "cancelled" });
    const packs = [make.pack(make.problem("shelf", 1))];
    const top = (part: Parameters<typeof make.state>[0]): Promise<string[]> =>
      make.draw(problemRows(sources({ packs, ...part })), 1);
    expect(await top({ runs: [cancelled, done] })).toEqual([
      "(package) shelf | 1 checkpoint · replay: rotting",
    ]);
    expect(await top({ runs: [cancelled] })).toEqual([
      "(package) shelf | 1 checkpoint · command · just-solve",
    ]);
    expect(await top({ runs: [cancelled, done], selectedRun: cancelled.folder })).toEqual([
      "(package) shelf | 1 checkpoint · command · just-solve",
    ]);
    expect(await top({ runs: [] })).toEqual(["(package) shelf | 1 checkpoint"]);
  });

  it("shows a broken pack with its message as a row that opens the place", async () => {
    const message = "unknown key timeoutt in checkpoint_2. Did you mean timeout?";
    const file = "/packs/shelf/config.yaml";
    const fault = { file, line: 14, column: 3, message, severity: "error" as const };
    const broken = {
      folder: "/packs/shelf",
      name: "shelf",
      problem: undefined,
      markers: [],
      faults: [fault],
    };
    const rows = problemRows(sources({ packs: [broken, make.pack(make.problem("other", 1))] }));
    expect((await make.draw(rows)).slice(0, 3)).toEqual([
      "(warning) shelf | config.yaml, line 14",
      `  (error) Line 14, column 3: ${message}`,
      "(package) other | 1 checkpoint",
    ]);
    const [child] = (await rows[0]?.children()) ?? [];
    expect(child?.action).toMatchObject({ arguments: [file, 14, 3] });
  });

  it("offers only what a checkpoint has", async () => {
    const turns = [make.turn(1, { quality: make.quality({}) }), make.turn(2, { quality: make.quality({}) })];
    const rows = problemRows(sources({ packs: [make.pack(shelf)], runs: [make.run("/runs/a", turns)] }));
    const traits = ((await rows[0]?.children()) ?? []).map(({ contextValue }) => contextValue);
    expect(traits).toEqual([
      "checkpoint spec folder prompt measured snapshot validatable",
      "checkpoint spec earlierSpec folder prompt measured snapshot previous validatable",
      "checkpoint spec earlierSpec",
    ]);
  });
});

describe("the Runs view", () => {
  it("groups runs by problem, with erosion, its change and the verdict", async () => {
    const turns = [
      make.turn(1, { counts: count("Core", 5, 0), quality: make.quality({ erosion: 0.414 }) }),
      make.turn(2, {
        verdict: "failed",
        counts: { ...count("Core", 2, 0), Error: { passed: 1, failed: 1, skipped: 0 } },
        quality: make.quality({ erosion: 0.826 }),
      }),
      make.turn(3, {
        verdict: "failed",
        counts: count("Core", 1, 2),
        quality: make.quality({ erosion: 0.8 }),
      }),
    ];
    const local = make.run("/runs/a", turns, { isolation: "local", prompt: "just-solve" });
    const replay = make.run("/runs/b", [make.turn(1, { verdict: "infrastructure" })], {
      agent: { type: "replay", version: undefined, model: undefined, detail: "/x/recordings/rotting/" },
      startedAt: undefined,
    });
    expect(await make.draw(runRows(sources({ runs: [local, replay] })), 3)).toEqual([
      "(folder) shelf | 2 runs",
      "  (error) command · just-solve | 0.80 · not isolated · 2 Jun 20:28",
      "    (pass) Checkpoint 1 | 5 passed\u20020.41",
      "    (circle-large-outline) Checkpoint 2 | 1 failed\u20020.83 ▲ 0.42",
      "    (error) Checkpoint 3 | 2 failed\u20020.80 ▼ 0.03",
      "  (warning) replay: rotting | infrastructure at checkpoint 1",
      "    (warning) Checkpoint 1 | infrastructure, not scored",
    ]);
  });

  it("says agent errors and interrupted runs in words", async () => {
    const turns = [make.turn(1, { verdict: "agent-timeout" }), make.turn(2, { verdict: undefined })];
    const rows = runRows(sources({ runs: [make.run("/runs/a", turns, { state: "interrupted" })] }));
    expect(await make.draw(rows, 3)).toEqual([
      "(folder) shelf | 1 run",
      "  (circle-slash) command · just-solve | agent timeout at checkpoint 1 · interrupted · 2 Jun 20:28",
      "    (circle-slash) Checkpoint 1 | agent timeout",
      "    (circle-slash) Checkpoint 2 | interrupted",
    ]);
  });

  it("asks for the measures of a checkpoint when it is unfolded, and not before", async () => {
    const turns = [make.turn(1), make.turn(2), make.turn(3, { verdict: "not-reached" })];
    const asked: string[] = [];
    const all = sources({ runs: [make.run("/runs/a", turns)] }, (wanted) => {
      asked.push(...wanted.map(({ checkpoint }) => checkpoint));
    });
    await make.draw(runRows(all), 3);
    expect(asked).toEqual([]);
    const [problem] = runRows(all);
    const checkpoints = (await (await problem?.children())?.[0]?.children()) ?? [];
    await checkpoints[1]?.children();
    expect(asked).toEqual(["checkpoint_2"]);
  });

  it("has unique ids in both trees", async () => {
    const turns = [
      make.turn(1, { outcomes: [make.outcome("test_a"), make.outcome("test_b")] }),
      make.turn(2),
    ];
    const all = sources({
      packs: [make.pack(shelf)],
      runs: [make.run("/runs/a", turns), make.run("/runs/b", turns)],
    });
    for (const rows of [problemRows(all), runRows(all)]) {
      const ids: string[] = [];
      const visit = async (list: typeof rows): Promise<void> => {
        for (const row of list) {
          ids.push(row.id);
          await visit([...(await row.children())]);
        }
      };
      await visit(rows);
      expect(ids.length).toBeGreaterThan(5);
      expect(new Set(ids).size).toBe(ids.length);
    }
  });
});
