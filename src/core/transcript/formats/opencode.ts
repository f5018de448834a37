import type { Fields } from "../../model/fields.js";
import type { MessageUsage } from "../../model/transcript.js";
import type { TranscriptBuilder } from "../builder.js";
import { AgentFlow } from "./agent-flow.js";
import { contentText, isoTime, jsonLines, type LineFormat, type LineReader } from "./format.js";

/** OpenCode: `run --format json`. */
export const opencode: LineFormat = {
  format: "opencode",
  recognises: (event) =>
    event.has("part") && ["step_start", "step_finish", "text", "tool_use"].includes(event.text("type") ?? ""),
  reader: (builder) => new OpencodeReader(builder).lines,
};

class OpencodeReader {
  readonly lines: LineReader;
  private readonly flow: AgentFlow;
  private readonly finished = new Set<string>();

  constructor(private readonly builder: TranscriptBuilder) {
    builder.inputHoldsCached = false;
    this.flow = new AgentFlow(builder);
    this.lines = jsonLines(builder, (event) => {
      this.event(event);
    });
  }

  private event(event: Fields): void {
    this.builder.session ??= event.text("sessionID");
    const part = event.fields("part");
    const start = { time: isoTime(event.number("timestamp")) };
    switch (event.text("type") ?? "") {
      case "step_start":
        this.flow.close();
        break;
      case "text":
      case "reasoning":
        this.speech(part, event.text("type") === "reasoning", start);
        break;
      case "tool_use":
        this.call(part, start);
        break;
      case "step_finish":
        this.finish(part);
        break;
      case "error":
        this.builder.failure = errorText(event.fields("error"));
        break;
    }
  }

  private speech(part: Fields, thinks: boolean, start: { readonly time: string | undefined }): void {
    this.builder.failure = undefined;
    const text = part.text("text") ?? "";
    if (thinks) this.flow.thinking(text, start);
    else this.flow.text(text, start);
  }

  private call(part: Fields, start: { readonly time: string | undefined }): void {
    const state = part.fields("state");
    const id = part.text("callID") ?? part.text("id");
    const call = this.flow.call(part.text("tool") ?? "tool", state.value("input"), id, start);
    const error = state.text("error");
    const output = error ?? contentText(state.value("output"));
    if (output !== undefined) this.builder.answerCall(call, output, state.text("status") === "error");
  }

  private finish(part: Fields): void {
    const id = part.text("id");
    if (id !== undefined && this.finished.has(id)) return;
    if (id !== undefined) this.finished.add(id);
    this.builder.tally.step();
    this.builder.count(this.flow.message, readUsage(part));
    this.flow.close();
  }
}

/** The name of an error, the service's status and what its `data` says, as far as they are there. */
function errorText(error: Fields): string {
  const data = error.fields("data");
  const kind = [error.text("name"), data.number("statusCode")].filter((part) => part !== undefined).join(" ");
  const parts = [kind, data.text("message") ?? error.text("message") ?? ""].filter((part) => part !== "");
  return parts.length > 0 ? parts.join(": ") : "The agent reported an error";
}

function readUsage(part: Fields): MessageUsage {
  const tokens = part.fields("tokens");
  const cache = tokens.fields("cache");
  const cost = part.numberOr("cost", 0);
  return {
    // It tells 0 for models whose price it does not know.
    costUsd: cost > 0 ? cost : undefined,
    inputTokens: tokens.number("input"),
    outputTokens: tokens.number("output"),
    cacheReadTokens: cache.number("read"),
    cacheWriteTokens: cache.number("write"),
    reasoningTokens: tokens.number("reasoning"),
  };
}
