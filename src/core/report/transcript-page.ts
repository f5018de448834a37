/** A transcript as its page shows it, and the messages between the page and its host. Types only. */
import type { MessageSource } from "../model/transcript.js";

export interface TranscriptHead {
  /** For example `shelf · Checkpoint 2`. */
  readonly title: string;
  /** Agent, version, model, session; those that are known. */
  readonly agent: readonly string[];
  /** Totals in words, for example `1,200 tokens in`. */
  readonly totals: readonly string[];
  readonly failure: string | undefined;
  /** What was left out, or could not be read. */
  readonly notes: readonly string[];
  /** Calls that an auditor should look at. */
  readonly cues: readonly PageCue[];
  /** How many messages are to come. */
  readonly messages: number;
}

export interface PageCue {
  readonly text: string;
  /** 0-based. */
  readonly message: number;
  readonly call: number;
}

export interface PageMessage {
  readonly source: MessageSource;
  /** Whose helper speaks, when it is not the agent itself. */
  readonly helper: string | undefined;
  /** Repeated from an earlier session. */
  readonly copied: boolean;
  readonly time: string | undefined;
  readonly model: string | undefined;
  readonly usage: readonly string[];
  readonly text: string;
  readonly thinking: string;
  readonly calls: readonly PageCall[];
}

export interface PageCall {
  readonly name: string;
  /** What it is about, on one line: a path, a command. */
  readonly about: string;
  readonly input: string;
  /** Undefined when there was no answer. */
  readonly output: string | undefined;
  readonly failed: boolean;
  /** What the tool said when it failed, on one line; empty when it said nothing. */
  readonly error: string;
  readonly edits: readonly PageEdit[];
}

export interface PageEdit {
  readonly path: string;
  /** Path in the snapshot, when the file is still there. */
  readonly file: string | undefined;
  readonly added: number;
  readonly removed: number;
  /** False when the call failed, so that the lines are what was tried. */
  readonly applied: boolean;
  /** Lines of a unified diff, with ` `, `+`, `-` or `@` in front. */
  readonly lines: readonly string[];
}

/** What the page is told. Messages come in pieces, in their order, after the head. */
export type ToTranscriptPage =
  | {
      readonly type: "head";
      readonly head: TranscriptHead;
      /** The first message that is told now, 0-based; those before stay as they were told. */
      readonly from: number;
      /** Whether the agent is at work, so that more is to come. */
      readonly live: boolean;
    }
  | { readonly type: "messages"; readonly messages: readonly PageMessage[] }
  | { readonly type: "trouble"; readonly text: string };

/** What the page tells its host. */
export type ToTranscriptHost =
  | { readonly type: "ready" }
  | { readonly type: "open-file"; readonly file: string }
  | { readonly type: "export" }
  | { readonly type: "copy"; readonly text: string };
