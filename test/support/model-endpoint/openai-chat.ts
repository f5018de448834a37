import { TOKENS, type Dialect, type StreamEvent } from "./dialect.js";
import { list, names, newest, record, text, type Item } from "./json.js";

/** OpenAI chat completions, streamed. */
export const openaiChat: Dialect = {
  name: "openai-chat",
  takes: (path) => path.endsWith("/chat/completions"),
  read: (body) => {
    const asked = record(body);
    const tools = list(asked["tools"]).map((tool) => record(tool)["function"]);
    return { ...newest(list(asked["messages"]).map(itemOf)), tools: names(tools) };
  },
  say: (reply, _tools, id) => {
    const call = {
      index: 0,
      id: `call_${id}`,
      type: "function",
      function: { name: "bash", arguments: argumentsOf(reply.kind === "shell" ? reply.command : "") },
    };
    const said = reply.kind === "text" ? { content: reply.text } : { tool_calls: [call] };
    const reason = reply.kind === "text" ? "stop" : "tool_calls";
    return [
      chunk(id, { choices: [{ index: 0, delta: { role: "assistant", ...said }, finish_reason: null }] }),
      chunk(id, { choices: [{ index: 0, delta: {}, finish_reason: reason }] }),
      chunk(id, { choices: [], usage: USAGE }),
      { data: "[DONE]" },
    ];
  },
  trouble: (status, message) => ({ error: { message, type: "error", code: String(status) } }),
};

const USAGE = {
  prompt_tokens: TOKENS.input,
  completion_tokens: TOKENS.output,
  total_tokens: TOKENS.input + TOKENS.output,
};

function itemOf(value: unknown): Item {
  const message = record(value);
  const content = message["content"];
  const words =
    typeof content === "string"
      ? content
      : list(content)
          .map((part) => text(record(part)["text"]))
          .join("\n");
  if (message["role"] === "tool") return { kind: "answer", text: words };
  return { kind: message["role"] === "user" ? "user" : "other", text: words };
}

function argumentsOf(command: string): string {
  return JSON.stringify({ command, description: "Work on it" });
}

function chunk(id: string, fields: object): StreamEvent {
  return {
    data: { id: `chat_${id}`, object: "chat.completion.chunk", created: 0, model: "scripted", ...fields },
  };
}
