/** An edit that a tool refused must never look like one that was made, whatever the agent writes down. */
import { describe, expect, it } from "vitest";
import { pageMessage } from "../../../src/core/report/transcript-view.js";
import { type Content, readFrom } from "./support.js";

const REFUSED = "The text was not found in a.py";
const PATCH = "*** Begin Patch\n*** Update File: a.py\n@@\n-old\n+new\n*** End Patch";
const CHANGE = { path: "a.py", old_string: "old", new_string: "new" };

const claude = (id: string, answer: object) => [
  {
    type: "assistant",
    parent_tool_use_id: null,
    message: {
      id,
      content: [{ type: "tool_use", id, name: "Edit", input: { ...CHANGE, file_path: "a.py" } }],
    },
  },
  { type: "user", message: { content: [{ type: "tool_result", tool_use_id: id, ...answer }] } },
];
const codexItem = (id: string, status: string) => ({
  type: "item.completed",
  item: { id, type: "file_change", changes: [{ path: "a.py", kind: "update" }], status },
});
const rollout = (id: string, output: unknown) => [
  {
    type: "response_item",
    payload: { type: "custom_tool_call", call_id: id, name: "apply_patch", input: PATCH },
  },
  { type: "response_item", payload: { type: "custom_tool_call_output", call_id: id, output } },
];
const opencode = (callID: string, state: object) => ({
  type: "tool_use",
  part: { id: callID, callID, tool: "edit", state: { input: { ...CHANGE, filePath: "a.py" }, ...state } },
});
const openhands = (id: number, observation: string, content: string) => [
  { id, source: "agent", action: "edit", args: CHANGE },
  { id: id + 1, source: "agent", cause: id, observation, content },
];
const cursor = (call_id: string, result: object) => ({
  type: "tool_call",
  subtype: "completed",
  call_id,
  tool_call: { editToolCall: { args: CHANGE, result } },
});
const kimi = (type: string, payload: object) => ({
  jsonrpc: "2.0",
  method: "event",
  params: { type, payload },
});
const kimiCall = (id: string, return_value: object) => [
  kimi("ToolCall", { id, function: { name: "StrReplaceFile", arguments: JSON.stringify(CHANGE) } }),
  kimi("ToolResult", { tool_call_id: id, return_value }),
];
const pi = (id: string, result: string, isError: boolean) => [
  {
    type: "message_end",
    message: { role: "assistant", content: [{ type: "toolCall", id, name: "edit", arguments: CHANGE }] },
  },
  { type: "tool_execution_end", toolCallId: id, result, isError },
];
const atif = (id: string, content: string, extra: object) => ({
  source: "agent",
  message: "",
  tool_calls: [{ tool_call_id: id, function_name: "edit", arguments: CHANGE }],
  observation: { results: [{ source_call_id: id, content, extra }] },
});

