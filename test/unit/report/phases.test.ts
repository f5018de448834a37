import { expect, it } from "vitest";
import { phaseOf, PROGRESS_PHASES } from "../../../src/core/report/phases.js";

const phases = (checkpoints: number) =>
  Array.from({ length: checkpoints }, (_, index) => phaseOf(index + 1, checkpoints));

it("gives each of five checkpoints a phase of its own", () => {
  expect(phases(5)).toEqual([...PROGRESS_PHASES]);
});

it("rounds up, so that the last checkpoint is always final", () => {
  expect(phases(7)).toEqual(["Start", "Early", "Mid", "Mid", "Late", "Final", "Final"]);
  expect(phases(3)).toEqual(["Early", "Late", "Final"]);
  expect(phases(1)).toEqual(["Final"]);
});

it("keeps a checkpoint beyond the declared ones in the last phase", () => {
  expect(phaseOf(9, 8)).toBe("Final");
  expect(phaseOf(1, 0)).toBe("Final");
});
