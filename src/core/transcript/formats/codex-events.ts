import type { Fields } from "../../model/fields.js";
import type { MessageUsage } from "../../model/transcript.js";
import type { CallDraft, TranscriptBuilder } from "../builder.js";
import { NO_MESSAGE_USAGE } from "../tally.js";
import { AgentFlow } from "./agent-flow.js";
import { contentText, handle, jsonLines, type Handlers, type LineFormat, type LineReader } from "./format.js";

/** Codex: what `codex exec --json` prints. */
export const codexEvents: LineFormat = {
  format: "codex",
  recognises: (event) =>
    /^(thread\.started|turn\.started|item\.(started|completed))$/u.test(event.text("type") ?? ""),
  reader: (builder) => new CodexEventReader(builder).lines,
};

class CodexEventReader {
  readonly lines: LineReader;
  private readonly flow: AgentFlow;
  private readonly calls = new Map<string, CallDraft>();
  private readonly handlers: Handlers = {
    "thread.started": (event) => {
      this.builder.session = event.text("thread_id");
      this.calls.clear();
    },
    "turn.started": () => {
      this.builder.failure = undefined;
      this.builder.tally.step();
    },
    "item.started": (event) => {
      this.item(event.fields("item"));
    },
    "item.completed": (event) => {
      this.builder.tally.step();
      this.item(event.fields("item"));
    },
    "turn.completed": (event) => {
      // Codex tells the sums of the whole thread, so that a resumed one must not be added to itself.
      this.builder.tally.add(readCodexUsage(event.fields("usage")), this.builder.session ?? "");
    },
    "turn.failed": (event) => {
      this.builder.failure = event.fields("error").text("message") ?? "The turn failed";
    },
    error: (event) => {
      this.builder.failure = event.text("message") ?? "The agent reported an error";
    },
  };

  constructor(private readonly builder: TranscriptBuilder) {
    this.flow = new AgentFlow(builder);
    this.lines = jsonLines(builder, (event) => {
      handle(this.handlers, event.text("type"), event);
    });
  }

  private item(item: Fields): void {
    const text = item.text("text") ?? "";
    switch (item.text("type") ?? "") {
      case "reasoning":
        this.flow.thinking(text);
        break;
      case "agent_message":
        this.flow.text(text);
        break;
      case "error":
        this.builder.message("system", { text: item.text("message") ?? "" });
        break;
      default:
        this.call(item);
    }
  }

  private call(item: Fields): void {
    const id = item.text("id") ?? "";
    const { name, input, output, failed } = describeItem(item);
    const call = this.calls.get(id) ?? this.flow.call(name, input);
    this.calls.set(id, call);
    if (item.text("status") !== "in_progress") this.builder.answerCall(call, output, failed);
  }
}

interface ItemCall {
  readonly name: string;
  readonly input: unknown;
  readonly output: string | undefined;
  readonly failed: boolean;
}

function describeItem(item: Fields): ItemCall {
  const failed = item.text("status") === "failed" || item.text("status") === "declined";
  switch (item.text("type") ?? "") {
    case "command_execution":
      return {
        ...{ name: "shell", input: { command: item.text("command") ?? "" } },
        output: item.text("aggregated_output"),
        failed: failed || item.numberOr("exit_code", 0) !== 0,
      };
    case "file_change":
      return {
        name: "file_change",
        input: { changes: item.list("changes") },
        output: item.text("status"),
        failed,
      };
    case "mcp_tool_call":
      return describeMcpCall(item, failed);
    default:
      return { name: item.text("type") ?? "item", input: withoutFrame(item), output: undefined, failed };
  }
}

function describeMcpCall(item: Fields, failed: boolean): ItemCall {
  const error = item.fields("error").text("message");
  return {
    ...{ name: [item.text("server"), item.text("tool")].join("."), input: item.value("arguments") },
    output: error ?? contentText(item.value("result")),
    failed: failed || error !== undefined,
  };
}

function withoutFrame(item: Fields): Record<string, unknown> {
  const own = item.keys.filter((key) => !["id", "type", "status"].includes(key));
  return Object.fromEntries(own.map((key) => [key, item.value(key)]));
}

/** Codex's token counts; cached input is part of the input. */
export function readCodexUsage(usage: Fields): MessageUsage {
  return {
    ...NO_MESSAGE_USAGE,
    inputTokens: usage.number("input_tokens"),
    outputTokens: usage.number("output_tokens"),
    cacheReadTokens: usage.number("cached_input_tokens"),
    reasoningTokens: usage.number("reasoning_output_tokens"),
  };
}