/** Of each form: an edit that was made, then one that was refused. */
const FORMS: Readonly<Record<string, Readonly<Record<string, Content>>>> = {
  "Claude Code": {
    "agent/stdout.jsonl": [
      { type: "system", subtype: "init", tools: [] },
      ...claude("1", { content: "done" }),
      ...claude("2", { content: `<tool_use_error>${REFUSED}</tool_use_error>`, is_error: true }),
    ],
  },
  "what Codex prints": {
    "agent/stdout.jsonl": [
      { type: "thread.started", thread_id: "t" },
      codexItem("1", "completed"),
      codexItem("2", "failed"),
    ],
  },
  "Codex' rollout in frames": {
    "agent/rollout.jsonl": [
      { type: "session_meta", payload: { id: "t" } },
      ...rollout("1", JSON.stringify({ output: "Success", metadata: { exit_code: 0 } })),
      ...rollout("2", JSON.stringify({ output: REFUSED, metadata: { exit_code: 1 } })),
    ],
  },
  "Codex' rollout in plain text": {
    "agent/rollout.jsonl": [
      { type: "session_meta", payload: { id: "t" } },
      ...rollout("1", "Exit code: 0\nWall time: 0.1 seconds\nOutput:\nSuccess"),
      ...rollout("2", `apply_patch verification failed: ${REFUSED}`),
      ...rollout("3", `Exit code: 1\nWall time: 0.1 seconds\nOutput:\n${REFUSED}`),
      ...rollout("4", `Wall time: 0.1 seconds\nProcess exited with code 1\nOutput:\n${REFUSED}`),
    ],
  },
  Gemini: {
    "agent/stdout.jsonl": [
      { type: "init", session_id: "g" },
      { type: "tool_use", tool_name: "replace", tool_id: "1", parameters: CHANGE },
      { type: "tool_result", tool_id: "1", status: "success", output: "done" },
      { type: "tool_use", tool_name: "replace", tool_id: "2", parameters: CHANGE },
      { type: "tool_result", tool_id: "2", status: "error", error: { message: REFUSED } },
    ],
  },
  OpenCode: {
    "agent/messages.jsonl": [
      { type: "step_start", part: {} },
      opencode("1", { status: "completed", output: "done" }),
      opencode("2", { status: "error", error: REFUSED }),
    ],
  },
  OpenHands: {
    "agent/trajectory.json": JSON.stringify([
      ...openhands(1, "edit", "The file a.py has been edited."),
      ...openhands(3, "edit", `ERROR:\n${REFUSED}`),
      ...openhands(5, "error", REFUSED),
    ]),
  },
  "mini-swe": {
    "agent/trajectory.jsonl": [
      { role: "assistant", content: `\`\`\`bash\napply_patch '${PATCH}'\n\`\`\`` },
      { role: "environment", content: "done", meta: { returncode: 0 } },
      { role: "assistant", content: `\`\`\`bash\napply_patch '${PATCH}'\n\`\`\`` },
      { role: "environment", content: REFUSED, meta: { returncode: 1 } },
    ],
  },
  Cursor: {
    "agent/stdout.jsonl": [
      { type: "system", subtype: "init", permissionMode: "default" },
      cursor("1", { success: { content: "done" } }),
      cursor("2", { error: { errorMessage: REFUSED } }),
      cursor("3", { rejected: { reason: REFUSED } }),
      cursor("4", { fileNotFound: { path: "a.py" } }),
    ],
  },
  Kimi: {
    "agent/kimi-cli.txt": [
      ...kimiCall("1", { is_error: false, output: "done" }),
      ...kimiCall("2", { is_error: true, output: "", message: REFUSED }),
    ],
  },
  Pi: { "agent/stdout.jsonl": [...pi("1", "done", false), ...pi("2", REFUSED, true)] },
  ATIF: {
    "agent/trajectory.json": JSON.stringify({
      schema_version: "ATIF-v1.7",
      agent: { name: "a", version: "1" },
      steps: [atif("1", "done", {}), atif("2", REFUSED, { is_error: true })],
    }),
  },
};

/** Where a form keeps no words of the tool, or a call tells its ending in other ones. */
const SAID: Readonly<Record<string, RegExp>> = {
  "what Codex prints": /^failed$/,
  Cursor: /a\.py/,
};

describe("an edit that a tool refused", () => {
  for (const [form, files] of Object.entries(FORMS)) {
    it(`is no change in a transcript of ${form}`, async () => {
      const transcript = await readFrom(files);
      const calls = transcript.messages.flatMap(
        (message) => pageMessage(message, transcript, new Set(["a.py"])).calls,
      );
      const [made, ...refused] = calls;
      expect(made?.edits).toMatchObject([{ path: "a.py", applied: true }]);
      expect(made?.error).toBe("");
      expect(refused).not.toEqual([]);
      for (const { edits, error } of refused) {
        expect(edits).toMatchObject([{ path: "a.py", applied: false }]);
        expect(error).toMatch(
          SAID[form] ?? /^(?:apply_patch verification failed: )?The text was not found in a\.py$/,
        );
      }
    });
  }
});
