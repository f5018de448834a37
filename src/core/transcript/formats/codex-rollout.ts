import { Fields } from "../../model/fields.js";
import type { TranscriptBuilder } from "../builder.js";
import type { TotalsDraft } from "../tally.js";
import { AgentFlow } from "./agent-flow.js";
import { readCodexUsage } from "./codex-events.js";
import { isPrompt } from "./codex-thread.js";
import { contentText, fromJson, jsonLines, records, type LineFormat, type LineReader } from "./format.js";

/** Codex: the rollouts below `~/.codex/sessions`. They hold more than is printed: thoughts, patches, times. */
export const codexRollout: LineFormat = {
  format: "codex",
  recognises: (event) =>
    event.has("payload") &&
    ["session_meta", "response_item", "event_msg", "turn_context"].includes(event.text("type") ?? ""),
  reader: (builder) => new RolloutReader(builder, 0).lines,
};

/** A reader of a rollout that passes over what is of turns before. @param earlier how many things were asked in them */
export function rolloutReader(builder: TranscriptBuilder, earlier: number): LineReader {
  return new RolloutReader(builder, earlier).lines;
}

/** A thread's tokens, from which Codex counts on when it resumes it. */
export function codexTotals(totals: TotalsDraft): (line: Fields) => void {
  let thread: string | undefined;
  return (line) => {
    const payload = line.fields("payload");
    if (line.text("type") === "session_meta") thread ??= payload.text("id");
    if (payload.text("type") !== "token_count") return;
    const total = payload.fields("info").fields("total_token_usage");
    if (total.keys.length > 0) totals.set(thread ?? "", readCodexUsage(total));
  };
}

/** How newer releases, whose output is plain text, begin that of a command or a patch that failed. */
const FAILED_TEXT =
  /^(?:Exit code: [1-9-]|(?:Chunk ID: .*\n)?Wall time: .*\nProcess exited with code [1-9-]|apply_patch verification failed|Failed to apply patch|error: patch)/u;

class RolloutReader {
  readonly lines: LineReader;
  private readonly flow: AgentFlow;
  private time: string | undefined;
  /** Things that were asked so far, where some are of turns before. */
  private asked = 0;

  constructor(
    private readonly builder: TranscriptBuilder,
    private readonly earlier: number,
  ) {
    this.flow = new AgentFlow(builder);
    this.lines = jsonLines(builder, (line) => {
      this.time = line.text("timestamp");
      const [type, payload] = [line.text("type"), line.fields("payload")];
      if (this.isEarlier(type, payload)) this.earlierLine(type, payload);
      else this.line(type, payload);
    });
  }

  private isEarlier(type: string | undefined, payload: Fields): boolean {
    if (this.earlier > 0 && type === "response_item" && isPrompt(payload)) this.asked += 1;
    return this.asked <= this.earlier && this.earlier > 0;
  }

  /** Of turns before only who is at work is of interest. */
  private earlierLine(type: string | undefined, payload: Fields): void {
    if (type === "session_meta") this.line(type, payload);
    if (type === "turn_context") this.builder.agent.model = payload.text("model") ?? this.builder.agent.model;
  }

  private line(type: string | undefined, payload: Fields): void {
    const { agent } = this.builder;
    if (type === "session_meta") {
      this.builder.session ??= payload.text("id");
      agent.version ??= payload.text("cli_version");
    } else if (type === "turn_context") {
      agent.model ??= payload.text("model");
    } else if (type === "response_item") this.item(payload);
    else if (type === "event_msg") this.message(payload);
  }

  /** Most of what is told here stands in the items too. */
  private message(payload: Fields): void {
    switch (payload.text("type") ?? "") {
      case "task_started":
        this.builder.tally.step();
        this.builder.failure = undefined;
        break;
      case "token_count":
        this.tokens(payload.fields("info"));
        break;
      case "error":
      case "turn_aborted":
        this.builder.failure = payload.text("message") ?? payload.text("reason") ?? "The turn was aborted";
        break;
    }
  }

  private tokens(info: Fields): void {
    const total = info.fields("total_token_usage");
    if (total.keys.length > 0) this.builder.tally.add(readCodexUsage(total), this.builder.session ?? "");
    const last = info.fields("last_token_usage");
    if (this.flow.message !== undefined && last.keys.length > 0)
      this.flow.message.usage = readCodexUsage(last);
  }

  private item(item: Fields): void {
    const type = item.text("type") ?? "";
    if (type === "message") this.said(item);
    else if (type.endsWith("_output")) this.output(item);
    else {
      this.builder.tally.step();
      if (type === "reasoning") this.reasoning(item);
      else this.call(type, item);
    }
  }

  private said(item: Fields): void {
    const text = contentText(item.value("content")) ?? "";
    if (item.text("role") === "assistant") {
      this.builder.tally.step();
      this.flow.text(text, this.start);
      return;
    }
    this.flow.close();
    this.builder.message(isPrompt(item) ? "user" : "system", { text, time: this.time });
  }

  private reasoning(item: Fields): void {
    for (const part of [...records(item.list("summary")), ...records(item.list("content"))]) {
      this.flow.thinking(part.text("text") ?? "", this.start);
    }
  }

  private call(type: string, item: Fields): void {
    const id = item.text("call_id") ?? item.text("id");
    const call = this.flow.call(item.text("name") ?? type, callInput(item), id, this.start);
    if (item.text("status") === "failed" || item.text("status") === "incomplete") call.failed = true;
  }

  private output(item: Fields): void {
    const value = item.value("output");
    const parsed = typeof value === "string" ? fromJson(value) : value;
    const fields = new Fields(parsed);
    const isFramed = fields.has("output") || fields.has("content");
    const output = isFramed
      ? (fields.text("output") ?? contentText(fields.value("content")))
      : contentText(value);
    const failed = isFramed
      ? fields.flag("success") === false || fields.fields("metadata").numberOr("exit_code", 0) !== 0
      : FAILED_TEXT.test(output ?? "");
    this.builder.answer(item.text("call_id"), output, failed);
  }

  private get start() {
    return { time: this.time, model: this.builder.agent.model };
  }
}

function callInput(item: Fields): unknown {
  const given = item.text("arguments") ?? item.value("input") ?? item.value("action");
  return typeof given === "string" && item.has("arguments") ? fromJson(given) : given;
}
