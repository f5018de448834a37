import { describe, expect, it } from "vitest";
import { readSessionTotals } from "../../../src/core/transcript/session-totals.js";
import { usageMeter, type UsageParser } from "../../../src/core/transcript/usage-meter.js";
import { checkpointWith, type Content, jsonLines, NEVER } from "./support.js";

async function countedOn(
  parser: UsageParser,
  kept: Readonly<Record<string, Content>>,
  printed: readonly unknown[],
): Promise<object> {
  const meter = usageMeter(parser, await readSessionTotals(parser, await checkpointWith(kept), NEVER));
  meter.push(jsonLines(printed));
  return meter.report.usage;
}

const tokenCount = (input: number, output: number, cached: number) => ({
  type: "event_msg",
  payload: {
    type: "token_count",
    info: {
      total_token_usage: { input_tokens: input, output_tokens: output, cached_input_tokens: cached },
      last_token_usage: { input_tokens: 1, output_tokens: 1, cached_input_tokens: 0 },
    },
  },
});

const ROLLOUT = [
  { type: "session_meta", payload: { id: "t1" } },
  tokenCount(100, 20, 0),
  { type: "event_msg", payload: { type: "token_count", info: null } },
  tokenCount(200, 40, 50),
];

const codexPrints = (thread: string, input: number, output: number, cached: number) => [
  { type: "thread.started", thread_id: thread },
  { type: "turn.started" },
  {
    type: "turn.completed",
    usage: { input_tokens: input, output_tokens: output, cached_input_tokens: cached },
  },
];

describe("a thread of Codex that is gone on with", () => {
  const kept = { ".codex/sessions/2026/01/02/rollout-1.jsonl": ROLLOUT };

  it("counts from where it stood", async () => {
    expect(await countedOn("codex", kept, codexPrints("t1", 310, 47, 90))).toMatchObject({
      ...{ inputTokens: 110, outputTokens: 7, cacheReadTokens: 40, steps: 1 },
    });
  });

  it("counts its later turns once, too", async () => {
    const printed = [...codexPrints("t1", 300, 50, 50), ...codexPrints("t1", 420, 60, 80)];
    expect(await countedOn("codex", kept, printed)).toMatchObject({
      ...{ inputTokens: 220, outputTokens: 20, cacheReadTokens: 30 },
    });
  });

  it("counts all of another thread, and of one that began anew", async () => {
    const whole = { inputTokens: 310, outputTokens: 47, cacheReadTokens: 90 };
    expect(await countedOn("codex", kept, codexPrints("t2", 310, 47, 90))).toMatchObject(whole);
    expect(await countedOn("codex", kept, codexPrints("t1", 150, 47, 90))).toMatchObject({
      inputTokens: 150,
    });
  });
});

const claudePrints = (session: string, cost: number) => ({
  ...{ type: "result", is_error: false, session_id: session, total_cost_usd: cost },
  usage: { input_tokens: 200, output_tokens: 40 },
});

describe("a session of Claude Code that is gone on with", () => {
  const state = (cost: number) => ({ type: "cost-state", sessionId: "s1", totalCostUSD: cost });
  const kept = {
    ".claude/projects/-workspace/s1.jsonl": [{ type: "summary" }, state(0.25), "{torn", state(0.5)],
    ".claude/projects/notes.txt": "no conversation",
  };

  it("counts its cost from where it stood, and its tokens as they are told", async () => {
    expect(await countedOn("claude-code", kept, [claudePrints("s1", 0.75)])).toMatchObject({
      ...{ costUsd: 0.25, inputTokens: 200, outputTokens: 40 },
    });
  });

  it("counts every sum of a process from there", async () => {
    const printed = [claudePrints("s1", 0.75), claudePrints("s1", 1.5)];
    expect(await countedOn("claude-code", kept, printed)).toMatchObject({ costUsd: 1 });
  });

  it("counts all where a release keeps no sum", async () => {
    const old = { ".claude/projects/-workspace/s1.jsonl": [{ type: "summary" }] };
    expect(await countedOn("claude-code", old, [claudePrints("s1", 0.75)])).toMatchObject({ costUsd: 0.75 });
  });
});

describe("readSessionTotals", () => {
  it("knows nothing of agents that count by the process or the step", async () => {
    const folder = await checkpointWith({ "a.jsonl": ROLLOUT });
    expect(await readSessionTotals("gemini", folder, NEVER)).toEqual(new Map());
    expect(await readSessionTotals("opencode", folder, NEVER)).toEqual(new Map());
  });

  it("settles when it is aborted", async () => {
    const folder = await checkpointWith({ "a.jsonl": ROLLOUT });
    await expect(readSessionTotals("codex", folder, AbortSignal.abort())).rejects.toMatchObject({
      code: "cancelled",
    });
  });
});
