import type { TurnLimits } from "../../model/policy.js";
import type { Usage } from "../../model/turn.js";
import type { Prices } from "./definition.js";

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
    retries: least(run.retries, own.retries),
  };
}

/**
 * A usage with its cost, where the agent tells none and prices are known. As SCB counts it: input that came from a cache
 * is part of the input, and has a price of its own.
 */
export function priced(usage: Usage, prices: Prices | undefined): Usage {
  const { inputTokens, outputTokens } = usage;
  if (prices === undefined || inputTokens === undefined || outputTokens === undefined) return usage;
  if (usage.costUsd !== undefined && usage.costUsd > 0) return usage;
  const cached = Math.min(usage.cacheReadTokens ?? 0, inputTokens);
  const millionths =
    (inputTokens - cached) * prices.input +
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
