import { SlopLensError } from "../model/errors.js";
import type { MessageUsage, ToolCall, Transcript, TranscriptMessage } from "../model/transcript.js";
import { OWN_EXTRA } from "./formats/atif-import.js";

type Document = Readonly<Record<string, unknown>>;

const VERSION = "ATIF-v1.7";

/**
 * A transcript as an ATIF trajectory, version 1.7, that Harbor's validator takes. What ATIF has no name for stands in its
 * `extra` fields, so that reading it again gives the same transcript, but for the faults of reading and the names of the
 * files.
 * @throws SlopLensError bad-input when there is no message
 */
export function toAtif(transcript: Transcript): Document {
  if (transcript.messages.length === 0) {
    throw new SlopLensError("bad-input", "This transcript has no message, and ATIF has no form for that");
  }
  const { agent, session, messages, usage } = transcript;
  return defined({
    schema_version: VERSION,
    session_id: session,
    agent: defined({
      name: agent.type,
      version: agent.version ?? "unknown",
      model_name: agent.model,
    }),
    steps: messages.map((message, index) => step(message, index + 1, transcript)),
    final_metrics: defined({
      ...metrics(usage, transcript, "total_"),
      total_steps: messages.length,
      extra: own({ ...unnamed(usage), steps: usage.steps ?? null }),
    }),
    extra: own({
      format: transcript.format,
      input_holds_cached: transcript.inputHoldsCached,
      version_unknown: agent.version === undefined ? true : undefined,
      failure: transcript.failure,
      notes: transcript.notes.length > 0 ? transcript.notes : undefined,
    }),
  });
}

function step(message: TranscriptMessage, id: number, transcript: Transcript): Document {
  const { source, time, calls } = message;
  const results = calls.flatMap((call, index) => result(call, callId(call, id, index)));
  return defined({
    step_id: id,
    timestamp: isTime(time) ? time : undefined,
    source,
    message: message.text,
    is_copied_context: message.copied ? true : undefined,
    ...(source === "agent" ? agentParts(message, id, transcript) : {}),
    observation: results.length > 0 ? { results } : undefined,
    extra: own({
      time: isTime(time) ? undefined : time,
      parent_call: message.parentCall,
    }),
  });
}

function agentParts(message: TranscriptMessage, id: number, transcript: Transcript): Document {
  const { thinking, calls, usage } = message;
  return {
    model_name: message.model,
    reasoning_content: thinking === "" ? undefined : thinking,
    tool_calls:
      calls.length === 0 ? undefined : calls.map((call, index) => toolCall(call, callId(call, id, index))),
    metrics:
      usage === undefined
        ? undefined
        : defined({ ...metrics(usage, transcript, ""), extra: own(unnamed(usage)) }),
  };
}

/** ATIF wants an id of each call. */
function callId(call: ToolCall, step: number, index: number): string {
  return call.id ?? `call_${step}_${index + 1}`;
}

function toolCall(call: ToolCall, id: string): Document {
  return defined({
    tool_call_id: id,
    function_name: call.name,
    arguments: call.input,
    extra: own({ no_id: call.id === undefined ? true : undefined }),
  });
}

function result(call: ToolCall, id: string): Document[] {
  if (call.output === undefined && !call.failed) return [];
  const extra = own({ failed: call.failed ? true : undefined });
  return [defined({ source_call_id: id, content: call.output, extra })];
}

/** ATIF counts cached tokens into the prompt. */
function metrics(usage: MessageUsage, { inputHoldsCached }: Transcript, prefix: "" | "total_"): Document {
  const { inputTokens, cacheReadTokens, cacheWriteTokens } = usage;
  const apart = inputHoldsCached ? 0 : (cacheReadTokens ?? 0) + (cacheWriteTokens ?? 0);
  return {
    [`${prefix}prompt_tokens`]: inputTokens === undefined ? undefined : inputTokens + apart,
    [`${prefix}completion_tokens`]: usage.outputTokens,
    [`${prefix}cached_tokens`]: cacheReadTokens,
    [`${prefix}cost_usd`]: usage.costUsd,
  };
}

function unnamed({ cacheWriteTokens, reasoningTokens }: MessageUsage): Document {
  return { cache_write_tokens: cacheWriteTokens, reasoning_tokens: reasoningTokens };
}

/** An `extra` with what is ours in it; undefined when that is nothing. */
function own(fields: Document): Document | undefined {
  const told = defined(fields);
  return Object.keys(told).length > 0 ? { [OWN_EXTRA]: told } : undefined;
}

function defined(fields: Document): Document {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}

function isTime(time: string | undefined): time is string {
  return time !== undefined && /^\d{4}-\d\d-\d\dT/u.test(time) && !Number.isNaN(Date.parse(time));
}
