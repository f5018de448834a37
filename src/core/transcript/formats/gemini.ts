import type { Fields } from "../../model/fields.js";
import type { MessageUsage } from "../../model/transcript.js";
import type { TranscriptBuilder } from "../builder.js";
import { NO_MESSAGE_USAGE } from "../tally.js";
import { AgentFlow } from "./agent-flow.js";
import { contentText, handle, jsonLines, type Handlers, type LineFormat, type LineReader } from "./format.js";

/** Gemini CLI: `--output-format stream-json`. */
export const gemini: LineFormat = {
  format: "gemini",
  recognises: (event) =>
    event.text("type") === "init" || (event.text("type") === "result" && event.has("stats")),
  reader: (builder) => new GeminiReader(builder).lines,
};

class GeminiReader {
  readonly lines: LineReader;
  private readonly flow: AgentFlow;
  /** Something was said since the last call: SCB counts the two as two steps. */
  private said = false;
  private readonly handlers: Handlers = {
    init: (event) => {
      this.builder.session = event.text("session_id");
      this.builder.agent.model ??= event.text("model");
    },
    message: (event) => {
      this.message(event);
    },
    tool_use: (event) => {
      const name = event.text("tool_name") ?? event.text("name");
      this.call(name, event.value("parameters") ?? event.value("input"), event);
    },
    tool_result: (event) => {
      this.answer(event);
    },
    error: (event) => {
      this.builder.message("system", { text: event.text("message") ?? "", time: event.text("timestamp") });
    },
    result: (event) => {
      this.result(event);
    },
  };

  constructor(private readonly builder: TranscriptBuilder) {
    this.flow = new AgentFlow(builder);
    this.lines = jsonLines(builder, (event) => {
      handle(this.handlers, event.text("type"), event);
    });
  }

  private message(event: Fields): void {
    const time = event.text("timestamp");
    const content = event.fields("content");
    if (event.text("role") === "user") {
      const answer = content.fields("tool_result");
      if (answer.keys.length > 0) this.answer(answer);
      else {
        this.flow.close();
        this.builder.message("user", { text: contentText(event.value("content")) ?? "", time });
      }
      return;
    }
    this.said = true;
    const call = content.fields("tool_use");
    if (call.keys.length > 0) this.call(call.text("name"), call.value("input"), call);
    else
      this.flow.text(
        contentText(event.value("content")) ?? "",
        { time },
        event.flag("delta") === true ? "" : "\n\n",
      );
  }

  private call(name: string | undefined, input: unknown, event: Fields): void {
    this.builder.tally.step(this.said ? 2 : 1);
    this.said = false;
    const id = event.text("tool_id") ?? event.text("id");
    this.flow.call(name ?? "tool", input, id, { time: event.text("timestamp") });
  }

  private answer(event: Fields): void {
    const id = event.text("tool_id") ?? event.text("tool_use_id");
    const error = event.fields("error").text("message");
    const output = contentText(event.value("output") ?? event.value("content"));
    this.builder.answer(id, error ?? output ?? "", event.text("status") === "error" || error !== undefined);
  }

  private result(event: Fields): void {
    const stats = event.fields("stats");
    // Counted by the process, so that a resumed session begins at nothing.
    if (stats.keys.length > 0) this.builder.tally.add(readStats(stats));
    const failed = event.text("status") === "error";
    this.builder.failure = failed
      ? (event.fields("error").text("message") ?? "The agent reported an error")
      : undefined;
    this.flow.close();
  }
}

/** SCB's reading: thoughts and tools count as output, and so does what only the total knows of. */
function readStats(stats: Fields): MessageUsage {
  const first = (...keys: string[]): number =>
    keys.map((key) => stats.number(key)).find((value) => value !== undefined) ?? 0;
  const cacheReadTokens = first("cache_read_tokens", "cached_tokens", "cached");
  const inputTokens = stats.number("input_tokens") ?? first("input") + cacheReadTokens;
  const thoughts = first("thoughts_tokens", "thoughts");
  const output = first("output_tokens", "output") + thoughts + first("tool_tokens", "tool");
  const hidden = Math.max(0, first("total_tokens", "total") - inputTokens - output);
  return {
    ...NO_MESSAGE_USAGE,
    ...{ inputTokens, cacheReadTokens, outputTokens: output + hidden, reasoningTokens: thoughts + hidden },
  };
}
