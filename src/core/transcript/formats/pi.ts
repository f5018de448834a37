import type { Fields } from "../../model/fields.js";
import type { MessageUsage } from "../../model/transcript.js";
import type { MessageDraft, TranscriptBuilder } from "../builder.js";
import { contentText, isoTime, jsonLines, records, type LineFormat, type LineReader } from "./format.js";

/** Pi: `pi --mode json`. */
export const pi: LineFormat = {
  format: "pi",
  recognises: (event) =>
    /^(message_(start|update|end)|tool_execution_\w+|agent_(start|end))$/u.test(event.text("type") ?? ""),
  reader: (builder) => new PiReader(builder).lines,
};

class PiReader {
  readonly lines: LineReader;
  private last: MessageDraft | undefined;

  constructor(private readonly builder: TranscriptBuilder) {
    this.lines = jsonLines(builder, (event) => {
      this.event(event);
    });
  }

  private event(event: Fields): void {
    switch (event.text("type") ?? "") {
      case "session":
        this.builder.session ??= event.text("id");
        break;
      case "message_end":
        this.message(event.fields("message"));
        break;
      case "tool_execution_start":
        // The call stands in a message already, but for tools that the agent runs of itself.
        this.builder.call(
          this.current(),
          event.text("toolName") ?? "tool",
          event.value("args"),
          event.text("toolCallId"),
        );
        break;
      case "tool_execution_end":
        this.builder.tally.step();
        this.answer(event.text("toolCallId"), event.value("result"), event.flag("isError") === true);
        break;
    }
  }

  private current(): MessageDraft {
    this.last ??= this.builder.message("agent");
    return this.last;
  }

  private message(message: Fields): void {
    const time = isoTime(message.number("timestamp"));
    switch (message.text("role") ?? "") {
      case "assistant":
        this.assistant(message, time);
        break;
      case "toolResult":
        this.answer(message.text("toolCallId"), message.value("content"), message.flag("isError") === true);
        break;
      default:
        this.builder.message("user", { text: contentText(message.value("content")) ?? "", time });
    }
  }

  private answer(id: string | undefined, result: unknown, failed: boolean): void {
    this.builder.answer(id, contentText(result), failed);
  }

  private assistant(message: Fields, time: string | undefined): void {
    const model = message.text("model");
    this.builder.agent.model ??= model;
    const draft = this.builder.message("agent", { time, model });
    this.last = draft;
    for (const block of records(message.list("content"))) this.block(draft, block);
    this.builder.tally.step();
    const usage = message.fields("usage");
    if (usage.keys.length > 0) this.builder.count(draft, readUsage(usage));
    const reason = message.text("stopReason");
    const failed = reason === "error" || reason === "aborted";
    this.builder.failure = failed
      ? (message.text("errorMessage") ?? `The model's answer ended: ${reason}`)
      : undefined;
  }

  private block(draft: MessageDraft, block: Fields): void {
    const type = block.text("type");
    if (type === "text") this.builder.addText(draft, block.text("text") ?? "", "\n\n");
    else if (type === "thinking") this.builder.addThinking(draft, block.text("thinking") ?? "", "\n\n");
    else if (type === "toolCall") {
      this.builder.call(draft, block.text("name") ?? "tool", block.value("arguments"), block.text("id"));
    }
  }
}

/** Pi leaves cached tokens out of the input; SCB puts them in. */
function readUsage(usage: Fields): MessageUsage {
  const cacheReadTokens = usage.numberOr("cacheRead", 0);
  return {
    costUsd: usage.fields("cost").number("total"),
    inputTokens: usage.numberOr("input", 0) + cacheReadTokens,
    outputTokens: usage.number("output"),
    cacheReadTokens,
    cacheWriteTokens: usage.number("cacheWrite"),
    reasoningTokens: usage.number("reasoning"),
  };
}
