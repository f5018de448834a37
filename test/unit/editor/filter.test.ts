import { describe, expect, it } from "vitest";
import { problemRows } from "../../../src/editor/tree/problem-rows.js";
import { runRows } from "../../../src/editor/tree/run-rows.js";
import { ViewChoices, type ChoiceStore } from "../../../src/editor/tree/view-choices.js";
import {
  DEFAULT_OPTIONS,
  filterWords,
  sortWords,
  type OutcomeFilter,
  type ViewOptions,
} from "../../../src/editor/tree/view-options.js";
import * as make from "./support.js";

const NONE = { passed: 0, failed: 0, skipped: 0 };

/** Checkpoint 1 passes; 2 loses a test of checkpoint 1 and has a failure that never passed; 3 was never reached. */
const first = make.turn(1, {
  outcomes: [make.outcome("test_a"), make.outcome("test_b")],
  counts: { ...make.NO_COUNTS, Core: { passed: 2, failed: 0, skipped: 0 } },
});
const second = make.turn(2, {
  verdict: "failed",
  outcomes: [
    make.outcome("test_c", { checkpoint: "checkpoint_2" }),
    make.outcome("test_d", { checkpoint: "checkpoint_2", group: "Error", status: "failed", message: "E  x" }),
    make.outcome("test_a", { group: "Regression", status: "failed", message: "E   assert 1 == 0" }),
    make.outcome("test_b", { group: "Regression" }),
  ],
  counts: {
    Core: { passed: 1, failed: 0, skipped: 0 },
    Functionality: NONE,
    Error: { passed: 0, failed: 1, skipped: 0 },
    Regression: { passed: 1, failed: 1, skipped: 0 },
  },
});
const rotting = make.run("/runs/b", [first, second, make.turn(3, { verdict: "not-reached" })]);
const clean = make.run("/runs/a", [first]);

function sources(options: Partial<ViewOptions>, runs = [rotting, clean]) {
  return {
    state: make.state({
      packs: [make.pack(make.problem("shelf", 3)), make.pack(make.problem("tray", 1))],
      runs,
    }),
    files: make.FILES,
    measure: () => undefined,
    check: () => undefined,
    options: { ...DEFAULT_OPTIONS, ...options },
  };
}
const problems = async (filter: OutcomeFilter): Promise<string[]> =>
  (await make.draw(problemRows(sources({ filter })))).filter((row) => !/Spec|Prompt|Snapshot/.test(row));

describe("the outcome filter", () => {
  it("keeps the failed tests and the rows above them", async () => {
    expect(await problems({ outcomes: "failed", group: undefined })).toEqual([
      "(package) shelf | 3 checkpoints · command · just-solve",
      "  (circle-large-outline) Checkpoint 2 | 2 failed",
      "    (error) Error | 0 of 1, 1 failed",
      "      (error) d | x",
      "    (error) Regression | 1 of 2, 1 failed",
      "      (error) a | 1, expected 0  passed, failed since 2",
    ]);
  });

  it("keeps only what passed before, as regressions", async () => {
    expect((await problems({ outcomes: "regressions", group: undefined })).slice(2)).toEqual([
      "    (error) Regression | 1 of 2, 1 failed",
      "      (error) a | 1, expected 0  passed, failed since 2",
    ]);
  });

  it("keeps a group, passed tests included, alone or of what failed", async () => {
    const core = await problems({ outcomes: "all", group: "Core" });
    expect(core.map((row) => row.trim())).toEqual([
      "(package) shelf | 3 checkpoints · command · just-solve",
      "(pass) Checkpoint 1 | 2 passed",
      "(pass) Core | 2 of 2",
      "(pass) a | 41 ms",
      "(pass) b | 41 ms",
      "(circle-large-outline) Checkpoint 2 | 2 failed",
      "(pass) Core | 1 of 1",
      "(pass) c | 41 ms",
    ]);
    expect(await problems({ outcomes: "failed", group: "Core" })).toEqual([]);
  });

  it("keeps runs and checkpoints of the Runs view alike, and those that were not scored", async () => {
    const broken = make.run("/runs/c", [make.turn(1, { verdict: "infrastructure" })]);
    const filter: OutcomeFilter = { outcomes: "failed", group: undefined };
    const rows = await make.draw(runRows(sources({ filter }, [broken, rotting, clean])), 3);
    expect(rows).toEqual([
      "(folder) shelf | 2 runs",
      expect.stringContaining("(warning) command · just-solve"),
      "    (warning) Checkpoint 1 | infrastructure, not scored",
      expect.stringContaining("command · just-solve"),
      "    (circle-large-outline) Checkpoint 2 | 2 failed",
    ]);
  });

  it("is said in words", () => {
    expect(filterWords({ outcomes: "failed", group: "Core" })).toBe("failed only · Core");
    expect(filterWords({ outcomes: "regressions", group: undefined })).toBe("regressions only");
    expect(filterWords({ outcomes: "all", group: undefined })).toBe("");
    expect([sortWords("newest"), sortWords("erosion")]).toEqual(["", "by erosion"]);
  });
});

