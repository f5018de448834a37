import { describe, expect, it } from "vitest";
import { Forest, type Handle } from "../../../src/editor/tree/forest.js";
import { problemRows } from "../../../src/editor/tree/problem-rows.js";
import { runRows } from "../../../src/editor/tree/run-rows.js";
import { findEntries, searchEntries } from "../../../src/editor/tree/search-index.js";
import { FOLD } from "../../../src/editor/tree/test-rows.js";
import { DEFAULT_OPTIONS } from "../../../src/editor/tree/view-options.js";
import * as make from "./support.js";

const many = [1, 2, 3, 4, 5, 6, 7].map((index) => make.outcome(`test_moves_${index}`));
const turns = [
  make.turn(1, { outcomes: [...many, make.outcome("test_drops")] }),
  make.turn(2, {
    verdict: "failed",
    outcomes: [make.outcome("test_drops", { group: "Regression", status: "failed" })],
  }),
];
const loose = make.run("/runs/c", [], {
  problems: [{ problem: "loose", folder: "/runs/c/loose", turns: [make.turn(1, { outcomes: many })] }],
});
const state = make.state({
  packs: [make.pack(make.problem("shelf", 2)), make.pack(make.problem("other", 1))],
  runs: [make.run("/runs/a", turns), loose],
});
const entries = searchEntries(state);
const found = (query: string): string[] =>
  findEntries(entries, query, 50).map(({ kind, label, description }) => `${kind}: ${label} | ${description}`);

describe("search", () => {
  it("finds problems, runs, checkpoints and tests by all words, what begins with them first", () => {
    expect(found("shelf").slice(0, 2)).toEqual([
      "problem: shelf | problem",
      expect.stringMatching(/^run: command · just-solve \| shelf · \d+ Jun/),
    ]);
    expect(found("shelf CHECKPOINT 2")).toEqual([
      "checkpoint: Checkpoint 2 | shelf · failed",
      "test: moves 2 | passed · shelf, checkpoint 1",
      "test: drops | failed · shelf, checkpoint 2",
    ]);
    expect(found("other")).toEqual(["problem: other | problem", "checkpoint: Checkpoint 1 | other"]);
    expect(found("nothing like this")).toEqual([]);
  });

  it("shows each test once, where it was run last", () => {
    expect(found("drops")).toEqual(["test: drops | failed · shelf, checkpoint 2"]);
  });

  it("gives back no more than asked for", () => {
    expect(findEntries(entries, "", 3)).toHaveLength(3);
  });

  it("leads to rows that are there, also to those that are folded away", async () => {
    const sources = {
      state,
      files: make.FILES,
      measure: () => undefined,
      check: () => undefined,
      options: DEFAULT_OPTIONS,
    };
    const forests = {
      problems: new Forest(() => problemRows(sources)),
      runs: new Forest(() => runRows(sources)),
    };
    expect(entries.filter(({ kind }) => kind === "test")).toHaveLength(15);
    for (const { view, path, label } of entries) {
      let at: Handle | undefined;
      for (const id of path()) at = await forests[view].child(at, id, (row) => row.contextValue === FOLD);
      expect(at?.node.label).toBe(label);
    }
  });
});
