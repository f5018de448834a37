import { mkdir, rename } from "node:fs/promises";
import path from "node:path";
import type { Agent, AgentResult, AgentTurn } from "../agent/agent.js";
import type { TurnLimits } from "../model/policy.js";
import type { Usage } from "../model/turn.js";

/** An agent's part of a turn, before it is known how often it is asked. */
export interface AgentWork extends Omit<AgentTurn, "session" | "attempt"> {
  /** Folder that goes away with the turn, on the run folder's file system. */
  readonly scratch: string;
  readonly mode: AgentTurn["session"]["mode"];
  /** Conversation that it goes on with; undefined for a new one. */
  readonly stateBefore: string | undefined;
  /** Where its conversation is kept for the next checkpoint; undefined when that begins a new one. */
  readonly stateAfter: string | undefined;
}

/**
 * Lets an agent work on a turn, and asks it to go on while it fails for a reason that may pass and the limits allow it,
 * each time in the workspace and with the conversation that it left.
 * @returns how it ended, with the usage of all tries together
 */
export async function letWork(agent: Agent, work: AgentWork, signal: AbortSignal): Promise<AgentResult> {
  const { scratch, mode, stateBefore, stateAfter, ...turn } = work;
  const retries = turn.limits.retries ?? 0;
  const keptAt = stateAfter ?? (retries > 0 ? path.join(scratch, "state") : undefined);
  const session = { mode, stateBefore, stateAfter: keptAt };
  let result = await agent.takeTurn({ ...turn, session, attempt: 0 }, signal);
  for (let attempt = 1; attempt <= retries; attempt += 1) {
    const limits = remaining(turn.limits, result.usage);
    if (result.status !== "error" || !result.retryable || limits === undefined) break;
    turn.onOutput(`The agent failed (${result.reason ?? "no reason given"}) and is asked to go on\n`);
    const workspaceBefore = path.join(scratch, `workspace-${attempt}`);
    await rename(turn.workspaceAfter, workspaceBefore);
    await mkdir(turn.workspaceAfter);
    const left = await setApart(keptAt, path.join(scratch, `state-${attempt}`));
    const again = { ...session, stateBefore: left };
    const next = await agent.takeTurn({ ...turn, limits, workspaceBefore, session: again, attempt }, signal);
    result = together(result, next);
  }
  return result;
}

/** The later try's ending, with what both took and both are to be told of. */
function together(first: AgentResult, next: AgentResult): AgentResult {
  const warnings = [...(first.warnings ?? []), ...(next.warnings ?? [])];
  return { ...next, usage: sum(first.usage, next.usage), warnings };
}

async function setApart(state: string | undefined, target: string): Promise<string | undefined> {
  if (state === undefined) return undefined;
  // An agent that failed early may have kept nothing.
  return rename(state, target).then(
    () => target,
    () => undefined,
  );
}

/** What of a checkpoint's limits is left after some use; undefined when one is used up. */
function remaining(limits: TurnLimits, { agentSeconds, steps, costUsd }: Usage): TurnLimits | undefined {
  const left = {
    seconds: less(limits.seconds, agentSeconds),
    steps: less(limits.steps, steps),
    costUsd: less(limits.costUsd, costUsd),
  };
  return Object.values(left).some((value) => value !== undefined && value <= 0)
    ? undefined
    : { ...limits, ...left };
}

function less(limit: number | undefined, used: number | undefined): number | undefined {
  return limit === undefined ? undefined : limit - (used ?? 0);
}

/** Figure by figure; one that neither tells stays unknown. */
function sum(first: Usage, second: Usage): Usage {
  const add = (key: keyof Usage): number | undefined => {
    const [left, right] = [first[key], second[key]];
    return left === undefined && right === undefined ? undefined : (left ?? 0) + (right ?? 0);
  };
  return {
    costUsd: add("costUsd"),
    steps: add("steps"),
    inputTokens: add("inputTokens"),
    outputTokens: add("outputTokens"),
    cacheReadTokens: add("cacheReadTokens"),
    cacheWriteTokens: add("cacheWriteTokens"),
    reasoningTokens: add("reasoningTokens"),
    agentSeconds: add("agentSeconds"),
    testSeconds: add("testSeconds"),
  };
}
