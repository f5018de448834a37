import { describe, expect, it } from "vitest";
import { brief, readFrom } from "./support.js";

const item = (type: string, more: object) => ({ type: "item.completed", item: { type, ...more } });
const usage = (input: number, output: number, cached = 0) => ({
  type: "turn.completed",
  usage: { input_tokens: input, cached_input_tokens: cached, output_tokens: output },
});

const PRINTED = [
  { type: "thread.started", thread_id: "t1" },
  { type: "turn.started" },
  item("reasoning", { id: "i0", text: "Look first." }),
  {
    type: "item.started",
    item: {
      id: "i1",
      type: "command_execution",
      command: "ls",
      aggregated_output: "",
      status: "in_progress",
    },
  },
  item("command_execution", {
    id: "i1",
    command: "ls",
    aggregated_output: "a.py\n",
    exit_code: 0,
    status: "completed",
  }),
  item("command_execution", {
    id: "i2",
    command: "cat b",
    aggregated_output: "no",
    exit_code: 1,
    status: "failed",
  }),
  item("file_change", { id: "i3", changes: [{ path: "/workspace/a.py", kind: "add" }], status: "completed" }),
  item("agent_message", { id: "i4", text: "Done." }),
  usage(100, 20, 30),
];

describe("Codex' events", () => {
  it("become messages with calls", async () => {
    const transcript = await readFrom({ "agent/stdout.jsonl": PRINTED });
    expect(brief(transcript)).toEqual([
      'agent: (Look first.)  shell{"command":"ls"}=a.py\n shell{"command":"cat b"}=!no' +
        ' file_change{"changes":[{"path":"/workspace/a.py","kind":"add"}]}=completed',
      "agent: Done.",
    ]);
    expect(transcript.usage).toMatchObject({
      steps: 6,
      inputTokens: 100,
      outputTokens: 20,
      cacheReadTokens: 30,
    });
    expect(transcript).toMatchObject({ session: "t1", inputHoldsCached: true });
  });

  it("tell the sums of a thread, so that a resumed thread does not count twice", async () => {
    const resumed = await readFrom({
      "agent/stdout.jsonl": [
        ...PRINTED,
        { type: "thread.started", thread_id: "t1" },
        { type: "turn.started" },
        usage(150, 30, 60),
      ],
    });
    expect(resumed.usage).toMatchObject({
      steps: 7,
      inputTokens: 150,
      outputTokens: 30,
      cacheReadTokens: 60,
    });
    const other = await readFrom({
      "agent/stdout.jsonl": [
        ...PRINTED,
        { type: "thread.started", thread_id: "t2" },
        { type: "turn.started" },
        usage(50, 1),
      ],
    });
    expect(other.usage).toMatchObject({ inputTokens: 150, outputTokens: 21 });
  });

  it("show a command that never ended, and why a turn failed", async () => {
    const transcript = await readFrom({
      "agent/stdout.jsonl": [
        ...PRINTED.slice(0, 4),
        { type: "turn.failed", error: { message: "429 Too Many Requests" } },
      ],
    });
    expect(brief(transcript)).toEqual(['agent: (Look first.)  shell{"command":"ls"}=?']);
    expect(transcript.failure).toBe("429 Too Many Requests");
  });
});

const at = (second: number, type: string, payload: object) => ({
  timestamp: `2026-01-01T00:00:0${second}Z`,
  type,
  payload,
});
const response = (second: number, payload: object) => at(second, "response_item", payload);

