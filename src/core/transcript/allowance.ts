import type { ToolInput } from "../model/transcript.js";

/** What is kept of a transcript, in UTF-16 units and messages. */
export interface TranscriptLimits {
  readonly text: number;
  readonly messages: number;
  /** Of one text: a message, an output, a value of an input. */
  readonly oneText: number;
}

const DEFAULT_LIMITS: TranscriptLimits = {
  text: 48 * 1024 * 1024,
  messages: 50_000,
  oneText: 256 * 1024,
};

/** The note in the middle of a shortened text is shorter than this. */
const CUT_NOTE = 100;

/** Nothing is kept, all is counted. */
export const COUNT_ONLY: TranscriptLimits = { text: 0, messages: 0, oneText: 0 };

/** Watches over what a transcript may hold. */
export class Allowance {
  private text: number;
  private messages: number;
  private shortened = 0;

  constructor(private readonly limits: TranscriptLimits = DEFAULT_LIMITS) {
    this.text = limits.text;
    this.messages = limits.messages;
  }

  get spent(): boolean {
    return this.text <= 0 || this.messages <= 0;
  }

  /** Whether one more message may be kept. */
  takeMessage(): boolean {
    if (this.spent) return false;
    this.messages -= 1;
    return true;
  }

  /** A text as it may be kept: whole, or its beginning and its end. */
  keep(text: string): string {
    if (this.spent) return "";
    // One that was shortened before is left alone.
    const kept = text.length <= this.limits.oneText + CUT_NOTE ? text : this.shorten(text);
    this.text -= kept.length;
    // A piece of a long string would hold on to all of it.
    return kept.length < text.length ? Buffer.from(kept).toString() : kept;
  }

  keepInput(input: ToolInput): ToolInput {
    return Object.fromEntries(Object.entries(input).map(([key, value]) => [key, this.keepValue(value)]));
  }

  get notes(): readonly string[] {
    return this.shortened === 0 ? [] : [`Long texts are shown without their middle: ${this.shortened}`];
  }

  private keepValue(value: unknown): unknown {
    if (typeof value === "string") return this.keep(value);
    if (Array.isArray(value)) return value.map((item) => this.keepValue(item));
    if (typeof value !== "object" || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, this.keepValue(item)]));
  }

  private shorten(text: string): string {
    this.shortened += 1;
    const half = Math.floor(this.limits.oneText / 2);
    return `${text.slice(0, half)}\n[… ${text.length - 2 * half} characters left out …]\n${text.slice(-half)}`;
  }
}
