import { TOKENS, type Dialect } from "./dialect.js";
import { list, names, newest, record, text, type Item } from "./json.js";

/** Gemini's generateContent, streamed. */
export const gemini: Dialect = {
  name: "gemini",
  takes: (path) => path.endsWith(":streamGenerateContent"),
  read: (body) => {
    const asked = record(body);
    const tools = list(asked["tools"]).flatMap((tool) => list(record(tool)["functionDeclarations"]));
    return { ...newest(list(asked["contents"]).flatMap(itemsOf)), tools: names(tools) };
  },
  say: (reply) => {
    const call = {
      name: "run_shell_command",
      args: { command: reply.kind === "shell" ? reply.command : "" },
    };
    const part = reply.kind === "text" ? { text: reply.text } : { functionCall: call };
    const usageMetadata = {
      promptTokenCount: TOKENS.input,
      candidatesTokenCount: TOKENS.output,
      totalTokenCount: TOKENS.input + TOKENS.output,
    };
    const candidate = { content: { role: "model", parts: [part] }, finishReason: "STOP", index: 0 };
    return [{ data: { candidates: [candidate], usageMetadata, modelVersion: "scripted" } }];
  },
  trouble: (status, message) => ({ error: { code: status, message, status: "UNKNOWN" } }),
};

function itemsOf(value: unknown): Item[] {
  const content = record(value);
  if (content["role"] !== "user") return [{ kind: "other", text: "" }];
  return list(content["parts"]).map((part): Item => {
    const { text: words, functionResponse } = record(part);
    if (functionResponse === undefined) return { kind: "user", text: text(words) };
    return { kind: "answer", text: JSON.stringify(functionResponse) };
  });
}
