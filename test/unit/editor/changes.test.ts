import path from "node:path";
import { describe, expect, it } from "vitest";
import { SlopLensError } from "../../../src/core/model/errors.js";
import { TurnFiles } from "../../../src/editor/library/turn-files.js";
import { readOutcomes, readRun } from "../../../src/editor/reading.js";
import * as make from "./support.js";

const DESK = path.resolve(import.meta.dirname, "../../fixtures/editor-runs/imported/desk");
const files = new TurnFiles(readOutcomes);
const first = make.turn(1, { folder: path.join(DESK, "checkpoint_1") });
const second = make.turn(2, { folder: path.join(DESK, "checkpoint_2") });

describe("what changed between two snapshots", () => {
  it("holds what was changed, added and deleted, the earlier file before the later, and nothing that is equal", async () => {
    const at = (turn: typeof first, name: string): string => path.join(turn.folder, "snapshot", name);
    expect(await files.changes(first, second)).toEqual([
      { before: at(first, "desk.py"), now: at(second, "desk.py") },
      { before: undefined, now: at(second, "fresh.py") },
      { before: at(first, "old.py"), now: undefined },
    ]);
  });

  it("is nothing between a snapshot and itself", async () => {
    expect(await files.changes(second, second)).toEqual([]);
  });
});

describe("a folder that is opened as a run and is none", () => {
  it("is told so, with what a run folder looks like", async () => {
    const error: unknown = await readRun(path.join(DESK, "checkpoint_1/snapshot")).catch((it: unknown) => it);
    expect(error).toBeInstanceOf(SlopLensError);
    expect(error).toMatchObject({
      code: "run-folder",
      message: expect.stringMatching(/snapshot is not a run folder$/) as unknown,
      hint: expect.stringContaining("checkpoint_1, checkpoint_2") as unknown,
    });
  });
});
