import type { RunPolicy } from "../model/policy.js";
import type { TrajectoryRequest } from "./services.js";
import { meetsPolicy } from "./policy.js";
import type { TakenTurn } from "./turn.js";

/**
 * Why a trajectory does not go on after a turn; undefined when it does.
 *
 * As in SCB, it stops when the agent failed or the policy is not met. An evaluation that is not valid stops an agent,
 * whose next turn may cost money, and lets a replay go on. Turns that begin from the reference do not build on each
 * other, so that none but the machinery stops them.
 */
export function stopReason(
  { policy, agent }: Pick<TrajectoryRequest, "policy" | "agent">,
  { turn, trouble }: Pick<TakenTurn, "turn" | "trouble">,
): string | undefined {
  if (trouble !== undefined) return `${turn.checkpoint} met trouble: ${trouble.message}`;
  if (policy.start.kind === "reference" && policy.pass === "any") return undefined;
  if (turn.verdict === "agent-error" || turn.verdict === "agent-timeout") {
    return `The agent did not finish ${turn.checkpoint}`;
  }
  if (turn.verdict === "infrastructure") {
    return agent.origin === "agent" ? `${turn.checkpoint} could not be evaluated` : undefined;
  }
  return meetsPolicy(policy.pass, turn.counts)
    ? undefined
    : `${turn.checkpoint} does not meet the policy ${policyWords(policy)}`;
}

/** A policy's name, with what it asks of outcomes where that has another. */
function policyWords({ name, pass }: RunPolicy): string {
  return name === pass ? pass : `${name} (${pass})`;
}

/** Why no further turn may be begun for what the turns so far have cost, in US dollars; undefined when one may. */
export function costReason(
  { policy }: Pick<TrajectoryRequest, "policy">,
  spentUsd: number,
): string | undefined {
  const limit = policy.limits.problemCostUsd;
  if (limit === undefined || spentUsd < limit) return undefined;
  return `The limit of $${limit.toFixed(2)} a problem is spent: $${spentUsd.toFixed(2)}`;
}
