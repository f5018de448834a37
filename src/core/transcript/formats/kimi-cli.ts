import type { Fields } from "../../model/fields.js";
import type { MessageUsage } from "../../model/transcript.js";
import type { TranscriptBuilder } from "../builder.js";
import { LONGEST_LINE } from "../lines.js";
import { NO_MESSAGE_USAGE } from "../tally.js";
import { AgentFlow } from "./agent-flow.js";
import {
  contentText,
  fromJson,
  handle,
  parseLine,
  type Handlers,
  type LineFormat,
  type LineReader,
} from "./format.js";

/** Kimi CLI: the JSON-RPC messages of `kimi --wire`. */
export const kimiCli: LineFormat = {
  format: "kimi_cli",
  recognises: (event) => event.has("jsonrpc") && (event.text("method") === "event" || event.has("result")),
  reader: (builder) => new KimiReader(builder),
};

/** Results of tools may hold line breaks that are not escaped, so that a message can go over several lines. */
class KimiReader implements LineReader {
  private readonly flow: AgentFlow;
  private held: string[] = [];
  private heldLength = 0;
  private heldFrom = 0;
  private stepUsage: MessageUsage | undefined;
  private call: { readonly id: string; readonly name: string; given: string } | undefined;

  private readonly handlers: Handlers = {
    TurnBegin: (payload) => {
      this.builder.message("user", { text: contentText(payload.value("user_input")) ?? "" });
    },
    StepBegin: () => {
      this.finishStep();
      this.builder.tally.step();
      this.flow.begin();
    },
    ContentPart: (payload) => {
      this.part(payload);
    },
    ToolCall: (payload) => {
      this.beginCall(payload);
    },
    ToolCallPart: (payload) => {
      if (this.call !== undefined) this.call.given += payload.text("arguments_part") ?? "";
    },
    ToolResult: (payload) => {
      this.answer(payload);
    },
    StatusUpdate: (payload) => {
      this.status(payload.fields("token_usage"));
    },
  };

  constructor(private readonly builder: TranscriptBuilder) {
    this.flow = new AgentFlow(builder);
  }

  take(line: string, number: number): void {
    if (line.trimStart().startsWith('{"jsonrpc"')) {
      this.release();
      this.heldFrom = number;
    } else if (this.held.length === 0) return;
    this.heldLength += line.length;
    if (this.heldLength < LONGEST_LINE) this.held.push(line);
  }

  end(): void {
    this.release();
    this.finishCall();
    this.finishStep();
  }

  private release(): void {
    if (this.held.length === 0) return;
    const text = this.held.join("\n");
    this.held = [];
    this.heldLength = 0;
    const message = parseLine(text) ?? parseLine(escaped(text));
    if (message === undefined) this.builder.faults.add("This message cannot be read", this.heldFrom);
    else if (message.text("method") === "event") {
      const parameters = message.fields("params");
      this.event(parameters.text("type"), parameters.fields("payload"));
    } else if (message.has("error")) {
      this.builder.failure = message.fields("error").text("message") ?? "The agent reported an error";
    }
  }

  private event(type: string | undefined, payload: Fields): void {
    if (type !== "ToolCallPart") this.finishCall();
    handle(this.handlers, type, payload);
  }

  private part(payload: Fields): void {
    if (payload.text("type") === "think") this.flow.thinking(payload.text("think") ?? "", {}, "");
    else this.flow.text(payload.text("text") ?? "", {}, "");
  }

  /** Arguments may stream in after the call was begun. */
  private beginCall(payload: Fields): void {
    const called = payload.fields("function");
    const given = called.text("arguments") ?? "";
    this.call = { id: payload.text("id") ?? "", name: called.text("name") ?? "tool", given };
  }

  private finishCall(): void {
    const { call } = this;
    if (call === undefined) return;
    this.call = undefined;
    this.flow.call(call.name, call.given === "" ? {} : fromJson(call.given), call.id);
  }

  private answer(payload: Fields): void {
    const value = payload.fields("return_value");
    const output = contentText(value.value("output")) ?? "";
    const message = value.text("message") ?? "";
    const failed = value.flag("is_error") === true;
    this.builder.answer(payload.text("tool_call_id"), output === "" ? message : output, failed);
  }

  /** Sums of the step so far: the last one counts. */
  private status(usage: Fields): void {
    if (usage.keys.length === 0) return;
    const cacheReadTokens = usage.numberOr("input_cache_read", 0);
    const cacheWriteTokens = usage.numberOr("input_cache_creation", 0);
    this.stepUsage = {
      ...NO_MESSAGE_USAGE,
      ...{ cacheReadTokens, cacheWriteTokens },
      inputTokens: usage.numberOr("input_other", 0) + cacheReadTokens + cacheWriteTokens,
      outputTokens: usage.number("output"),
      reasoningTokens: usage.number("reasoning_tokens") ?? usage.number("output_reasoning_tokens"),
    };
  }

  private finishStep(): void {
    if (this.stepUsage !== undefined) this.builder.count(this.flow.message, this.stepUsage);
    this.stepUsage = undefined;
  }
}

/** Control characters as JSON wants them; outside of strings there are none in these messages. */
function escaped(text: string): string {
  return text.replaceAll(/\p{Cc}/gu, (character) => JSON.stringify(character).slice(1, -1));
}
