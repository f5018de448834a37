import type { GroupCounts } from "../model/outcome.js";
import { GROUPS, type Group } from "../model/problem.js";
import type { ProblemRun, Run } from "../model/run.js";
import type { Turn } from "../model/turn.js";

/** The ways to score a turn; each is a view over its outcomes and stored nowhere. */
export const SCORES = ["strict", "isolated", "core", "partial"] as const;
export type Score = (typeof SCORES)[number];

/** Groups whose tests a score looks at. `partial` looks at all and asks for a share instead of all. */
const GROUPS_OF: Readonly<Record<Score, readonly Group[]>> = {
  strict: GROUPS,
  isolated: ["Core", "Functionality", "Error"],
  core: ["Core"],
  partial: GROUPS,
};

/**
 * Share of a turn's tests that passed, among those a score looks at (SCB's `pass_rate`, `checkpoint_pass_rate` and
 * `core_pass_rate`). Skipped tests do not count.
 * @returns 0 to 1; undefined when no test of the groups was run
 */
export function passRate(counts: GroupCounts, score: Score): number | undefined {
  let passed = 0;
  let run = 0;
  for (const group of GROUPS_OF[score]) {
    passed += counts[group].passed;
    run += counts[group].passed + counts[group].failed;
  }
  return run === 0 ? undefined : passed / run;
}

/**
 * The turns of a trajectory that scores look at. A checkpoint that was not reached counts as not passed where the run
 * ended at its agent, a failure for most; where a cancel, a crash or the machinery ended it, nothing was judged.
 */
export function scoredTurns({ turns }: Pick<ProblemRun, "turns">, { state }: Pick<Run, "state">): Turn[] {
  const last = turns.findLast(({ verdict }) => verdict !== "not-reached" && verdict !== "skipped");
  const isEndOfAgent = state === "finished" && last?.verdict !== "infrastructure";
  return turns.filter(({ verdict }) => verdict !== "not-reached" || isEndOfAgent);
}

/**
 * A turn's score: 1 or 0 for strict, isolated and core, which ask that every test they look at passes; the share of
 * passed tests for partial.
 * @returns undefined for a turn that the machinery spoiled or that was not asked for, because it says nothing about the
 *   agent
 */
export function turnScore(
  { verdict, counts }: Pick<Turn, "verdict" | "counts">,
  score: Score,
): number | undefined {
  if (verdict === undefined || verdict === "infrastructure" || verdict === "skipped") return undefined;
  const rate = verdict === "not-reached" ? 0 : (passRate(counts, score) ?? 0);
  return score === "partial" ? rate : Number(rate === 1);
}
