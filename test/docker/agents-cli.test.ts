import { afterEach, beforeEach, describe, expect, it } from "vitest";

import { AgentStage, fileOf, KEY, turnsOf, type AgentWish } from "./agents-support.js";

let stage: AgentStage;

beforeEach(async () => {
  stage = await AgentStage.open();
});

afterEach(async () => {
  await stage[Symbol.asyncDispose]();
});

interface RealAgent {
  readonly dialect: string;
  readonly wish: (address: string) => AgentWish;
}

const AGENTS: Readonly<Record<string, RealAgent>> = {
  "claude-code": {
    dialect: "anthropic",
    wish: (address) => ({
      agent: "claude-code",
      model: "claude-sonnet-4-5",
      thinking: "low",
      // It would wait for minutes for a key that is refused.
      env: { ANTHROPIC_API_KEY: KEY, ANTHROPIC_BASE_URL: address, CLAUDE_CODE_MAX_RETRIES: "1" },
    }),
  },
  codex: {
    dialect: "openai-responses",
    wish: (address) => ({
      agent: "codex",
      model: "gpt-5.1-codex",
      thinking: "high",
      env: { OPENAI_API_KEY: KEY, OPENAI_BASE_URL: `${address}/v1` },
    }),
  },
  opencode: {
    dialect: "anthropic",
    wish: (address) => ({
      agent: "opencode",
      model: "anthropic/claude-sonnet-4-5",
      env: {
        ANTHROPIC_API_KEY: KEY,
        OPENCODE_CONFIG_CONTENT: JSON.stringify({
          provider: { anthropic: { options: { baseURL: `${address}/v1` } } },
        }),
      },
    }),
  },
  gemini: {
    dialect: "gemini",
    wish: (address) => ({
      agent: "gemini",
      model: "gemini-2.5-pro",
      env: { GEMINI_API_KEY: KEY, GOOGLE_GEMINI_BASE_URL: address },
    }),
  },
};

describe.each(Object.entries(AGENTS))("%s", (_name, { dialect, wish }) => {
  it("solves two checkpoints by its own tools, and tells what they took", async () => {
    stage.scriptSolution();
    const run = await stage.run(wish(stage.address));
    expect(turnsOf(run).map(({ verdict, reason }) => ({ verdict, reason }))).toEqual([
      { verdict: "passed", reason: undefined },
      { verdict: "passed", reason: undefined },
    ]);
    expect(await fileOf(run, 2, "snapshot/words.py")).toBe("print('word1')\nprint('word2')\n");
    expect(new Set(stage.endpoint.requests.map((request) => request.dialect))).toEqual(new Set([dialect]));
    for (const { usage } of turnsOf(run)) {
      expect(usage).toMatchObject({ inputTokens: 200, outputTokens: 40 });
      expect(usage.steps).toBeGreaterThan(0);
    }
  });

  it("is an agent error with the service's words when its key is refused", async () => {
    stage.endpoint.script = () => ({ kind: "trouble", status: 401, message: "scripted refusal" });
    const run = await stage.run({ ...wish(stage.address), checkpoints: ["checkpoint_1"] });
    const [turn] = turnsOf(run);
    expect(turn?.verdict).toBe("agent-error");
    expect(turn?.reason).toMatch(/401|scripted refusal/u);
  });
});
