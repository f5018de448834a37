import type { MessageUsage, ToolCall, Transcript, TranscriptMessage } from "../model/transcript.js";
import { plainText } from "../model/plain-text.js";
import { findTestReads, type TestRead } from "./test-reads.js";

/** Answers of tools are shown to this many lines; the whole is in the other formats. */
const MOST_LINES = 40;

const KINDS: Readonly<Record<TestRead["kind"], string>> = {
  "hidden-tests": "hidden tests",
  grading: "grading",
  "other-checkpoint": "another checkpoint",
};

/** A cue in words, for example `message 4 reads hidden tests: /tests/test_a.py`. */
export function testReadText({ kind, message, found }: TestRead): string {
  return `message ${message + 1} seems to look at ${KINDS[kind]}: ${found}`;
}

/** A transcript as lines for a reader at a terminal. */
export function transcriptText(transcript: Transcript): string[] {
  const { agent, session, messages, usage, failure, notes } = transcript;
  const named = [agent.type, agent.version, agent.model].filter((part) => part !== undefined).join(" ");
  const head = [
    `${named}${session === undefined ? "" : `, session ${session}`}`,
    `total: ${usageText(usage, usage.steps)}`,
    ...(failure === undefined ? [] : [`failed: ${failure}`]),
    ...notes.map((note) => `note: ${note}`),
    ...findTestReads(transcript).map((read) => `look: ${testReadText(read)}`),
  ];
  return [...head, ...messages.flatMap(messageLines)].map(plainText);
}

function messageLines(message: TranscriptMessage, index: number): string[] {
  const { source, time, model, usage, parentCall } = message;
  const helper = parentCall === undefined ? undefined : `helper ${parentCall}`;
  const tokens = usage === undefined ? undefined : usageText(usage);
  const title = [`#${index + 1} ${source}`, helper, time, model, tokens].filter((part) => part !== undefined);
  const thinking = message.thinking === "" ? [] : indented(message.thinking, "  ~ ");
  const text = message.text === "" ? [] : indented(message.text, "  ");
  return ["", title.join(" · "), ...thinking, ...text, ...message.calls.flatMap(callLines)];
}

function callLines(call: ToolCall): string[] {
  const input = Object.entries(call.input).flatMap(([key, value]) => {
    const text = typeof value === "string" ? value : JSON.stringify(value);
    return text.includes("\n") ? [`    ${key}:`, ...indented(text, "      ")] : [`    ${key}: ${text}`];
  });
  const output =
    call.output === undefined ? ["    no answer"] : indented(call.output, call.failed ? "    ! " : "    | ");
  return [`  > ${call.name}`, ...input, ...output];
}

function indented(text: string, indent: string): string[] {
  const lines = text.replace(/\n$/u, "").split("\n");
  const shown = lines.slice(0, MOST_LINES).map((line) => `${indent}${line}`);
  const rest = lines.length - shown.length;
  return rest > 0 ? [...shown, `${indent}… ${rest} more lines`] : shown;
}

function usageText(usage: MessageUsage, steps?: number): string {
  const parts: readonly (readonly [string, number | undefined])[] = [
    ["steps", steps],
    ["in", usage.inputTokens],
    ["out", usage.outputTokens],
    ["cache read", usage.cacheReadTokens],
    ["cache write", usage.cacheWriteTokens],
    ["thinking", usage.reasoningTokens],
  ];
  const told = parts.filter(([, value]) => value !== undefined).map(([name, value]) => `${name} ${value}`);
  if (usage.costUsd !== undefined) told.push(`$${usage.costUsd.toFixed(4)}`);
  return told.length > 0 ? told.join(", ") : "nothing told";
}
