import { Fields } from "../../model/fields.js";
import type { CallDraft, TranscriptBuilder } from "../builder.js";
import { NO_MESSAGE_USAGE } from "../tally.js";
import { AgentFlow } from "./agent-flow.js";
import { contentText, isoTime, jsonLines, type LineFormat, type LineReader } from "./format.js";

/** Cursor's `cursor-agent --output-format=stream-json`. It begins as Claude Code does, but names no tools. */
export const cursorCli: LineFormat = {
  format: "cursor_cli",
  recognises: (event) =>
    (event.text("type") === "system" && event.has("permissionMode") && !event.has("tools")) ||
    (event.text("type") === "tool_call" && event.has("tool_call")),
  reader: (builder) => new CursorReader(builder).lines,
};

class CursorReader {
  readonly lines: LineReader;
  private readonly flow: AgentFlow;
  private readonly calls = new Map<string, CallDraft>();

  constructor(private readonly builder: TranscriptBuilder) {
    this.flow = new AgentFlow(builder);
    this.lines = jsonLines(builder, (event) => {
      this.event(event);
    });
  }

  private event(event: Fields): void {
    const start = { time: isoTime(event.number("timestamp_ms")) };
    this.builder.session ??= event.text("session_id");
    switch (event.text("type") ?? "") {
      case "system":
        this.builder.agent.model ??= event.text("model");
        break;
      case "user":
        this.flow.close();
        this.builder.message("user", { ...start, text: said(event) });
        break;
      case "thinking":
      case "assistant":
        this.speech(event, start);
        break;
      case "tool_call":
        this.call(event, start);
        break;
      case "result":
        this.result(event);
        break;
    }
  }

  private speech(event: Fields, start: { readonly time: string | undefined }): void {
    if (event.text("type") === "thinking") {
      this.flow.thinking(event.text("text") ?? "", start, "");
      return;
    }
    this.builder.tally.step();
    this.flow.text(said(event), start);
  }

  private call(event: Fields, start: { readonly time: string | undefined }): void {
    const frame = event.fields("tool_call");
    const name = frame.keys.find((key) => frame.fields(key).keys.length > 0) ?? "tool";
    const detail = frame.fields(name);
    const id = event.text("call_id");
    const begun = id === undefined ? undefined : this.calls.get(id);
    const call =
      begun ?? this.flow.call(name.replace(/ToolCall$/u, ""), detail.value("args"), undefined, start);
    if (id !== undefined) this.calls.set(id, call);
    if (event.text("subtype") !== "completed") return;
    this.builder.tally.step();
    const result = detail.fields("result");
    // One ending of many, named by its key: error, rejected, fileNotFound, permissionDenied…
    const ending = result.has("success") ? "success" : result.keys[0];
    const told = ending === undefined ? detail.value("result") : result.value(ending);
    this.builder.answerCall(call, endingText(told), ending !== undefined && ending !== "success");
  }

  private result(event: Fields): void {
    const usage = event.fields("usage");
    if (usage.keys.length > 0) {
      this.builder.tally.add({
        ...NO_MESSAGE_USAGE,
        inputTokens: usage.number("inputTokens"),
        outputTokens: usage.number("outputTokens"),
        cacheReadTokens: usage.number("cacheReadTokens"),
        cacheWriteTokens: usage.number("cacheWriteTokens"),
      });
    }
    const failed = event.flag("is_error") === true;
    this.builder.failure = failed ? (event.text("result") ?? "The agent reported an error") : undefined;
  }
}

/** What a tool answered; the words of an error where there are some. */
function endingText(told: unknown): string | undefined {
  const fields = new Fields(told);
  const words = ["errorMessage", "error", "reason", "message"].map((key) => fields.text(key));
  return words.find((text) => text !== undefined) ?? contentText(told);
}

function said(event: Fields): string {
  return contentText(event.fields("message").value("content")) ?? "";
}