const ROLLOUT = [
  at(0, "session_meta", { id: "t1", cli_version: "0.74.0" }),
  at(0, "turn_context", { model: "m-2" }),
  response(1, {
    type: "message",
    role: "user",
    content: [{ type: "input_text", text: "<environment_context>cwd</environment_context>" }],
  }),
  response(1, { type: "message", role: "user", content: [{ type: "input_text", text: "Build." }] }),
  response(2, { type: "reasoning", summary: [{ type: "summary_text", text: "Plan." }], content: null }),
  response(2, { type: "function_call", name: "shell", arguments: '{"command":["ls"]}', call_id: "c1" }),
  response(3, {
    type: "function_call_output",
    call_id: "c1",
    output: '{"output":"a.py","metadata":{"exit_code":2}}',
  }),
  at(3, "event_msg", {
    type: "token_count",
    info: {
      total_token_usage: { input_tokens: 10, output_tokens: 2 },
      last_token_usage: { input_tokens: 10, output_tokens: 2 },
    },
  }),
  response(4, { type: "custom_tool_call", name: "apply_patch", input: "*** Begin Patch", call_id: "c2" }),
  response(5, { type: "custom_tool_call_output", call_id: "c2", output: "done" }),
  at(5, "event_msg", {
    type: "token_count",
    info: {
      total_token_usage: {
        input_tokens: 25,
        output_tokens: 5,
        cached_input_tokens: 8,
        reasoning_output_tokens: 1,
      },
    },
  }),
];

describe("Codex' rollouts", () => {
  it("tell thoughts, calls, times and tokens", async () => {
    const transcript = await readFrom({ "agent/sessions/2026/01/01/rollout-1.jsonl": ROLLOUT });
    expect(brief(transcript)).toEqual([
      "system: <environment_context>cwd</environment_context>",
      "user: Build.",
      'agent: (Plan.)  shell{"command":["ls"]}=!a.py apply_patch{"input":"*** Begin Patch"}=done',
    ]);
    expect(transcript.agent).toEqual({ type: "codex", version: "0.74.0", model: "m-2" });
    expect(transcript.messages[2]).toMatchObject({
      time: "2026-01-01T00:00:02Z",
      usage: { inputTokens: 10 },
    });
    expect(transcript.usage).toMatchObject({
      inputTokens: 25,
      outputTokens: 5,
      cacheReadTokens: 8,
      reasoningTokens: 1,
    });
  });

  it("go before what was printed, but for the steps", async () => {
    const transcript = await readFrom({ "agent/stdout.jsonl": PRINTED, "agent/rollout-1.jsonl": ROLLOUT });
    expect(transcript.usage).toMatchObject({ steps: 6, inputTokens: 25 });
    expect(transcript.messages).toHaveLength(3);
    expect(transcript.files).toEqual(["stdout.jsonl", "rollout-1.jsonl"]);
  });

  it("show of a thread that was gone on with what is of the turn, and what that took", async () => {
    const told = (input: number) =>
      at(6, "event_msg", {
        type: "token_count",
        info: {
          total_token_usage: {
            ...{ input_tokens: input, output_tokens: 6 },
            ...{ cached_input_tokens: 8, reasoning_output_tokens: 1 },
          },
        },
      });
    const asked = (text: string) =>
      response(6, { type: "message", role: "user", content: [{ type: "input_text", text }] });
    const said = (text: string) =>
      response(7, { type: "message", role: "assistant", content: [{ type: "output_text", text }] });
    const thread = [
      ...ROLLOUT,
      ...[at(6, "turn_context", { model: "m-3" }), asked("Go on."), said("Gone on."), told(40)],
      ...[asked("Once more."), said("Done."), told(60)],
    ];
    const second = [PRINTED[0], { type: "turn.started" }, { type: "turn.started" }];
    const goneOn = await readFrom({ "agent/stdout.jsonl": second, "agent/rollout-1.jsonl": thread });
    expect(brief(goneOn)).toEqual(["user: Go on.", "agent: Gone on.", "user: Once more.", "agent: Done."]);
    expect(goneOn.usage).toMatchObject({ inputTokens: 35, outputTokens: 1 });
    expect(goneOn.agent).toEqual({ type: "codex", version: "0.74.0", model: "m-3" });
    const helper = [at(0, "session_meta", { id: "other" }), asked("Help."), said("I help.")];
    const withHelper = await readFrom({
      "agent/stdout.jsonl": second.slice(0, 2),
      "agent/rollout-1.jsonl": thread,
      "agent/rollout-2.jsonl": helper,
    });
    expect(brief(withHelper)).toEqual(["user: Once more.", "agent: Done.", "user: Help.", "agent: I help."]);
  });
});
