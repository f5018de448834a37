import type { PageMessage, TranscriptHead } from "../../core/report/transcript-page.js";

/** What a page was told, so that it is told again only what has changed. */
export class Told {
  private head = "";
  private messages: string[] = [];

  /** The page begins anew. */
  forget(): void {
    this.head = "";
    this.messages = [];
  }

  /**
   * Where a transcript differs from what was told.
   * @param message a message by its index, 0-based
   * @returns the first message to be told; undefined when nothing has changed
   */
  newsIn(
    head: TranscriptHead,
    live: boolean,
    message: (index: number) => PageMessage | undefined,
  ): number | undefined {
    const same = this.messages.findIndex((told, index) => told !== JSON.stringify(message(index)));
    const from = same < 0 ? this.messages.length : same;
    const next = JSON.stringify([head, live]);
    const isSame = next === this.head && from === head.messages;
    this.head = next;
    this.messages = this.messages.slice(0, from);
    return isSame ? undefined : from;
  }

  /** Takes note of messages that were told. */
  add(messages: readonly PageMessage[]): void {
    this.messages.push(...messages.map((message) => JSON.stringify(message)));
  }
}
