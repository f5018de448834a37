import { TOKENS, type Dialect, type Said, type StreamEvent } from "./dialect.js";
import { list, names, newest, record, text, type Item } from "./json.js";

/** OpenAI Responses, streamed. */
export const openaiResponses: Dialect = {
  name: "openai-responses",
  takes: (path) => path.endsWith("/responses"),
  read: (body) => {
    const asked = record(body);
    const input = asked["input"];
    const items =
      typeof input === "string" ? [{ kind: "user", text: input } as const] : list(input).map(itemOf);
    return { ...newest(items), tools: names(asked["tools"]) };
  },
  say: (reply, tools, id) => {
    const item = itemSaid(reply, tools, id);
    const usage = {
      input_tokens: TOKENS.input,
      input_tokens_details: { cached_tokens: 0 },
      output_tokens: TOKENS.output,
      output_tokens_details: { reasoning_tokens: 0 },
      total_tokens: TOKENS.input + TOKENS.output,
    };
    const response = { id: `resp_${id}`, object: "response", status: "completed", output: [item], usage };
    return [
      event("response.created", {
        response: { ...response, status: "in_progress", output: [], usage: null },
      }),
      event("response.output_item.added", { output_index: 0, item }),
      event("response.output_item.done", { output_index: 0, item }),
      event("response.completed", { response }),
    ];
  },
  trouble: (status, message) => ({ error: { message, type: "error", code: String(status) } }),
};

function itemOf(value: unknown): Item {
  const item = record(value);
  if (text(item["type"]).endsWith("_call_output")) {
    return { kind: "answer", text: JSON.stringify(item["output"]) };
  }
  if (item["role"] !== "user") return { kind: "other", text: "" };
  const parts = list(item["content"]).map((part) => text(record(part)["text"]));
  return { kind: "user", text: parts.join("\n") };
}

function itemSaid(reply: Said, tools: readonly string[], id: string): object {
  if (reply.kind === "text") {
    const content = [{ type: "output_text", text: reply.text, annotations: [] }];
    return { type: "message", id: `msg_${id}`, role: "assistant", status: "completed", content };
  }
  const call = { type: "function_call", id: `fc_${id}`, call_id: `call_${id}`, status: "completed" };
  const shell = SHELLS.find(({ name }) => tools.includes(name)) ?? SHELLS[0];
  return { ...call, name: shell.name, arguments: JSON.stringify(shell.input(reply.command)) };
}

/** The shells that agents offer, by name. */
const SHELLS = [
  { name: "exec_command", input: (cmd: string): object => ({ cmd }) },
  { name: "shell_command", input: (command: string): object => ({ command }) },
  { name: "shell", input: (command: string): object => ({ command: ["sh", "-c", command] }) },
  { name: "bash", input: (command: string): object => ({ command, description: "Work on it" }) },
] as const;

function event(type: string, fields: object): StreamEvent {
  return { event: type, data: { type, ...fields } };
}
