import type { AgentResult } from "../agent/agent.js";
import type { Evaluation } from "../evaluation/evaluation.js";
import type { GroupCounts, Verdict } from "../model/outcome.js";
import { GROUPS } from "../model/problem.js";

export interface Judgement {
  readonly verdict: Verdict;
  readonly reason: string | undefined;
}

type Judged = Pick<Evaluation, "valid" | "reason" | "counts">;

/**
 * The verdict on a turn. What the agent itself reported comes first; an evaluation that is not valid is never
 * scored; else the tests decide. A turn in which no test passed or failed (all skipped) proves nothing.
 */
export function judgeTurn(agent: Pick<AgentResult, "status" | "reason">, evaluation: Judged): Judgement {
  if (agent.status !== "done") {
    const verdict = agent.status === "timeout" ? "agent-timeout" : "agent-error";
    return { verdict, reason: agent.reason ?? (evaluation.valid ? evaluation.reason : undefined) };
  }
  if (!evaluation.valid) {
    return { verdict: "infrastructure", reason: evaluation.reason ?? "The evaluation is not valid" };
  }
  const { passed, failed } = totals(evaluation.counts);
  if (passed + failed === 0) {
    return { verdict: "infrastructure", reason: evaluation.reason ?? "Every hidden test was skipped" };
  }
  return { verdict: failed === 0 ? "passed" : "failed", reason: evaluation.reason };
}

function totals(counts: GroupCounts): { passed: number; failed: number } {
  const sum = { passed: 0, failed: 0 };
  for (const group of GROUPS) {
    sum.passed += counts[group].passed;
    sum.failed += counts[group].failed;
  }
  return sum;
}
