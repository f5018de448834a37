import type { TurnLimits } from "../../model/policy.js";
import type { Usage } from "../../model/turn.js";
import type { AgentDefinition, Prices } from "./definition.js";

/** The tighter of two limits in each respect. */
export function tighter(run: TurnLimits, own: Partial<TurnLimits>): TurnLimits {
  const least = (a: number | undefined, b: number | undefined): number | undefined =>
    a === undefined || b === undefined ? (a ?? b) : Math.min(a, b);
  return {
    ...run,
    seconds: least(run.seconds, own.seconds),
    steps: least(run.steps, own.steps),
    costUsd: least(run.costUsd, own.costUsd),
    idleSeconds: least(run.idleSeconds, own.idleSeconds),
    // Of retries, off is the tightest.
    retries: run.retries === undefined ? undefined : least(run.retries, own.retries),
  };
}

/** What a model's tokens cost, as the agent's file tells; undefined when it does not. */
export function pricesOf({ prices }: AgentDefinition, model: string | undefined): Prices | undefined {
  return (model === undefined ? undefined : prices.byModel.get(model)) ?? prices.any;
}

/**
 * A usage with its cost, where the agent tells none and prices are known. Input that came from a cache has a price of its
 * own; some agents count it as part of the input.
 */
export function priced(usage: Usage, prices: Prices | undefined, inputHoldsCached: boolean): Usage {
  const { inputTokens, outputTokens } = usage;
  if (prices === undefined || inputTokens === undefined || outputTokens === undefined) return usage;
  if (usage.costUsd !== undefined && usage.costUsd > 0) return usage;
  const cached = usage.cacheReadTokens ?? 0;
  const uncached = inputHoldsCached ? Math.max(0, inputTokens - cached) : inputTokens;
  const millionths =
    uncached * prices.input +
    outputTokens * prices.output +
    cached * prices.cacheRead +
    (usage.cacheWriteTokens ?? 0) * prices.cacheWrite;
  return { ...usage, costUsd: millionths / 1_000_000 };
}

/** Why an agent that has taken so much may take no more; undefined while it may. */
export function overspent(usage: Usage, { steps, costUsd }: TurnLimits): string | undefined {
  if (steps !== undefined && (usage.steps ?? 0) > steps) {
    return `The agent was stopped at its limit of ${steps} steps; what it had written was kept`;
  }
  if (costUsd !== undefined && (usage.costUsd ?? 0) > costUsd) {
    return `The agent was stopped at its limit of $${costUsd}; what it had written was kept`;
  }
  return undefined;
}
