import path from "node:path";
import { describe, expect, it } from "vitest";
import type { Turn } from "../../../src/core/model/turn.js";
import { failureText } from "../../../src/editor/library/failure-text.js";
import { TurnFiles } from "../../../src/editor/library/turn-files.js";
import { readOutcomes, readRuns } from "../../../src/editor/reading.js";
import { runRows } from "../../../src/editor/tree/run-rows.js";
import { DEFAULT_OPTIONS } from "../../../src/editor/tree/view-options.js";
import * as make from "./support.js";

const RUNS = path.resolve(import.meta.dirname, "../../fixtures/editor-runs");
const runs = await readRuns(RUNS);
const files = new TurnFiles(readOutcomes);

function turnOf(id: string): Turn {
  const turn = runs
    .flatMap(({ problems }) => problems.flatMap(({ turns }) => turns))
    .find((one) => one.id === id);
  if (turn === undefined) throw new Error(`no turn ${id}`);
  return turn;
}

async function failureOf(id: string): Promise<string> {
  const turn = turnOf(id);
  const failed = turn.outcomes.find(({ status }) => status === "failed");
  if (failed === undefined) throw new Error(`${id} has no failure`);
  expect(failed.message).toBeUndefined();
  return failureText(turn, (await files.outcome(turn, failed)) ?? failed);
}

describe("the failures of a run that was read from disk", () => {
  it("are told in the words of the report, for imported runs", async () => {
    const text = await failureOf("desk/checkpoint_2");
    expect(text).toContain("failed at desk, checkpoint 2");
    expect(text).toContain("Core test of test_checkpoint_2.py, line 19, 250 ms");
    expect(text).toContain("E       AssertionError: the dropped cup is still listed");
  });

  it("are told in the words of the report, for runs of ours", async () => {
    const text = await failureOf("tray/checkpoint_1");
    expect(text).toContain("test_tips[two cups]");
    expect(text).toContain("E   AssertionError: exit code 1, expected 0");
  });

  it("stand in the rows of an unfolded group, beside the durations of what passed", async () => {
    const rows = await make.draw(
      runRows({
        state: make.state({ runs }),
        files,
        measure: () => undefined,
        check: () => undefined,
        options: DEFAULT_OPTIONS,
      }),
    );
    const desk = rows.indexOf("    (error) Checkpoint 2 | 1 failed");
    const tests = rows.slice(desk).map((row) => row.trim());
    expect(tests).toContain("(error) lists after drop | the dropped cup is still listed");
    expect(tests).toContain("(pass) drops | 40 ms");
  });

  it("are not read while a turn is in progress, because it tells them itself", async () => {
    const live = make.turn(1, {
      verdict: undefined,
      outcomes: [make.outcome("test_a", { status: "failed" })],
    });
    expect(await new TurnFiles(() => Promise.reject(new Error("read"))).outcomes(live)).toBe(live.outcomes);
  });
});
