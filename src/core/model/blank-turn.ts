import type { GroupCounts } from "./outcome.js";
import type { Checkpoint } from "./problem.js";
import type { Turn, TurnOrigin, Usage } from "./turn.js";

/** Nothing is known about what a turn cost. */
export const NO_USAGE: Usage = {
  costUsd: undefined,
  steps: undefined,
  inputTokens: undefined,
  outputTokens: undefined,
  cacheReadTokens: undefined,
  cacheWriteTokens: undefined,
  reasoningTokens: undefined,
  agentSeconds: undefined,
  testSeconds: undefined,
};

const NONE = { passed: 0, failed: 0, skipped: 0 };

/** No test has an outcome yet. */
export const NO_COUNTS: GroupCounts = { Core: NONE, Functionality: NONE, Error: NONE, Regression: NONE };

/** A turn of which nothing has happened: no parent, no verdict, no outcome. */
export function blankTurn(
  problem: string,
  checkpoint: Pick<Checkpoint, "name" | "order">,
  origin: TurnOrigin,
  folder: string,
): Turn {
  return {
    id: `${problem}/${checkpoint.name}`,
    problem,
    checkpoint: checkpoint.name,
    order: checkpoint.order,
    parent: null,
    origin,
    session: "fresh",
    snapshotHash: null,
    verdict: undefined,
    reason: undefined,
    counts: NO_COUNTS,
    outcomes: [],
    quality: undefined,
    usage: NO_USAGE,
    folder,
    startedAt: undefined,
    finishedAt: undefined,
  };
}
