import { TOKENS, type Dialect, type Said, type StreamEvent } from "./dialect.js";
import { list, names, newest, record, text, type Item } from "./json.js";

/** Anthropic Messages, streamed. */
export const anthropic: Dialect = {
  name: "anthropic",
  takes: (path) => path.endsWith("/v1/messages"),
  read: (body) => {
    const asked = record(body);
    return { ...newest(list(asked["messages"]).flatMap(itemsOf)), tools: names(asked["tools"]) };
  },
  say: (reply, _tools, id) => [
    event("message_start", { message: message(id) }),
    event("content_block_start", { index: 0, content_block: block(reply, id) }),
    event("content_block_delta", { index: 0, delta: delta(reply) }),
    event("content_block_stop", { index: 0 }),
    event("message_delta", {
      delta: { stop_reason: reply.kind === "text" ? "end_turn" : "tool_use", stop_sequence: null },
      usage: { output_tokens: TOKENS.output },
    }),
    event("message_stop", {}),
  ],
  trouble: (status, words) => ({
    type: "error",
    error: { type: TROUBLES[status] ?? "api_error", message: words },
  }),
};

const TROUBLES: Readonly<Record<number, string>> = { 401: "authentication_error", 429: "rate_limit_error" };

function itemsOf(value: unknown): Item[] {
  const message = record(value);
  if (message["role"] !== "user") return [{ kind: "other", text: "" }];
  if (typeof message["content"] === "string") return [{ kind: "user", text: message["content"] }];
  return list(message["content"]).map((part): Item => {
    const block = record(part);
    if (block["type"] !== "tool_result") return { kind: "user", text: text(block["text"]) };
    return { kind: "answer", text: JSON.stringify(block["content"]) };
  });
}

function event(type: string, fields: object): StreamEvent {
  return { event: type, data: { type, ...fields } };
}

function message(id: string): object {
  const usage = { input_tokens: TOKENS.input, output_tokens: 1 };
  const common = { id: `msg_${id}`, type: "message", role: "assistant", model: "scripted", content: [] };
  return { ...common, stop_reason: null, stop_sequence: null, usage };
}

function block(reply: Said, id: string): object {
  return reply.kind === "text"
    ? { type: "text", text: "" }
    : { type: "tool_use", id: `toolu_${id}`, name: "Bash", input: {} };
}

function delta(reply: Said): object {
  if (reply.kind === "text") return { type: "text_delta", text: reply.text };
  const input = { command: reply.command, description: "Work on it" };
  return { type: "input_json_delta", partial_json: JSON.stringify(input) };
}