describe("hidden sources of tests", () => {
  it("leave names, times and ends, and take messages out of rows, tooltips and speech", async () => {
    const rows = problemRows(sources({ hideTests: true }));
    const checkpoint = (await rows[0]?.children())?.[1];
    const regression = (await checkpoint?.children())?.find(({ label }) => label === "Regression");
    const [a] = (await regression?.children()) ?? [];
    expect(a).toMatchObject({
      label: "a",
      description: "41 ms  passed, failed since 2",
      spoken: "a, failed, 41 ms, passed, failed since 2",
      contextValue: "test",
      action: undefined,
    });
    expect(a?.tooltip).toBe("test_a\n\nfailed, 41 ms, from checkpoint 1\n\npassed, failed since 2");
  });
});

describe("the order of runs", () => {
  const run = (folder: string, problem: string, erosion: number | undefined, model: string) => {
    const quality = erosion === undefined ? undefined : make.quality({ erosion });
    const agent = { type: "command", version: undefined, model, detail: undefined };
    const problemTurns = { problem, folder: `${folder}/${problem}`, turns: [make.turn(1, { quality })] };
    return make.run(folder, [], { agent, problems: [problemTurns] });
  };
  const runs = [
    run("/runs/4", "tray", 0.5, "kilo"),
    run("/runs/3", "shelf", 0.2, "zulu"),
    run("/runs/2", "shelf", undefined, "mike"),
    run("/runs/1", "shelf", 0.7, "alfa"),
  ];
  const order = async (sort: ViewOptions["sort"]): Promise<string[]> =>
    (await make.draw(runRows(sources({ sort }, runs)), 2)).map((row) =>
      row.replace(/^.*\) | ·.*$| \|.*$/g, ""),
    );

  it("is the newest first, by name, or the most eroded first, problems and runs alike", async () => {
    expect(await order("newest")).toEqual(["tray", "kilo", "shelf", "zulu", "mike", "alfa"]);
    expect(await order("name")).toEqual(["shelf", "alfa", "mike", "zulu", "tray", "kilo"]);
    expect(await order("erosion")).toEqual(["shelf", "alfa", "zulu", "mike", "tray", "kilo"]);
  });
});

describe("ViewChoices", () => {
  function store(values = new Map<string, unknown>()): ChoiceStore {
    return {
      get: (key) => values.get(key),
      update: (key, value) => {
        values.set(key, value);
        return Promise.resolve();
      },
    };
  }

  it("takes parts of a filter, gives them up when they are chosen again, and tells", async () => {
    const choices = new ViewChoices(store(), () => false);
    let told = 0;
    choices.onDidChange(() => (told += 1));
    await choices.toggle({ outcomes: "failed" });
    await choices.toggle({ group: "Core" });
    expect(choices.filter).toEqual({ outcomes: "failed", group: "Core" });
    await choices.toggle({ outcomes: "failed" });
    expect(choices.filter).toEqual({ outcomes: "all", group: "Core" });
    await choices.toggle({ group: "Core" });
    expect(choices.filter).toEqual({ outcomes: "all", group: undefined });
    expect(told).toBe(4);
  });

  it("comes back after a reload, and passes over what it does not know", async () => {
    const values = new Map<string, unknown>();
    const before = new ViewChoices(store(values), () => true);
    await before.toggle({ outcomes: "regressions" });
    await before.sortBy("erosion");
    const after = new ViewChoices(store(values), () => true).options;
    expect(after).toEqual({
      filter: { outcomes: "regressions", group: undefined },
      sort: "erosion",
      hideTests: true,
    });
    const odd = new ViewChoices(
      store(new Map([["slopLens.filter", { outcomes: "some", group: 3 }]])),
      () => false,
    );
    expect(odd.options).toEqual(DEFAULT_OPTIONS);
  });
});
