import type { Fields } from "../../model/fields.js";
import type { MessageUsage } from "../../model/transcript.js";
import type { CallDraft, TranscriptBuilder } from "../builder.js";
import { contentText, jsonLines, type LineFormat } from "./format.js";

const COMMAND = /```bash[^\S\n]*\n(?<command>.*?)\n?```/su;

/** SCB's mini-swe-agent: one line a step, with its role. */
export const miniSwe: LineFormat = {
  format: "mini_swe",
  recognises: (event) =>
    event.has("content") && ["system", "user", "assistant", "environment"].includes(event.text("role") ?? ""),
  reader: (builder) => {
    let asked: CallDraft | undefined;
    return jsonLines(builder, (event) => {
      const text = contentText(event.value("content")) ?? "";
      const role = event.text("role");
      if (role === "assistant") asked = readAnswer(builder, event, text);
      else if (role === "environment" && asked !== undefined) {
        builder.answerCall(asked, text, event.fields("meta").numberOr("returncode", 0) !== 0);
        asked = undefined;
      } else builder.message(role === "system" ? "system" : "user", { text });
    });
  },
};

function readAnswer(builder: TranscriptBuilder, event: Fields, content: string): CallDraft | undefined {
  const match = COMMAND.exec(content);
  const draft = builder.message("agent", {
    text: match === null ? content : content.replace(match[0], "").trim(),
  });
  builder.tally.step();
  builder.count(draft, readUsage(event));
  const command = match?.groups?.["command"];
  return command === undefined ? undefined : builder.call(draft, "bash", { command });
}

function readUsage(event: Fields): MessageUsage {
  const tokens = event.fields("tokens");
  return {
    costUsd: event.number("cost"),
    inputTokens: tokens.number("input"),
    outputTokens: tokens.number("output"),
    cacheReadTokens: tokens.number("cache_read"),
    cacheWriteTokens: tokens.number("cache_write"),
    reasoningTokens: tokens.number("reasoning"),
  };
}
