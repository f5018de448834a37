import * as l10n from "@vscode/l10n";
import { structuredPatch } from "diff";
import type { MessageUsage, ToolCall, Transcript, TranscriptMessage } from "../model/transcript.js";
import { plainText } from "../model/plain-text.js";
import { fileEdits, type FileEdit } from "../transcript/edits.js";
import { findTestReads } from "../transcript/test-reads.js";
import { testReadText } from "../transcript/transcript-text.js";
import { integer } from "./format.js";
import type { PageCall, PageEdit, PageMessage, TranscriptHead } from "./transcript-page.js";

/** A comparison that needs more edits than this is told as one whole replacement. */
const MOST_EDITS = 1000;
/** An edit is shown to this many lines; the whole stands in the call's input. */
const MOST_LINES = 400;
const LONGEST_ABOUT = 200;
/** What tools set around an error: Claude Code's tags, OpenHands' word, Codex' lines about the process. */
const ERROR_FRAME =
  /<\/?tool_use_error>|^ERROR:\s|^(?:(?:Chunk ID|Wall time|Process exited|Exit code).*\n)+(?:Output:\n)?(?=.)/gu;

/** What stands above the messages. */
export function transcriptHead(transcript: Transcript, title: string): TranscriptHead {
  const { agent, session, usage, failure, notes, faults, messages } = transcript;
  const unread = faults.length === 0 ? [] : [unreadWords(faults.length, faults[0]?.message ?? "")];
  return {
    title,
    agent: [agent.type, agent.version, agent.model, session].filter((part) => part !== undefined),
    totals: [
      ...(usage.steps === undefined ? [] : [stepWords(usage.steps)]),
      ...usageWords(usage, transcript),
    ],
    failure: failure === undefined ? undefined : plainText(failure),
    notes: [...notes, ...unread],
    cues: findTestReads(transcript).map((read) => {
      const { message, call } = read;
      return { message, call, text: plainText(testReadText(read)) };
    }),
    messages: messages.length,
  };
}

/**
 * A message as the page shows it.
 * @param snapshot paths of the files in the turn's snapshot, POSIX
 */
export function pageMessage(
  message: TranscriptMessage,
  transcript: Transcript,
  snapshot: ReadonlySet<string>,
): PageMessage {
  const { source, parentCall, copied, time, model, usage, text, thinking, calls } = message;
  return {
    ...{ source, helper: parentCall, copied, time },
    model: model === transcript.agent.model ? undefined : model,
    usage: usage === undefined ? [] : usageWords(usage, transcript),
    text: plainText(text.trim()),
    thinking: plainText(thinking.trim()),
    calls: calls.map((call) => pageCall(call, snapshot)),
  };
}

function unreadWords(count: number, message: string): string {
  return count === 1
    ? l10n.t("1 place could not be read: {0}", message)
    : l10n.t("{0} places could not be read: {1}", integer(count), message);
}

function stepWords(count: number): string {
  return count === 1 ? l10n.t("1 step") : l10n.t("{0} steps", integer(count));
}

function usageWords(usage: MessageUsage, { inputHoldsCached }: Transcript): string[] {
  const { inputTokens, cacheReadTokens, cacheWriteTokens, outputTokens, reasoningTokens } = usage;
  const told = (value: number | undefined): boolean => value !== undefined;
  const some = (value: number | undefined): boolean => value !== undefined && value !== 0;
  const cached = integer(cacheReadTokens);
  const words = [
    told(inputTokens) ? l10n.t("{0} tokens in", integer(inputTokens)) : "",
    some(cacheReadTokens)
      ? inputHoldsCached
        ? l10n.t("{0} of them cached", cached)
        : l10n.t("{0} cached", cached)
      : "",
    some(cacheWriteTokens) ? l10n.t("{0} written to the cache", integer(cacheWriteTokens)) : "",
    told(outputTokens) ? l10n.t("{0} out", integer(outputTokens)) : "",
    some(reasoningTokens) ? l10n.t("{0} for thinking", integer(reasoningTokens)) : "",
  ].filter((part) => part !== "");
  if (usage.costUsd !== undefined) words.push(`$${usage.costUsd.toFixed(usage.costUsd < 0.1 ? 4 : 2)}`);
  return words;
}

