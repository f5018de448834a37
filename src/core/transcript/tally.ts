import { NO_USAGE } from "../model/blank-turn.js";
import type { MessageUsage } from "../model/transcript.js";
import type { Usage } from "../model/turn.js";

/** Nothing is known about what a message took. */
export const NO_MESSAGE_USAGE: MessageUsage = {
  costUsd: undefined,
  inputTokens: undefined,
  outputTokens: undefined,
  cacheReadTokens: undefined,
  cacheWriteTokens: undefined,
  reasoningTokens: undefined,
};

const PARTS = [
  "costUsd",
  "inputTokens",
  "outputTokens",
  "cacheReadTokens",
  "cacheWriteTokens",
  "reasoningTokens",
] as const satisfies readonly (keyof MessageUsage)[];

/** Part by part; what neither knows stays unknown. */
export function addUsage(left: MessageUsage, right: MessageUsage): MessageUsage {
  return combine(left, right, (a, b) => a + b);
}

function subtractUsage(left: MessageUsage, right: MessageUsage): MessageUsage {
  return combine(left, right, (a, b) => a - b);
}

function combine(
  left: MessageUsage,
  right: MessageUsage,
  operation: (a: number, b: number) => number,
): MessageUsage {
  const parts = PARTS.map((part) => {
    const [a, b] = [left[part], right[part]];
    return [part, a === undefined && b === undefined ? undefined : operation(a ?? 0, b ?? 0)] as const;
  });
  return { ...NO_MESSAGE_USAGE, ...Object.fromEntries(parts) };
}

/** What conversations had taken at some time, by their ids. */
export type SessionTotals = ReadonlyMap<string, MessageUsage>;
export type TotalsDraft = Map<string, MessageUsage>;

/** An agent that did not count on from before, though it could have, tells less than before. */
function since(total: MessageUsage, before: MessageUsage | undefined): MessageUsage {
  if (before === undefined) return total;
  const beganAnew = PARTS.some((part) => (total[part] ?? 0) < (before[part] ?? 0));
  return beganAnew ? total : subtractUsage(total, before);
}

/** Adds up what an agent took. Something counted under a name counts once, with the last figures given for it. */
export class UsageTally {
  private total = NO_MESSAGE_USAGE;
  private readonly named = new Map<string, MessageUsage>();
  private stepCount: number | undefined;

  /** @param earlier what sessions had taken before, which their sums hold and which is not counted here */
  constructor(private readonly earlier: SessionTotals = new Map()) {}

  /** @param name what must not count twice: the id of a message or a session */
  add(usage: MessageUsage, name?: string): void {
    const before = name === undefined ? undefined : this.named.get(name);
    const taken = name === undefined ? usage : since(usage, this.earlier.get(name));
    if (before !== undefined) this.total = subtractUsage(this.total, before);
    if (name !== undefined) this.named.set(name, taken);
    this.total = addUsage(this.total, taken);
  }

  /**
   * Takes the place of everything before: an agent's own sum. What is added later counts on top of it.
   * @param session whose sum it is, where it counts on from before
   */
  replace(usage: MessageUsage, session?: string): void {
    this.total = session === undefined ? usage : since(usage, this.earlier.get(session));
    for (const name of this.named.keys()) this.named.set(name, NO_MESSAGE_USAGE);
  }

  step(count = 1): void {
    this.stepCount = (this.stepCount ?? 0) + count;
  }

  /** Takes the place of the steps counted so far. */
  setSteps(count: number | undefined): void {
    this.stepCount = count;
  }

  /** What was taken by now; never below nothing, whatever an agent tells, so that no limit can be pushed up. */
  get usage(): Usage {
    const total = combine(this.total, NO_MESSAGE_USAGE, (told) => Math.max(told, 0));
    return { ...NO_USAGE, ...total, steps: this.stepCount };
  }
}
