import { Fields } from "../../model/fields.js";
import type { CallDraft, MessageDraft, TranscriptBuilder } from "../builder.js";
import { NO_MESSAGE_USAGE } from "../tally.js";
import { contentText, fromJson, records } from "./format.js";

/** Actions that change the agent's own state and do nothing. */
const SILENT = new Set(["change_agent_state", "null", "recall", "condensation"]);
const SAID = new Set(["message", "finish"]);
/** Lines of OpenHands' output that SCB counts as a step. */
const STEP_LINE = /\*\*CmdRunAction|\*\*FileEditAction|TaskTrackingAction\(/u;

/** Whether a JSON document is what OpenHands keeps as `trajectory.json`. */
export function isOpenHands(document: unknown): document is readonly unknown[] {
  if (!Array.isArray(document)) return false;
  return records(document.slice(0, 10)).some((event) => event.has("llm_metrics") || event.has("source"));
}

/** Whether a line of OpenHands' output counts as a step. */
export function isOpenHandsStep(line: string): boolean {
  return STEP_LINE.test(line);
}

/** OpenHands: the events of `trajectory.json`. Each action that is taken counts as a step. */
export function readOpenHands(document: readonly unknown[], builder: TranscriptBuilder): void {
  new OpenHandsReader(builder).read(document);
}

class OpenHandsReader {
  /** Calls by the id of the event that makes them: an observation names it as its cause. */
  private readonly calls = new Map<number, CallDraft>();

  constructor(private readonly builder: TranscriptBuilder) {}

  read(document: readonly unknown[]): void {
    for (const event of records(document)) {
      this.metrics(event.fields("llm_metrics"));
      if (event.has("observation")) this.observation(event);
      else if (event.has("action")) this.action(event);
    }
  }

  /** Sums since the beginning: the last one counts. */
  private metrics(metrics: Fields): void {
    if (metrics.keys.length === 0) return;
    const tokens = metrics.fields("accumulated_token_usage");
    this.builder.agent.model ??= tokens.text("model");
    this.builder.tally.replace({
      ...NO_MESSAGE_USAGE,
      costUsd: metrics.number("accumulated_cost"),
      inputTokens: tokens.number("prompt_tokens"),
      outputTokens: tokens.number("completion_tokens"),
      cacheReadTokens: tokens.number("cache_read_tokens"),
      cacheWriteTokens: tokens.number("cache_write_tokens"),
    });
  }

  private action(event: Fields): void {
    const action = event.text("action") ?? "";
    const time = event.text("timestamp");
    if (SAID.has(action)) {
      const source = event.text("source") === "user" ? "user" : "agent";
      this.builder.message(source, { text: saidIn(event), time });
    } else if (action === "system") this.builder.message("system", { text: saidIn(event), time });
    else if (!SILENT.has(action) && event.text("source") === "agent") this.call(action, event, time);
  }

  private call(action: string, event: Fields, time: string | undefined): void {
    const draft = this.begin(event, time);
    const asked = askedFor(event);
    const call = this.builder.call(
      draft,
      asked?.name ?? action,
      asked?.input ?? withoutThought(event.fields("args")),
    );
    const id = event.number("id");
    if (id !== undefined) this.calls.set(id, call);
    this.builder.tally.step();
  }

  private begin(event: Fields, time: string | undefined): MessageDraft {
    const parameters = event.fields("args");
    const draft = this.builder.message("agent", { text: parameters.text("thought") ?? "", time });
    const thinking = event.fields("tool_call_metadata").fields("model_response").text("reasoning_content");
    if (thinking !== undefined) this.builder.addThinking(draft, thinking);
    return draft;
  }

  private observation(event: Fields): void {
    const call = this.calls.get(event.number("cause") ?? Number.NaN);
    const text = contentText(event.value("content")) ?? event.text("message") ?? "";
    if (call === undefined) {
      if (event.text("observation") === "error") this.builder.message("system", { text });
      return;
    }
    const metadata = event.fields("extras").fields("metadata");
    const failed =
      event.text("observation") === "error" ||
      metadata.numberOr("exit_code", 0) !== 0 ||
      // Its editor tells what it refused in an ordinary observation.
      (event.text("observation") === "edit" && text.startsWith("ERROR:"));
    this.builder.answerCall(call, text, failed);
  }
}

function saidIn(event: Fields): string {
  const parameters = event.fields("args");
  return parameters.text("content") ?? parameters.text("final_thought") ?? event.text("message") ?? "";
}

interface Asked {
  readonly name: string;
  readonly input: unknown;
}

/** The model's own call, which tells more than the action that it became. */
function askedFor(event: Fields): Asked | undefined {
  const metadata = event.fields("tool_call_metadata");
  const name = metadata.text("function_name");
  if (name === undefined) return undefined;
  const choice = records(metadata.fields("model_response").list("choices"))[0] ?? new Fields(undefined);
  const made = records(choice.fields("message").list("tool_calls"));
  const id = metadata.text("tool_call_id");
  const call = made.find((candidate) => candidate.text("id") === id);
  const given = call?.fields("function").text("arguments");
  return given === undefined ? undefined : { name, input: fromJson(given) };
}

function withoutThought(parameters: Fields): Record<string, unknown> {
  const keys = parameters.keys.filter((key) => key !== "thought");
  return Object.fromEntries(keys.map((key) => [key, parameters.value(key)]));
}
