import { describe, expect, it } from "vitest";
import { brief, jsonLines, readFrom } from "./support.js";

describe("Gemini CLI", () => {
  const LINES = [
    { type: "init", session_id: "g1", model: "g-pro", timestamp: "2026-01-01T00:00:00Z" },
    { type: "message", role: "user", content: "Build." },
    { type: "message", role: "assistant", content: "I lo", delta: true },
    { type: "message", role: "assistant", content: "ok.", delta: true },
    { type: "tool_use", tool_name: "read_file", tool_id: "r1", parameters: { path: "a.py" } },
    { type: "tool_use", tool_name: "shell", tool_id: "r2", parameters: { command: "ls" } },
    { type: "tool_result", tool_id: "r1", status: "success", output: "x" },
    { type: "tool_result", tool_id: "r2", status: "error", error: { type: "E", message: "denied" } },
    { type: "message", role: "assistant", content: "Done.", delta: true },
    {
      type: "result",
      status: "success",
      stats: { total_tokens: 130, input_tokens: 100, output_tokens: 20, cached: 60 },
    },
  ];

  it("is read with its deltas joined", async () => {
    const transcript = await readFrom({ "agent/stdout.jsonl": LINES, "prompt.txt": "not needed" });
    expect(brief(transcript)).toEqual([
      "user: Build.",
      'agent: I look. read_file{"path":"a.py"}=x shell{"command":"ls"}=!denied',
      "agent: Done.",
    ]);
    expect(transcript.agent.model).toBe("g-pro");
  });

  it("counts what only its total knows as thoughts, and a text before a call as a step", async () => {
    const { usage } = await readFrom({ "agent/stdout.jsonl": LINES });
    expect(usage).toMatchObject({
      steps: 3,
      inputTokens: 100,
      outputTokens: 30,
      cacheReadTokens: 60,
      reasoningTokens: 10,
    });
  });
});

describe("OpenCode", () => {
  it("is read step by step", async () => {
    const part = (type: string, more: object) => ({
      type,
      timestamp: 1767225600000,
      sessionID: "o1",
      part: more,
    });
    const transcript = await readFrom({
      "agent/messages.jsonl": [
        part("step_start", { id: "1" }),
        part("reasoning", { id: "2", text: "Plan." }),
        part("text", { id: "3", text: "I write." }),
        part("tool_use", {
          id: "4",
          callID: "c",
          tool: "write",
          state: { status: "error", input: { filePath: "a" }, error: "disk" },
        }),
        part("step_finish", {
          id: "5",
          cost: 0,
          tokens: { input: 1, output: 2, reasoning: 3, cache: { read: 4, write: 5 } },
        }),
        part("step_start", { id: "6" }),
        part("text", { id: "7", text: "Done." }),
        part("step_finish", {
          id: "8",
          cost: 0.5,
          tokens: { input: 1, output: 2, reasoning: 3, cache: { read: 4, write: 5 } },
        }),
      ],
    });
    expect(brief(transcript)).toEqual([
      'agent: (Plan.) I write. write{"filePath":"a"}=!disk',
      "agent: Done.",
    ]);
    expect(transcript.messages[0]).toMatchObject({
      time: "2026-01-01T00:00:00.000Z",
      usage: { costUsd: undefined, inputTokens: 1 },
    });
    expect(transcript).toMatchObject({
      session: "o1",
      usage: { steps: 2, costUsd: 0.5, cacheWriteTokens: 10 },
    });
  });
});

