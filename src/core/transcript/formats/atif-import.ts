import { Fields } from "../../model/fields.js";
import type { MessageSource, MessageUsage } from "../../model/transcript.js";
import { TRANSCRIPT_FORMATS } from "../../model/transcript.js";
import type { CallDraft, MessageDraft, TranscriptBuilder } from "../builder.js";
import { NO_MESSAGE_USAGE } from "../tally.js";
import { contentText, records } from "./format.js";

/** Where an `extra` of ATIF holds what is ours. */
export const OWN_EXTRA = "slop_lens";

/** Whether a JSON document is an ATIF trajectory, of any version. */
export function isAtif(document: unknown): boolean {
  return new Fields(document).text("schema_version")?.startsWith("ATIF-") === true;
}

/** The file, beside its own, in which an ATIF trajectory goes on. */
export function continuationOf(document: unknown): string | undefined {
  return new Fields(document).text("continued_trajectory_ref");
}

/**
 * Reads an ATIF trajectory, versions 1.0 to 1.7: https://www.harborframework.com/docs/agents/trajectory-format.
 * @param parentCall the call whose helper agent the trajectory is of
 */
export function readAtif(document: unknown, builder: TranscriptBuilder, parentCall?: string): void {
  new AtifReader(new Fields(document), builder, parentCall).read();
}

class AtifReader {
  private readonly own: Fields;

  constructor(
    private readonly root: Fields,
    private readonly builder: TranscriptBuilder,
    private readonly parentCall: string | undefined,
  ) {
    this.own = root.fields("extra").fields(OWN_EXTRA);
  }

  read(): void {
    if (this.parentCall === undefined) this.describe();
    const helpers = new Map(
      records(this.root.list("subagent_trajectories")).map((helper) => [
        helper.text("trajectory_id") ?? "",
        helper,
      ]),
    );
    for (const step of records(this.root.list("steps"))) {
      this.step(step);
      for (const [id, call] of helperCalls(step)) {
        const helper = helpers.get(id);
        if (helper !== undefined) new AtifReader(helper, this.builder, call).read();
      }
    }
    if (this.parentCall === undefined) this.totals(this.root.fields("final_metrics"));
  }

  private describe(): void {
    const { builder, root, own } = this;
    const agent = root.fields("agent");
    builder.inputHoldsCached = own.flag("input_holds_cached") ?? true;
    builder.session ??= root.text("session_id");
    builder.failure = own.text("failure");
    const told = own.oneOf("format", TRANSCRIPT_FORMATS);
    if (told !== undefined) builder.format = told;
    builder.agent.type = agent.text("name") ?? "atif";
    builder.agent.version ??= own.flag("version_unknown") === true ? undefined : agent.text("version");
    builder.agent.model ??= agent.text("model_name");
    for (const note of own.texts("notes")) builder.note(note);
  }

  private step(step: Fields): void {
    const source = step.oneOf<MessageSource>("source", ["user", "agent", "system"]) ?? "agent";
    const own = step.fields("extra").fields(OWN_EXTRA);
    const draft = this.builder.message(source, {
      time: step.text("timestamp") ?? own.text("time"),
      model: step.text("model_name"),
      text: contentText(step.value("message")) ?? "",
      thinking: step.text("reasoning_content") ?? "",
      parentCall: this.parentCall ?? own.text("parent_call"),
      copied: step.flag("is_copied_context") === true,
    });
    this.calls(draft, step);
    this.metrics(draft, step);
  }

  /** Ids need to differ within a step only. */
  private calls(draft: MessageDraft, step: Fields): void {
    const made = new Map<string, CallDraft>();
    for (const tool of records(step.list("tool_calls"))) {
      const call = this.builder.call(draft, tool.text("function_name") ?? "tool", tool.value("arguments"));
      const id = tool.text("tool_call_id");
      if (id === undefined) continue;
      made.set(id, call);
      if (tool.fields("extra").fields(OWN_EXTRA).flag("no_id") !== true) call.id = id;
    }
    for (const result of records(step.fields("observation").list("results"))) {
      this.result(draft, made.get(result.text("source_call_id") ?? ""), result);
    }
  }

  private result(draft: MessageDraft, call: CallDraft | undefined, result: Fields): void {
    const text = contentText(result.value("content"));
    const extra = result.fields("extra");
    const failed = extra.fields(OWN_EXTRA).flag("failed") ?? extra.flag("is_error");
    if (call !== undefined) this.builder.answerCall(call, text, failed === true);
    else if (text !== undefined) this.builder.addText(draft, text, "\n\n");
  }

  private metrics(draft: MessageDraft, step: Fields): void {
    const metrics = step.fields("metrics");
    const usage = step.has("metrics") ? readMetrics(metrics, "", this.builder.inputHoldsCached) : undefined;
    draft.usage = usage;
    // A copied step was counted where it was taken.
    if (draft.copied) return;
    if (draft.source === "agent" && step.number("llm_call_count") !== 0) this.builder.tally.step();
    if (usage !== undefined) this.builder.tally.add(usage);
  }

  private totals(final: Fields): void {
    if (final.keys.length === 0) return;
    const own = final.fields("extra").fields(OWN_EXTRA);
    const usage = readMetrics(final, "total_", this.builder.inputHoldsCached);
    this.builder.tally.replace(usage);
    if (own.has("steps")) this.builder.tally.setSteps(own.number("steps"));
  }
}

/** Ids of the helper agents that a step began, each with the call that began it. */
function helperCalls(step: Fields): [string, string][] {
  return records(step.fields("observation").list("results")).flatMap((result) => {
    const references = result.isList("subagent_trajectory_ref")
      ? records(result.list("subagent_trajectory_ref"))
      : [result.fields("subagent_trajectory_ref")];
    const call = result.text("source_call_id") ?? "";
    return references.map((one): [string, string] => [one.text("trajectory_id") ?? "", call]);
  });
}

/** ATIF counts cached tokens into the prompt; what it has no name for stands in `extra`. */
function readMetrics(metrics: Fields, prefix: "" | "total_", inputHoldsCached: boolean): MessageUsage {
  const own = metrics.fields("extra").fields(OWN_EXTRA);
  const prompt = metrics.number(`${prefix}prompt_tokens`);
  const cacheReadTokens = metrics.number(`${prefix}cached_tokens`);
  const cacheWriteTokens = own.number("cache_write_tokens");
  const apart = inputHoldsCached ? 0 : (cacheReadTokens ?? 0) + (cacheWriteTokens ?? 0);
  return {
    ...NO_MESSAGE_USAGE,
    costUsd: metrics.number(`${prefix}cost_usd`),
    inputTokens: prompt === undefined ? undefined : prompt - apart,
    outputTokens: metrics.number(`${prefix}completion_tokens`),
    cacheReadTokens,
    cacheWriteTokens,
    reasoningTokens: own.number("reasoning_tokens"),
  };
}
