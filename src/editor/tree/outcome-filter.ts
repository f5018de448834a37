/** What the outcome filter keeps. Counts decide where they can, so that trees of many tests stay quick. */
import type { TestOutcome } from "../../core/model/outcome.js";
import { GROUPS, type Group } from "../../core/model/problem.js";
import type { ProblemRun } from "../../core/model/run.js";
import type { Turn } from "../../core/model/turn.js";
import { isRegression, testHistory, turnsWithRegressions } from "./test-history.js";
import { isFiltering, type OutcomeFilter } from "./view-options.js";

/** Whether a group can hold what the filter asks for. */
export function keepsGroup({ outcomes, group: wanted }: OutcomeFilter, group: Group): boolean {
  if (wanted !== undefined && wanted !== group) return false;
  // A test of an earlier checkpoint always counts as a regression test.
  return outcomes !== "regressions" || group === "Regression";
}

/** Whether an outcome is shown. @param part the run's part that `turn` belongs to */
export function keepsOutcome(
  filter: OutcomeFilter,
  part: ProblemRun | undefined,
  turn: Turn,
  outcome: TestOutcome,
): boolean {
  if (!keepsGroup(filter, outcome.group)) return false;
  if (filter.outcomes === "all") return true;
  const failed = outcome.status === "failed" || outcome.status === "error";
  if (!failed || filter.outcomes === "failed") return failed;
  return part !== undefined && isRegression(testHistory(part, turn, outcome));
}

/** Whether a checkpoint is shown; one that ended without a score counts as failed. */
export function keepsTurn(
  filter: OutcomeFilter,
  part: ProblemRun | undefined,
  turn: Turn | undefined,
): boolean {
  if (!isFiltering(filter)) return true;
  if (turn === undefined) return false;
  if (filter.outcomes === "failed" && filter.group === undefined && isTrouble(turn)) return true;
  const groups = GROUPS.filter((group) => keepsGroup(filter, group));
  if (filter.outcomes === "all") return groups.some((group) => total(turn, group) > 0);
  const failing = groups.filter((group) => turn.counts[group].failed > 0);
  if (filter.outcomes === "failed" || failing.length === 0) return failing.length > 0;
  return part !== undefined && turnsWithRegressions(part).has(turn);
}

/** Whether any checkpoint of a run's part is shown. */
export function keepsPart(filter: OutcomeFilter, part: ProblemRun): boolean {
  return !isFiltering(filter) || part.turns.some((turn) => keepsTurn(filter, part, turn));
}

function isTrouble({ verdict }: Turn): boolean {
  return verdict === "agent-error" || verdict === "agent-timeout" || verdict === "infrastructure";
}

function total(turn: Turn, group: Group): number {
  const { passed, failed, skipped } = turn.counts[group];
  return passed + failed + skipped;
}
