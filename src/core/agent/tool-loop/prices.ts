import type { MessageUsage } from "../../model/transcript.js";

/** US dollars for a million tokens. */
export interface Prices {
  readonly input: number;
  readonly output: number;
  /** Of input that comes from a cache; undefined: the same as other input. */
  readonly cachedInput: number | undefined;
}

/** An answer's usage with its cost, where its model tells none and prices are known. */
export function priced(usage: MessageUsage, prices: Prices | undefined): MessageUsage {
  const { inputTokens, outputTokens } = usage;
  if (usage.costUsd !== undefined || prices === undefined) return usage;
  if (inputTokens === undefined || outputTokens === undefined) return usage;
  const cached = Math.min(usage.cacheReadTokens ?? 0, inputTokens);
  const dollars =
    (inputTokens - cached) * prices.input +
    cached * (prices.cachedInput ?? prices.input) +
    outputTokens * prices.output;
  return { ...usage, costUsd: dollars / 1_000_000 };
}
