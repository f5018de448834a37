import { describe, it } from "vitest";

import { DEFAULT_POLICY, type RunPolicy } from "../../src/core/model/policy.js";
import { AgentStage, fileOf, KEY, turnsOf, type AgentWish } from "./agents-support.js";

interface RealAgent {
  readonly dialect: string;
  readonly wish: (address: string) => AgentWish;
}

/** These two tell sums of a whole conversation, of which each turn must count its own part. */
const CONTINUED: RunPolicy = { ...DEFAULT_POLICY, session: "continued" };

const AGENTS: Readonly<Record<string, RealAgent>> = {
  "claude-code": {
    dialect: "anthropic",
    wish: (address) => ({
      agent: "claude-code",
      model: "claude-sonnet-4-5",
      thinking: "low",
      // It would wait for minutes for a key that is refused.
      env: { ANTHROPIC_API_KEY: KEY, ANTHROPIC_BASE_URL: address, CLAUDE_CODE_MAX_RETRIES: "1" },
      policy: CONTINUED,
    }),
  },
  codex: {
    dialect: "openai-responses",
    wish: (address) => ({
      agent: "codex",
      model: "gpt-5.1-codex",
      thinking: "high",
      env: { OPENAI_API_KEY: KEY, OPENAI_BASE_URL: `${address}/v1` },
      policy: CONTINUED,
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

describe.concurrent.each(Object.entries(AGENTS))("%s", (_name, { dialect, wish }) => {
  // On a bare machine the agent is installed first.
  it(
    "solves two checkpoints by its own tools, and tells what each took",
    { timeout: 300_000 },
    async ({ expect }) => {
      await using stage = await AgentStage.open();
      stage.scriptSolution();
      const asked = wish(stage.address);
      const run = await stage.run(asked);
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
      const costs = turnsOf(run).map(({ usage }) => usage.costUsd?.toFixed(6));
      expect(new Set(costs).size, costs.join(" and ")).toBe(1);
      const isContinued = asked.policy === CONTINUED;
      expect(stage.endpoint.requests.at(-1)?.body.includes("word1.")).toBe(isContinued);

      // Then its key is refused: it is not asked again.
      stage.endpoint.script = () => ({ kind: "trouble", status: 401, message: "scripted refusal" });
      const [turn] = turnsOf(await stage.run({ ...asked, checkpoints: ["checkpoint_1"] }));
      expect(turn?.verdict).toBe("agent-error");
      expect(turn?.reason).toMatch(/401|scripted refusal/u);
      expect(stage.told).not.toContain("is asked to go on");
    },
  );
});