function pageCall(call: ToolCall, snapshot: ReadonlySet<string>): PageCall {
  const edits = fileEdits(call).map((edit) => pageEdit(edit, snapshot, !call.failed));
  return {
    name: call.name,
    about: aboutOf(call),
    input: inputText(call),
    output: call.output === undefined ? undefined : plainText(call.output),
    failed: call.failed,
    error: call.failed ? oneLine(plainText(call.output ?? "").replaceAll(ERROR_FRAME, "")) : "",
    edits,
  };
}

/** The first text of the input that fits on a line: tools name what matters first. */
function aboutOf({ input }: ToolCall): string {
  const texts = Object.values(input).map((value) =>
    Array.isArray(value) ? value.filter((item) => typeof item === "string").join(" ") : value,
  );
  const first =
    texts.find((value): value is string => typeof value === "string" && value.trim() !== "") ?? "";
  return oneLine(plainText(first));
}

/** The first line of a text that says something, shortened. */
function oneLine(text: string): string {
  const [line = ""] = text.trim().split("\n");
  return line.length > LONGEST_ABOUT ? `${line.slice(0, LONGEST_ABOUT)}…` : line;
}

/** Texts as they are, everything else as JSON. */
function inputText({ input }: ToolCall): string {
  const parts = Object.entries(input).map(([key, value]) => {
    const text = typeof value === "string" ? value : JSON.stringify(value, null, 2);
    return text.includes("\n") ? `${key}:\n${text}` : `${key}: ${text}`;
  });
  return plainText(parts.join("\n"));
}

function pageEdit({ path, changes }: FileEdit, snapshot: ReadonlySet<string>, applied: boolean): PageEdit {
  const lines = changes.flatMap(({ before, after }) => diffLines(before ?? "", after));
  const count = (sign: string): number => lines.filter((line) => line.startsWith(sign)).length;
  const rest = lines.length - MOST_LINES;
  return {
    path,
    file: inSnapshot(path, snapshot),
    added: count("+"),
    removed: count("-"),
    applied,
    lines: rest > 0 ? [...lines.slice(0, MOST_LINES), `@ ${l10n.t("{0} more lines", integer(rest))}`] : lines,
  };
}

function diffLines(before: string, after: string): string[] {
  const patch = structuredPatch("", "", withEnd(before), withEnd(after), "", "", {
    context: 3,
    maxEditLength: MOST_EDITS,
  });
  if (patch === undefined) {
    const all = (text: string, sign: string): string[] => text.split("\n").map((line) => `${sign}${line}`);
    return [...all(before, "-"), ...all(after, "+")].map(plainText);
  }
  return patch.hunks.flatMap((hunk, index) => [...(index === 0 ? [] : ["@"]), ...hunk.lines]).map(plainText);
}

/** Passages are cut out of files, so that a missing line break at their end says nothing. */
function withEnd(text: string): string {
  return text === "" || text.endsWith("\n") ? text : `${text}\n`;
}

/**
 * The snapshot's file that an agent's path means. An agent may give it from its sandbox's root, and only the sandbox knows
 * where the workspace was, so the longest ending that is in the snapshot is taken; never one of a path below `/tmp`.
 */
function inSnapshot(path: string, snapshot: ReadonlySet<string>): string | undefined {
  if (path.startsWith("/tmp/")) return undefined;
  const parts = path
    .replaceAll("\\", "/")
    .split("/")
    .filter((part) => part !== "" && part !== ".");
  for (let from = 0; from < parts.length; from++) {
    const ending = parts.slice(from).join("/");
    if (snapshot.has(ending)) return ending;
  }
  return undefined;
}