describe("Cursor's agent", () => {
  it("is told from Claude Code, and counts texts and finished calls as steps", async () => {
    const transcript = await readFrom({
      "agent/stdout.jsonl": [
        {
          type: "system",
          subtype: "init",
          apiKeySource: "env",
          permissionMode: "default",
          model: "c-1",
          session_id: "u1",
        },
        { type: "user", message: { role: "user", content: [{ type: "text", text: "Build." }] } },
        { type: "thinking", subtype: "delta", text: "Let me " },
        { type: "thinking", subtype: "delta", text: "see." },
        { type: "assistant", message: { content: [{ type: "text", text: "I look." }] } },
        {
          type: "tool_call",
          subtype: "started",
          call_id: "1",
          tool_call: { readToolCall: { args: { path: "a" } } },
        },
        {
          type: "tool_call",
          subtype: "completed",
          call_id: "1",
          tool_call: { readToolCall: { args: { path: "a" }, result: { success: { content: "x" } } } },
        },
        {
          type: "tool_call",
          subtype: "started",
          call_id: "2",
          tool_call: { shellToolCall: { args: { command: "sleep 9" } } },
        },
        {
          type: "result",
          is_error: false,
          usage: { inputTokens: 9, outputTokens: 2, cacheReadTokens: 5, cacheWriteTokens: 1 },
        },
      ],
    });
    expect(transcript.format).toBe("cursor_cli");
    expect(brief(transcript)).toEqual([
      "user: Build.",
      'agent: (Let me see.) I look. read{"path":"a"}=x shell{"command":"sleep 9"}=?',
    ]);
    expect(transcript.usage).toMatchObject({
      steps: 2,
      inputTokens: 9,
      cacheReadTokens: 5,
      cacheWriteTokens: 1,
    });
  });
});

describe("Kimi CLI", () => {
  const event = (type: string, payload: object) => ({
    jsonrpc: "2.0",
    method: "event",
    params: { type, payload },
  });

  it("is read from its wire, with results that go over lines", async () => {
    const result = JSON.stringify(
      event("ToolResult", { tool_call_id: "k1", return_value: { is_error: false, output: "one@two" } }),
    );
    const transcript = await readFrom({
      "agent/kimi-cli.txt":
        "starting\n" +
        jsonLines([
          event("StepBegin", { n: 1 }),
          event("ContentPart", { type: "think", think: "Hm" }),
          event("ContentPart", { type: "think", think: "m." }),
          event("ContentPart", { type: "text", text: "I look." }),
          event("ToolCall", { id: "k1", function: { name: "Shell", arguments: '{"comm' } }),
          event("ToolCallPart", { arguments_part: 'and":"ls"}' }),
          event("StatusUpdate", {
            token_usage: { input_other: 5, output: 3, input_cache_read: 2, input_cache_creation: 1 },
          }),
        ]) +
        `${result.replace("@", "\n\t")}\n` +
        jsonLines([
          event("StepBegin", { n: 2 }),
          event("ContentPart", { type: "text", text: "Done." }),
          event("StatusUpdate", { token_usage: { input_other: 1, output: 1 } }),
          { jsonrpc: "2.0", id: "1", result: {} },
        ]),
    });
    expect(brief(transcript)).toEqual([
      'agent: (Hmm.) I look. Shell{"command":"ls"}=one\n\ttwo',
      "agent: Done.",
    ]);
    expect(transcript.messages[0]?.usage?.inputTokens).toBe(8);
    expect(transcript.usage).toMatchObject({
      steps: 2,
      inputTokens: 9,
      outputTokens: 4,
      cacheReadTokens: 2,
      cacheWriteTokens: 1,
    });
  });
});

describe("Pi", () => {
  it("shows a call once, though it is told three times", async () => {
    const usage = { input: 10, output: 2, cacheRead: 4, cacheWrite: 1, cost: { total: 0.125 } };
    const call = { type: "toolCall", id: "p1", name: "bash", arguments: { command: "ls" } };
    const transcript = await readFrom({
      "agent/stdout.jsonl": [
        { type: "session", id: "s" },
        { type: "agent_start" },
        { type: "message_end", message: { role: "user", content: [{ type: "text", text: "Build." }] } },
        {
          type: "message_end",
          message: {
            role: "assistant",
            model: "p-1",
            usage,
            content: [{ type: "thinking", thinking: "Hm." }, call],
          },
        },
        { type: "tool_execution_start", toolCallId: "p1", toolName: "bash", args: { command: "ls" } },
        {
          type: "tool_execution_end",
          toolCallId: "p1",
          toolName: "bash",
          result: { content: [{ type: "text", text: "a.py" }] },
          isError: false,
        },
        {
          type: "message_end",
          message: { role: "toolResult", toolCallId: "p1", content: [{ type: "text", text: "a.py" }] },
        },
        {
          type: "message_end",
          message: { role: "assistant", usage, stopReason: "error", errorMessage: "overloaded", content: [] },
        },
      ],
    });
    expect(brief(transcript)).toEqual(["user: Build.", 'agent: (Hm.)  bash{"command":"ls"}=a.py', "agent: "]);
    expect(transcript.usage).toMatchObject({
      steps: 3,
      inputTokens: 28,
      outputTokens: 4,
      cacheReadTokens: 8,
      costUsd: 0.25,
    });
    expect(transcript.failure).toBe("overloaded");
  });
});

