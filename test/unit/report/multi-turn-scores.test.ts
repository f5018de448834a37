import { describe, expect, it } from "vitest";
import {
  agreement,
  completion,
  failStop,
  firstFailure,
  meanAttemptScore,
  multiTurnScore,
  passAtK,
  reliability,
  successFromReference,
  type AttemptedProblem,
} from "../../../src/core/report/multi-turn-scores.js";

const attempt = (...passed: (0 | 1)[]) => passed.map((one) => one === 1);

const A: AttemptedProblem = {
  name: "A",
  checkpoints: 3,
  attempts: [attempt(1, 1, 0), attempt(1, 0, 0), attempt(0, 0, 0), attempt(1, 1, 1)],
};
const B: AttemptedProblem = { name: "B", checkpoints: 2, attempts: [attempt(0, 1), attempt(1, 0)] };

describe("scores over attempts", () => {
  it("mask what lies behind the first failure", () => {
    expect(failStop(attempt(0, 1))).toEqual([false, false]);
    expect(failStop(attempt(1, 0, 1))).toEqual([true, false, false]);
    expect(failStop(attempt(1, 1))).toEqual([true, true]);
  });

  it("take the union of attempts at each checkpoint for MT@k, problems weighing the same", () => {
    expect(multiTurnScore([A, B], 4)).toBe(0.75);
    expect(multiTurnScore([A], 4)).toBe(1);
    expect(multiTurnScore([B], 4)).toBe(0.5);
    expect(multiTurnScore([A], 1)).toBeCloseTo(2 / 3);
    expect(multiTurnScore([], 4)).toBe(0);
  });

  it("divide by declared checkpoints, however early an attempt was given up", () => {
    const early = { name: "early", checkpoints: 3, attempts: [attempt(1, 0)] };
    expect(meanAttemptScore([early])).toBeCloseTo(1 / 3);
    expect(multiTurnScore([early], 1)).toBeCloseTo(1 / 3);
    expect(completion([{ ...early, attempts: [attempt(1, 1)] }], 1)).toBe(0);
  });

  it("average over attempts", () => {
    expect(meanAttemptScore([A, B])).toBe(0.375);
  });

  it("count problems that an attempt completed", () => {
    expect(completion([A, B], 4)).toBe(0.5);
    expect(completion([A, B], 3)).toBe(0);
  });

  it("weigh the success from reference by checkpoints and by problems", () => {
    const fromReference = [
      { ...A, attempts: [attempt(1, 1, 1)] },
      { ...B, attempts: [attempt(1, 0)] },
    ];
    expect(successFromReference(fromReference)).toEqual({ micro: 0.8, macro: 0.75 });
    expect(successFromReference([{ ...B, attempts: [attempt(0, 1)] }]).micro).toBe(0.5);
    expect(successFromReference([])).toEqual({ micro: 0, macro: 0 });
  });

  it("tell aptitude from consistency", () => {
    expect(agreement(A)[0]).toEqual({ aptitude: true, consistent: false, passed: 0.75 });
    expect(agreement(B)).toEqual([
      { aptitude: true, consistent: false, passed: 0.5 },
      { aptitude: false, consistent: false, passed: 0 },
    ]);
    const steady = agreement({ name: "C", checkpoints: 2, attempts: [attempt(1, 1), attempt(1, 0)] });
    expect(reliability(steady)).toBe(0.5);
    expect(reliability(agreement({ name: "D", checkpoints: 1, attempts: [] }))).toBeUndefined();
  });

  it("estimate pass@k without bias", () => {
    expect(passAtK(4, 1, 1)).toBe(0.25);
    expect(passAtK(4, 1, 2)).toBe(0.5);
    expect(passAtK(5, 2, 3)).toBeCloseTo(0.9);
    expect(passAtK(4, 3, 2)).toBe(1);
    expect(passAtK(4, 0, 2)).toBe(0);
    expect(passAtK(1, 1, 2)).toBeUndefined();
  });

  it("place the first failure", () => {
    expect(firstFailure(attempt(1, 0, 1), 3)).toBeCloseTo(2 / 3);
    expect(firstFailure(attempt(1), 4)).toBe(0.5);
    expect(firstFailure(attempt(1, 1), 2)).toBeUndefined();
  });
});
