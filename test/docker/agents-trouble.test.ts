import { readFile } from "node:fs/promises";
import path from "node:path";

import { describe, it } from "vitest";

import {
  DEFAULT_LIMITS,
  DEFAULT_POLICY,
  type RunPolicy,
  type TurnLimits,
} from "../../src/core/model/policy.js";
import { AgentStage, fileOf, filesBelow, KEY, turnsOf, type AgentWish } from "./agents-support.js";

function limited(limits: Partial<TurnLimits>): RunPolicy {
  return { ...DEFAULT_POLICY, limits: { ...DEFAULT_LIMITS, ...limits } };
}

function claude(stage: AgentStage, limits: Partial<TurnLimits>): AgentWish {
  return {
    agent: "claude-code",
    model: "claude-sonnet-4-5",
    env: { ANTHROPIC_API_KEY: KEY, ANTHROPIC_BASE_URL: stage.address, CLAUDE_CODE_MAX_RETRIES: "0" },
    checkpoints: ["checkpoint_1"],
    policy: limited(limits),
  };
}

describe.concurrent("a real agent in trouble", () => {
  it("goes on with its conversation after the service failed, and its key is kept nowhere", async ({
    expect,
  }) => {
    await using stage = await AgentStage.open();
    const leak = `echo "$ANTHROPIC_API_KEY" | tee leaked.txt >&2; echo "$ANTHROPIC_API_KEY" | base64 -w0 > leaked.b64; printf "\\0$ANTHROPIC_API_KEY" > leaked.bin`;
    let failed = false;
    stage.endpoint.script = ({ prompt, answers }) => {
      if (prompt.includes("word1") && answers === 0) return { kind: "shell", command: leak };
      if (!failed) {
        failed = true;
        return { kind: "trouble", status: 500, message: "scripted failure" };
      }
      const command = `echo "print('word1')" > words.py; echo "$ANTHROPIC_API_KEY"`;
      return answers === 0 ? { kind: "shell", command } : { kind: "text", text: `Wrote it with ${KEY}.` };
    };
    const run = await stage.run(claude(stage, { retries: 1 }));
    expect(turnsOf(run)[0]).toMatchObject({
      verdict: "passed",
      usage: { inputTokens: 300, outputTokens: 60 },
    });
    // Three answers of 100 and 20 tokens; each try tells the cost of the whole session.
    expect(turnsOf(run)[0]?.usage.costUsd).toBeCloseTo((300 * 3 + 60 * 15) / 1_000_000, 6);
    // The retry did not say the task again, and its conversation held what was said before.
    const last = stage.endpoint.requests.at(-1);
    expect(last?.prompt).toContain("Go on where you stopped");
    expect(last?.body).toContain("word1");

    const files = await filesBelow(run.folder);
    expect(files.filter((file) => file.startsWith("words/checkpoint_1/agent/"))).not.toEqual([]);
    const core = Buffer.from(KEY).toString("base64").slice(0, 40);
    for (const file of files) {
      const text = await readFile(path.join(run.folder, file), "latin1");
      expect(text.includes(KEY) || text.includes(core), file).toBe(false);
    }
    expect(stage.told).not.toContain(KEY);
    expect(stage.told).not.toContain(core);
    expect(await fileOf(run, 1, "snapshot/leaked.txt")).toBe("***\n");
    expect(files).not.toContain("words/checkpoint_1/snapshot/leaked.bin");
    expect(stage.told).toContain("The agent wrote a key that it was given into its workspace");
  });

  it("runs out of time when the model does not answer, and what it wrote is kept", async ({ expect }) => {
    await using stage = await AgentStage.open();
    stage.endpoint.script = ({ answers }) =>
      answers === 0 ? { kind: "shell", command: "echo half > words.py" } : { kind: "hang" };
    const run = await stage.run(claude(stage, { seconds: 15 }));
    expect(turnsOf(run)[0]).toMatchObject({ verdict: "agent-timeout" });
    expect(turnsOf(run)[0]?.reason).toContain("time limit of 15 s");
    expect(await fileOf(run, 1, "snapshot/words.py")).toBe("half\n");
  });

  it("reaches its model through the proxy when the host is listed, and nothing when it is not", async ({
    expect,
  }) => {
    await using stage = await AgentStage.open();
    stage.scriptSolution();
    const reach = (host: string) => stage.run(claude(stage, { retries: 0, network: { hosts: [host] } }));
    const [listed] = turnsOf(await reach(`${stage.host}:${stage.endpoint.port}`));
    expect(listed).toMatchObject({ verdict: "passed", reason: undefined });
    const asked = stage.endpoint.requests.length;
    expect(asked).toBeGreaterThan(0);

    const [unlisted] = turnsOf(await reach("example.com"));
    expect(unlisted).toMatchObject({
      verdict: "agent-error",
      reason: expect.stringContaining("is not among the hosts that this run may reach") as unknown,
    });
    expect(stage.endpoint.requests).toHaveLength(asked);
  });

  it("is stopped while it runs when it takes more steps than it may", async ({ expect }) => {
    await using stage = await AgentStage.open();
    stage.endpoint.script = () => ({ kind: "shell", command: "echo again >> words.py" });
    const run = await stage.run({
      agent: "codex",
      model: "gpt-5.1-codex",
      env: { OPENAI_API_KEY: KEY, OPENAI_BASE_URL: `${stage.address}/v1` },
      checkpoints: ["checkpoint_1"],
      policy: limited({ steps: 5 }),
    });
    expect(turnsOf(run)[0]).toMatchObject({
      verdict: "agent-error",
      reason: "The agent was stopped at its limit of 5 steps; what it had written was kept",
    });
    expect(await fileOf(run, 1, "snapshot/words.py")).toMatch(/^again\n/u);
  });
});
