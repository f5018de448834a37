import type { CallDraft, MessageDraft, MessageStart, TranscriptBuilder } from "../builder.js";

/**
 * Makes messages of a stream that has none: thoughts, texts and calls follow one another, and a message is what a model
 * says in one go: thoughts, then text, then calls.
 */
export class AgentFlow {
  private current: MessageDraft | undefined;

  constructor(private readonly builder: TranscriptBuilder) {}

  /** The message that is being said. */
  get message(): MessageDraft | undefined {
    return this.current;
  }

  thinking(text: string, start: MessageStart = {}, separator = "\n\n"): void {
    const draft =
      this.current?.text === "" && this.current.calls.length === 0 ? this.current : this.begin(start);
    this.builder.addThinking(draft, text, separator);
  }

  text(text: string, start: MessageStart = {}, separator = "\n\n"): void {
    const draft = this.current?.calls.length === 0 ? this.current : this.begin(start);
    this.builder.addText(draft, text, separator);
  }

  call(name: string, input: unknown, id?: string, start: MessageStart = {}): CallDraft {
    return this.builder.call(this.current ?? this.begin(start), name, input, id);
  }

  /** What comes next is a message of its own. */
  close(): void {
    this.current = undefined;
  }

  begin(start: MessageStart = {}): MessageDraft {
    this.current = this.builder.message("agent", start);
    return this.current;
  }
}
