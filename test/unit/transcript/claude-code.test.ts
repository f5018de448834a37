import { describe, expect, it } from "vitest";
import { brief, readFrom } from "./support.js";

const INIT = {
  type: "system",
  subtype: "init",
  session_id: "s1",
  tools: ["Read"],
  model: "m-1",
  claude_code_version: "2.0.1",
};

function said(id: string, block: unknown, usage: unknown = {}, more: object = {}) {
  return {
    type: "assistant",
    parent_tool_use_id: null,
    message: { id, role: "assistant", model: "m-1", content: [block], usage },
    ...more,
  };
}

function answered(id: string, content: unknown, failed = false) {
  return {
    type: "user",
    message: { role: "user", content: [{ type: "tool_result", tool_use_id: id, content, is_error: failed }] },
  };
}

const RESULT = {
  type: "result",
  is_error: false,
  total_cost_usd: 0.5,
  usage: { input_tokens: 100, output_tokens: 40, cache_read_input_tokens: 7, cache_creation_input_tokens: 3 },
};

describe("Claude Code's stream", () => {
  it("puts the blocks of a message together and answers its calls", async () => {
    const transcript = await readFrom({
      "prompt.txt": "Build a shelf.",
      "agent/stdout.jsonl": [
        INIT,
        said("a", { type: "thinking", thinking: "Look first." }),
        said("a", { type: "text", text: "I look." }),
        said("a", { type: "tool_use", id: "t1", name: "Read", input: { file_path: "/workspace/a.py" } }),
        said("a", { type: "tool_use", id: "t2", name: "Bash", input: { command: "ls" } }),
        answered("t2", "no such file", true),
        answered("t1", [{ type: "text", text: "x = 1" }]),
        said("b", { type: "text", text: "Done." }),
        RESULT,
      ],
    });
    expect(brief(transcript)).toEqual([
      "user: Build a shelf.",
      'agent: (Look first.) I look. Read{"file_path":"/workspace/a.py"}=x = 1 Bash{"command":"ls"}=!no such file',
      "agent: Done.",
    ]);
    expect(transcript).toMatchObject({
      format: "claude_code",
      session: "s1",
      agent: { type: "claude_code", version: "2.0.1", model: "m-1" },
      inputHoldsCached: false,
      failure: undefined,
      faults: [],
      files: ["stdout.jsonl"],
    });
  });

  it("counts a message once, and takes the agent's own sum over ours", async () => {
    const lines = [
      INIT,
      said("a", { type: "text", text: "1" }, { input_tokens: 0, output_tokens: 0 }),
      said(
        "a",
        { type: "text", text: "2" },
        { input_tokens: 10, output_tokens: 4, cache_read_input_tokens: 2 },
      ),
      said("b", { type: "text", text: "3" }, { input_tokens: 20, output_tokens: 6 }),
      said("c", { type: "text", text: "no usage, no step" }),
    ];
    const cut = await readFrom({ "agent/stdout.jsonl": lines });
    expect(cut.usage).toMatchObject({
      steps: 2,
      inputTokens: 30,
      outputTokens: 10,
      cacheReadTokens: 2,
      cacheWriteTokens: 0,
      costUsd: undefined,
    });
    expect(cut.messages[0]?.usage).toMatchObject({ inputTokens: 10, outputTokens: 4 });
    const whole = await readFrom({ "agent/stdout.jsonl": [...lines, RESULT] });
    expect(whole.usage).toMatchObject({
      steps: 2,
      costUsd: 0.5,
      inputTokens: 100,
      outputTokens: 40,
      cacheReadTokens: 7,
      cacheWriteTokens: 3,
    });
  });

  it("adds what follows a result, as after a retry", async () => {
    const transcript = await readFrom({
      "agent/stdout.jsonl": [
        INIT,
        said("a", { type: "text", text: "1" }, { input_tokens: 10, output_tokens: 4 }),
        RESULT,
        INIT,
        said("a", { type: "text", text: "again" }, { input_tokens: 10, output_tokens: 5 }),
        said("b", { type: "text", text: "2" }, { input_tokens: 1, output_tokens: 1 }),
      ],
    });
    expect(transcript.usage).toMatchObject({ steps: 2, inputTokens: 111, outputTokens: 46 });
  });

  it("tells an error that ended it, unless it had succeeded before", async () => {
    const failed = { ...RESULT, is_error: true, result: "API Error: 401 invalid key" };
    const first = await readFrom({ "agent/stdout.jsonl": [INIT, failed] });
    expect(first.failure).toBe("API Error: 401 invalid key");
    const late = await readFrom({ "agent/stdout.jsonl": [INIT, RESULT, failed] });
    expect(late.failure).toBeUndefined();
  });

  it("reads sessions where there is no output, each line once, with helpers", async () => {
    const line = (uuid: string, timestamp: string, more: object) => ({
      uuid,
      timestamp,
      sessionId: "s1",
      version: "2.0.1",
      ...more,
    });
    const first = line("u1", "2026-01-01T00:00:01Z", {
      type: "user",
      message: { role: "user", content: "Build." },
    });
    const second = line(
      "u2",
      "2026-01-01T00:00:02Z",
      said("a", { type: "text", text: "Yes." }, { input_tokens: 5, output_tokens: 1 }),
    );
    const third = line(
      "u3",
      "2026-01-01T00:00:03Z",
      said("b", { type: "text", text: "More." }, { input_tokens: 6, output_tokens: 1 }),
    );
    const helper = line("u4", "2026-01-01T00:00:04Z", {
      ...said("h", { type: "text", text: "Found." }),
      parent_tool_use_id: undefined,
      isSidechain: true,
      agentId: "h1",
    });
    const transcript = await readFrom({
      "agent/stdout.jsonl": "",
      "agent/workspace/projects/-workspace/b.jsonl": [first, second],
      "agent/workspace/projects/-workspace/a.jsonl": [first, second, third],
      "agent/workspace/projects/-workspace/agent-h1.jsonl": [helper],
    });
    expect(brief(transcript)).toEqual(["user: Build.", "agent: Yes.", "agent: More.", "agent: Found."]);
    expect(transcript.messages[3]?.parentCall).toBe("h1");
    expect(transcript.usage).toMatchObject({ steps: 2, inputTokens: 11 });
  });
});
