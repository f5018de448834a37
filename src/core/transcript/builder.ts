import type { RunAgent } from "../model/run.js";
import type {
  MessageSource,
  MessageUsage,
  ToolCall,
  ToolInput,
  Transcript,
  TranscriptMessage,
} from "../model/transcript.js";
import { Allowance, type TranscriptLimits } from "./allowance.js";
import { FaultList } from "./fault-list.js";
import { UsageTally, type SessionTotals } from "./tally.js";

type Mutable<T> = { -readonly [Key in keyof T]: T[Key] };

export type CallDraft = Mutable<ToolCall>;
export type MessageDraft = Omit<Mutable<TranscriptMessage>, "calls"> & { readonly calls: CallDraft[] };

/** What a message may be begun with. */
export type MessageStart = Partial<Omit<MessageDraft, "source" | "calls">>;

/**
 * Collects what a reader finds. Readers write to drafts and need not care for limits: text is shortened here, and what
 * is beyond the transcript's limits goes into drafts that nobody keeps, so that usage is counted to the end.
 */
export class TranscriptBuilder {
  readonly tally: UsageTally;
  readonly faults = new FaultList();
  readonly agent: Mutable<Pick<RunAgent, "type" | "version" | "model">>;
  session: string | undefined;
  failure: string | undefined;
  inputHoldsCached = true;
  private readonly messages: MessageDraft[] = [];
  private readonly calls = new Map<string, CallDraft>();
  private readonly allowance: Allowance;
  private readonly told: string[] = [];
  private dropped = 0;

  constructor(
    public format: Transcript["format"],
    limits?: TranscriptLimits,
    earlier?: SessionTotals,
  ) {
    this.tally = new UsageTally(earlier);
    this.agent = { type: format, version: undefined, model: undefined };
    this.allowance = new Allowance(limits);
  }

  /** Begins a message. */
  message(source: MessageSource, start: MessageStart = {}): MessageDraft {
    const draft: MessageDraft = {
      ...{ source, time: undefined, model: undefined, text: "", thinking: "", usage: undefined },
      ...{ parentCall: undefined, copied: false },
      ...start,
      calls: [],
    };
    draft.text = this.allowance.keep(draft.text);
    draft.thinking = this.allowance.keep(draft.thinking);
    if (this.allowance.takeMessage()) this.messages.push(draft);
    else this.dropped += 1;
    return draft;
  }

  addText(draft: MessageDraft, text: string, separator = ""): void {
    if (text !== "") draft.text = joined(draft.text, this.allowance.keep(text), separator);
  }

  addThinking(draft: MessageDraft, text: string, separator = ""): void {
    if (text !== "") draft.thinking = joined(draft.thinking, this.allowance.keep(text), separator);
  }

  /** Adds a call to a message. One of an id that is known already is taken as the same call. */
  call(draft: MessageDraft, name: string, input: unknown, id?: string): CallDraft {
    const known = id === undefined ? undefined : this.calls.get(id);
    if (known !== undefined) return known;
    const call: CallDraft = {
      ...{ id, name, output: undefined, failed: false },
      input: this.allowance.keepInput(asInput(input)),
    };
    if (this.allowance.spent) return call;
    draft.calls.push(call);
    if (id !== undefined) this.calls.set(id, call);
    return call;
  }

  /** The answer to a call, by the call's id; an answer to a call that was never seen is passed over. */
  answer(id: string | undefined, output: string | undefined, failed = false): void {
    const call = id === undefined ? undefined : this.calls.get(id);
    if (call !== undefined) this.answerCall(call, output, failed);
  }

  answerCall(call: CallDraft, output: string | undefined, failed = false): void {
    call.output = output === undefined ? undefined : this.allowance.keep(output);
    call.failed = failed;
  }

  /** Usage of one answer of the model, which counts once under `name`. */
  count(draft: MessageDraft | undefined, usage: MessageUsage, name?: string): void {
    if (draft !== undefined) draft.usage = usage;
    this.tally.add(usage, name);
  }

  /** Tells a reader what was left out. */
  note(text: string): void {
    this.told.push(text);
  }

  /** Puts a message in front of all others. */
  prepend(source: MessageSource, text: string): void {
    const draft = this.message(source, { text });
    if (this.messages.at(-1) !== draft) return;
    this.messages.pop();
    this.messages.unshift(draft);
  }

  /** Whether what was said to the agent is there. */
  get isAsked(): boolean {
    const first = this.messages.findIndex(({ source }) => source === "agent");
    const before = first < 0 ? this.messages : this.messages.slice(0, first);
    return before.some(({ source }) => source === "user");
  }

  /** Whether nothing was found: a known form without messages tells at least that the agent was started. */
  get isEmpty(): boolean {
    return this.format === "plain" && this.messages.length === 0;
  }

  build(files: readonly string[]): Transcript {
    const notes = [...this.told, ...this.allowance.notes];
    if (this.dropped > 0) {
      notes.push(
        `Only the first ${this.messages.length} messages are shown; ${this.dropped} more are counted and left out`,
      );
    }
    return {
      format: this.format,
      agent: this.agent,
      session: this.session,
      messages: this.messages.filter(hasContent),
      usage: this.tally.usage,
      inputHoldsCached: this.inputHoldsCached,
      failure: this.failure,
      files,
      faults: this.faults.list,
      notes,
    };
  }
}

function joined(before: string, text: string, separator: string): string {
  return before === "" ? text : `${before}${separator}${text}`;
}

function asInput(value: unknown): ToolInput {
  if (typeof value === "object" && value !== null && !Array.isArray(value)) return { ...value };
  return value === undefined || value === null ? {} : { input: value };
}

function hasContent({ text, thinking, calls, usage }: MessageDraft): boolean {
  return text.trim() !== "" || thinking.trim() !== "" || calls.length > 0 || usage !== undefined;
}
