import type { RunPolicy } from "../model/policy.js";
import type { Turn } from "../model/turn.js";
import type { TrajectoryRequest } from "./services.js";
import { meetsPolicy } from "./policy.js";
import type { TakenTurn } from "./turn.js";

/** Why a trajectory does not go on after a turn that was taken to its end. */
export type StopReason =
  | { readonly kind: "agent-unfinished" | "not-evaluated"; readonly checkpoint: string }
  | { readonly kind: "policy-unmet"; readonly checkpoint: string; readonly policy: string };

/**
 * Why a trajectory does not go on after a turn, in the English of records; undefined when it does. As
 * {@link stopAfter}, and after trouble of the machinery.
 */
export function stopReason(
  request: Pick<TrajectoryRequest, "policy" | "agent">,
  { turn, trouble }: Pick<TakenTurn, "turn" | "trouble">,
): string | undefined {
  if (trouble !== undefined) return `${turn.checkpoint} met trouble: ${trouble.message}`;
  const stop = stopAfter(request, turn);
  return stop === undefined ? undefined : stopWords(stop);
}

/**
 * Why a trajectory does not go on after a turn; undefined when it does.
 *
 * As in SCB, it stops when the agent failed or the policy is not met. An evaluation that is not valid stops an agent,
 * whose next turn may cost money, and lets a replay go on. Turns that begin from the reference do not build on each
 * other, so that none but the machinery stops them.
 */
export function stopAfter(
  { policy, agent }: Pick<TrajectoryRequest, "policy" | "agent">,
  { checkpoint, verdict, counts }: Turn,
): StopReason | undefined {
  if (policy.start.kind === "reference" && policy.pass === "any") return undefined;
  if (verdict === "agent-error" || verdict === "agent-timeout") {
    return { kind: "agent-unfinished", checkpoint };
  }
  if (verdict === "infrastructure") {
    return agent.origin === "agent" ? { kind: "not-evaluated", checkpoint } : undefined;
  }
  return meetsPolicy(policy.pass, counts)
    ? undefined
    : { kind: "policy-unmet", checkpoint, policy: policyWords(policy) };
}

function stopWords(stop: StopReason): string {
  switch (stop.kind) {
    case "agent-unfinished":
      return `The agent did not finish ${stop.checkpoint}`;
    case "not-evaluated":
      return `${stop.checkpoint} could not be evaluated`;
    case "policy-unmet":
      return `${stop.checkpoint} does not meet the policy ${stop.policy}`;
  }
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
