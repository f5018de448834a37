import { describe, expect, it } from "vitest";
import { NO_COUNTS } from "../../../src/core/model/blank-turn.js";
import type { GroupCounts } from "../../../src/core/model/outcome.js";
import { passRate, SCORES, turnScore } from "../../../src/core/report/turn-scores.js";

const counts = (part: Partial<Record<keyof GroupCounts, readonly [number, number]>>): GroupCounts => ({
  ...NO_COUNTS,
  ...Object.fromEntries(
    Object.entries(part).map(([group, [passed, failed]]) => [group, { passed, failed, skipped: 1 }]),
  ),
});
const scores = (turn: Parameters<typeof turnScore>[0]) => SCORES.map((score) => turnScore(turn, score));

describe("the scores of a turn", () => {
  it("differ when only an earlier test broke", () => {
    const broken = counts({ Core: [2, 0], Error: [1, 0], Regression: [2, 1] });
    expect(scores({ verdict: "failed", counts: broken })).toEqual([0, 1, 1, 5 / 6]);
  });

  it("differ when only an error case fails", () => {
    expect(scores({ verdict: "failed", counts: counts({ Core: [2, 0], Error: [0, 1] }) })).toEqual([
      0,
      0,
      1,
      2 / 3,
    ]);
  });

  it("are 0 when nothing was reached or tested, and undefined when the machinery failed", () => {
    expect(scores({ verdict: "not-reached", counts: NO_COUNTS })).toEqual([0, 0, 0, 0]);
    expect(scores({ verdict: "agent-error", counts: NO_COUNTS })).toEqual([0, 0, 0, 0]);
    for (const verdict of ["infrastructure", "skipped", undefined] as const) {
      expect(new Set(scores({ verdict, counts: counts({ Core: [1, 0] }) }))).toEqual(new Set([undefined]));
    }
  });

  it("have no rate where no test was run", () => {
    expect(passRate(counts({ Functionality: [1, 1] }), "core")).toBeUndefined();
    expect(passRate(counts({ Functionality: [1, 1] }), "isolated")).toBe(0.5);
  });
});
