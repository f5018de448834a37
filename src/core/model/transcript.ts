import type { Fault } from "./problem.js";
import type { RunAgent } from "./run.js";
import type { Usage } from "./turn.js";

/** Forms in which agents write down what they do. `plain`: any output that is none of the others. */
export const TRANSCRIPT_FORMATS = [
  "claude_code",
  "codex",
  "gemini",
  "opencode",
  "openhands",
  "mini_swe",
  "cursor_cli",
  "kimi_cli",
  "pi",
  "atif",
  "plain",
] as const;
export type TranscriptFormat = (typeof TRANSCRIPT_FORMATS)[number];

export type MessageSource = "user" | "agent" | "system";

/** What one answer of a model took, as its agent reports it. */
export type MessageUsage = Pick<
  Usage,
  "costUsd" | "inputTokens" | "outputTokens" | "cacheReadTokens" | "cacheWriteTokens" | "reasoningTokens"
>;

/** What a tool was given: a JSON object; anything else stands in it as `input`. */
export type ToolInput = Readonly<Record<string, unknown>>;

export interface ToolCall {
  /** Unique within its transcript, where the agent gives ids. */
  readonly id: string | undefined;
  /** As the agent names it. */
  readonly name: string;
  readonly input: ToolInput;
  /** Undefined while there is no answer. */
  readonly output: string | undefined;
  readonly failed: boolean;
}

/** One message, with everything that belongs to it: the calls that an agent makes stand in the message that makes them. */
export interface TranscriptMessage {
  readonly source: MessageSource;
  /** ISO 8601. */
  readonly time: string | undefined;
  readonly model: string | undefined;
  readonly text: string;
  /** Empty when the model did not think aloud. */
  readonly thinking: string;
  readonly calls: readonly ToolCall[];
  readonly usage: MessageUsage | undefined;
  /** The call, by its id, whose helper agent speaks; undefined for the agent itself. */
  readonly parentCall: string | undefined;
  /** Repeated from an earlier session, so that its usage counts there. */
  readonly copied: boolean;
}

/** What an agent did in a turn, whatever the agent. */
export interface Transcript {
  readonly format: TranscriptFormat;
  readonly agent: Pick<RunAgent, "type" | "version" | "model">;
  /** The agent's own name of its conversation. */
  readonly session: string | undefined;
  readonly messages: readonly TranscriptMessage[];
  /** Totals as SCB counts them; `agentSeconds` and `testSeconds` are of the turn and unknown here. */
  readonly usage: Usage;
  /** Whether `inputTokens` holds those that came from a cache too; agents differ. */
  readonly inputHoldsCached: boolean;
  /** Why the agent gave up, in its own words. */
  readonly failure: string | undefined;
  /** Files that it was read from, relative to the agent's folder, POSIX. */
  readonly files: readonly string[];
  readonly faults: readonly Fault[];
  /** What was left out, in words for a reader. */
  readonly notes: readonly string[];
}
