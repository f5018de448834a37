import type { Fields } from "../../model/fields.js";
import type { MessageUsage } from "../../model/transcript.js";
import type { MessageDraft, TranscriptBuilder } from "../builder.js";
import { NO_MESSAGE_USAGE, type TotalsDraft } from "../tally.js";
import {
  contentText,
  handle,
  jsonLines,
  records,
  type Handlers,
  type LineFormat,
  type LineReader,
} from "./format.js";

/** What sessions on disk begin with, besides messages. */
const SESSION_LINES = new Set(["summary", "file-history-snapshot", "queue-operation"]);

/** Claude Code: `--output-format stream-json`, and the sessions below `~/.claude/projects`. */
export const claudeCode: LineFormat = {
  format: "claude_code",
  recognises(event) {
    const type = event.text("type") ?? "";
    if (type === "system" && event.text("subtype") === "init") {
      return event.has("tools") || event.has("claude_code_version");
    }
    if (event.has("sessionId") && (event.has("uuid") || SESSION_LINES.has(type))) return true;
    return SESSION_LINES.has(type) || (type === "assistant" && event.has("parent_tool_use_id"));
  },
  reader: (builder) => new ClaudeReader(builder).lines,
};

/** A session's cost as its process leaves it, for the next one to count on from. Older releases keep none and begin anew. */
export function claudeTotals(totals: TotalsDraft): (event: Fields) => void {
  return (event) => {
    if (event.text("type") !== "cost-state") return;
    totals.set(event.text("sessionId") ?? "", { ...NO_MESSAGE_USAGE, costUsd: event.number("totalCostUSD") });
  };
}

class ClaudeReader {
  readonly lines: LineReader;
  private readonly drafts = new Map<string, MessageDraft>();
  /** Lines that were read; a resumed session repeats those of the one before under the same ids. */
  private readonly seen = new Set<string>();
  private readonly stepped = new Set<string>();
  private succeeded = false;
  private readonly handlers: Handlers = {
    system: (event) => {
      this.system(event);
    },
    assistant: (event) => {
      this.assistant(event);
    },
    user: (event) => {
      this.user(event);
    },
    result: (event) => {
      this.result(event);
    },
  };

  constructor(private readonly builder: TranscriptBuilder) {
    builder.inputHoldsCached = false;
    this.lines = jsonLines(builder, (event) => {
      this.event(event);
    });
  }

  private event(event: Fields): void {
    if (this.isRepeated(event.text("uuid"))) return;
    this.builder.session ??= event.text("session_id") ?? event.text("sessionId");
    this.builder.agent.version ??= event.text("claude_code_version") ?? event.text("version");
    handle(this.handlers, event.text("type"), event);
  }

  private isRepeated(id: string | undefined): boolean {
    if (id === undefined) return false;
    const repeated = this.seen.has(id);
    this.seen.add(id);
    return repeated;
  }

  private system(event: Fields): void {
    this.builder.agent.model ??= event.text("model");
    const text = event.text("content");
    if (text !== undefined) this.builder.message("system", { text, time: event.text("timestamp") });
  }

  private assistant(event: Fields): void {
    const message = event.fields("message");
    const draft = this.draftOf(event, message);
    for (const block of records(message.list("content"))) this.block(draft, block);
    if (!message.isList("content")) this.builder.addText(draft, message.text("content") ?? "");
    this.count(draft, message);
  }

  /** Each block of a message comes on a line of its own, under the message's id. */
  private draftOf(event: Fields, message: Fields): MessageDraft {
    const id = message.text("id");
    const known = id === undefined ? undefined : this.drafts.get(id);
    if (known !== undefined) return known;
    const model = message.text("model");
    if (model !== "<synthetic>") this.builder.agent.model ??= model;
    const draft = this.builder.message("agent", {
      model,
      time: event.text("timestamp"),
      parentCall: parentOf(event),
    });
    if (id !== undefined) this.drafts.set(id, draft);
    return draft;
  }

  private block(draft: MessageDraft, block: Fields): void {
    switch (block.text("type") ?? "") {
      case "text":
        this.builder.addText(draft, block.text("text") ?? "", "\n\n");
        break;
      case "thinking":
        this.builder.addThinking(draft, block.text("thinking") ?? "", "\n\n");
        break;
      case "tool_use":
      case "server_tool_use":
        this.builder.call(draft, block.text("name") ?? "tool", block.value("input"), block.text("id"));
        break;
    }
  }

  /** SCB counts a step for every message that tells its usage, whatever that usage is. */
  private count(draft: MessageDraft, message: Fields): void {
    const usage = message.fields("usage");
    if (usage.keys.length === 0) return;
    const id = message.text("id") ?? "";
    if (!this.stepped.has(id)) this.builder.tally.step();
    this.stepped.add(id);
    this.builder.count(draft, readUsage(usage), id);
  }

  private user(event: Fields): void {
    const message = event.fields("message");
    const source = event.flag("isMeta") === true ? "system" : "user";
    const start = { time: event.text("timestamp"), parentCall: parentOf(event) };
    const said = message.isList("content") ? undefined : message.text("content");
    if (said !== undefined) this.builder.message(source, { ...start, text: said });
    for (const block of records(message.list("content"))) {
      if (block.text("type") === "tool_result") this.answer(block);
      else this.builder.message(source, { ...start, text: contentText(block.value("text")) ?? "" });
    }
  }

  private answer(block: Fields): void {
    const output = contentText(block.value("content"));
    this.builder.answer(block.text("tool_use_id"), output ?? "", block.flag("is_error") === true);
  }

  /** The agent's own sum takes the place of ours. */
  private result(event: Fields): void {
    const usage = event.fields("usage");
    const costUsd = event.number("total_cost_usd");
    if (costUsd !== undefined && usage.keys.length > 0) {
      // The tokens are those of the process, the cost is that of the whole session.
      this.builder.tally.replace({ ...readUsage(usage), costUsd }, event.text("session_id"));
    }
    if (event.flag("is_error") !== true) {
      this.succeeded = true;
      this.builder.failure = undefined;
    } else if (!this.succeeded) {
      const told = event.text("result") ?? event.texts("errors")[0];
      this.builder.failure = told ?? event.text("subtype") ?? "The agent reported an error";
    }
  }
}

/** Sessions keep what a helper agent says in a file of its own, under the helper's id. */
function parentOf(event: Fields): string | undefined {
  return (
    event.text("parent_tool_use_id") ??
    (event.flag("isSidechain") === true ? event.text("agentId") : undefined)
  );
}

function readUsage(usage: Fields): MessageUsage {
  return {
    ...NO_MESSAGE_USAGE,
    inputTokens: usage.numberOr("input_tokens", 0),
    outputTokens: usage.numberOr("output_tokens", 0),
    cacheReadTokens: usage.numberOr("cache_read_input_tokens", 0),
    cacheWriteTokens: usage.numberOr("cache_creation_input_tokens", 0),
  };
}