describe("mini-swe-agent", () => {
  it("has its command taken out of the text", async () => {
    const tokens = { input: 10, output: 2, cache_read: 1, cache_write: 0, reasoning: 0 };
    const transcript = await readFrom({
      "agent/trajectory.jsonl": [
        { role: "system", content: "You are." },
        { role: "user", content: "Build." },
        { role: "assistant", content: "THOUGHT: look.\n\n```bash\nls -l\n```", cost: 0.1, tokens },
        { role: "environment", content: "no", meta: { returncode: 2 } },
        { role: "assistant", content: "THOUGHT: done.", cost: 0.2, tokens },
      ],
    });
    expect(brief(transcript)).toEqual([
      "system: You are.",
      "user: Build.",
      'agent: THOUGHT: look. bash{"command":"ls -l"}=!no',
      "agent: THOUGHT: done.",
    ]);
    expect(transcript.usage).toMatchObject({ steps: 2, inputTokens: 20, cacheReadTokens: 2 });
    expect(transcript.usage.costUsd).toBeCloseTo(0.3);
  });
});

describe("OpenHands", () => {
  const metrics = (cost: number, prompt: number) => ({
    accumulated_cost: cost,
    accumulated_token_usage: {
      prompt_tokens: prompt,
      completion_tokens: 3,
      cache_read_tokens: 1,
      model: "h-1",
    },
  });
  const EVENTS = [
    { id: 0, source: "agent", action: "system", args: { content: "You are." } },
    { id: 1, source: "user", action: "message", args: { content: "Build." } },
    {
      id: 2,
      source: "agent",
      action: "run",
      args: { command: "ls", thought: "I look." },
      llm_metrics: metrics(0.1, 10),
    },
    {
      id: 3,
      source: "agent",
      observation: "run",
      cause: 2,
      content: "no",
      extras: { metadata: { exit_code: 1 } },
    },
    { id: 4, source: "agent", action: "message", args: { content: "Done." }, llm_metrics: metrics(0.4, 25) },
  ];

  it("is read from its trajectory; its last sums count", async () => {
    const transcript = await readFrom({ "agent/trajectory.json": JSON.stringify(EVENTS) });
    expect(brief(transcript)).toEqual([
      "system: You are.",
      "user: Build.",
      'agent: I look. run{"command":"ls"}=!no',
      "agent: Done.",
    ]);
    expect(transcript.usage).toMatchObject({
      steps: 1,
      costUsd: 0.4,
      inputTokens: 25,
      outputTokens: 3,
      cacheReadTokens: 1,
    });
  });

  it("has its steps counted in its output, where that was kept", async () => {
    const transcript = await readFrom({
      "agent/trajectory.json": JSON.stringify(EVENTS),
      "agent/output.log": "**CmdRunAction (source=1)**\n**FileEditAction**\nother\n",
    });
    expect(transcript.usage.steps).toBe(2);
  });
});

describe("output of no known form", () => {
  it("is shown as it is, without what steers a terminal", async () => {
    const transcript = await readFrom({
      "prompt.txt": "Build.",
      "agent/stdout.txt": "\u001B[32mgreen\u001B[0m\nlast\n",
      "agent/stderr.txt": "oops\n",
    });
    expect(transcript.format).toBe("plain");
    expect(brief(transcript)).toEqual(["user: Build.", "agent: green\nlast", "system: oops"]);
  });

  it("is refused when there is nothing in it", async () => {
    await expect(readFrom({ "agent/stdout.txt": "", "prompt.txt": "Build." })).rejects.toMatchObject({
      code: "run-folder",
      message: "This checkpoint has no transcript of its agent",
    });
    await expect(readFrom({ "snapshot/a.py": "x" })).rejects.toMatchObject({ code: "run-folder" });
  });
});
