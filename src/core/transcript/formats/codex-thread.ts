/**
 * Which part of a Codex thread a turn is. A thread that is gone on with keeps one rollout over all checkpoints; what was
 * printed at a checkpoint tells how many of Codex' own turns are of it, and each of those begins with what it was asked.
 */
import type { Fields } from "../../model/fields.js";
import type { MessageUsage } from "../../model/transcript.js";
import { NO_MESSAGE_USAGE } from "../tally.js";
import { readCodexUsage } from "./codex-events.js";
import { contentText } from "./format.js";

/** What Codex itself puts in front of what the user says. */
const PREAMBLE = /^\s*<(environment_context|user_instructions|permissions instructions)>|^# AGENTS\.md/u;

/** Whether an item of a rollout is what the user asked. */
export function isPrompt(item: Fields): boolean {
  if (item.text("type") !== "message" || item.text("role") !== "user") return false;
  return !PREAMBLE.test(contentText(item.value("content")) ?? "");
}

/** Codex' own turns in what was printed, by the ids of their threads. */
export class PrintedTurns {
  readonly byThread = new Map<string, number>();
  private thread = "";

  /** Takes one event in. */
  take(event: Fields): void {
    const type = event.text("type");
    if (type === "thread.started") this.thread = event.text("thread_id") ?? "";
    if (type === "turn.started") this.byThread.set(this.thread, (this.byThread.get(this.thread) ?? 0) + 1);
  }
}

/** What of a rollout must be known to find a part of it. */
export class RolloutOutline {
  thread: string | undefined;
  /** What the thread had taken before each thing that was asked. */
  readonly before: MessageUsage[] = [];
  private taken = NO_MESSAGE_USAGE;

  /** Takes one line in. */
  take(line: Fields): void {
    const payload = line.fields("payload");
    if (line.text("type") === "session_meta") this.thread ??= payload.text("id");
    if (line.text("type") === "response_item" && isPrompt(payload)) this.before.push(this.taken);
    if (payload.text("type") !== "token_count") return;
    const total = payload.fields("info").fields("total_token_usage");
    if (total.keys.length > 0) this.taken = readCodexUsage(total);
  }

  /**
   * How many things were asked before those that were printed.
   * @returns 0 where all are of the turn, and for the thread of a helper, of which nothing is printed
   */
  earlierThan({ byThread }: PrintedTurns): number {
    const printed = byThread.get(this.thread ?? "");
    return printed === undefined ? 0 : Math.max(0, this.before.length - printed);
  }
}
