import type { MessageUsage } from "../../model/transcript.js";

/** What a model asks a tool for. */
export interface ChatCall {
  /** Names the call, so that its answer can be told from others. */
  readonly id: string;
  readonly name: string;
  /** JSON as the model wrote it, which may be broken. */
  readonly arguments: string;
}

export interface AssistantMessage {
  readonly role: "assistant";
  readonly text: string;
  readonly calls: readonly ChatCall[];
}

export type ChatMessage =
  | { readonly role: "system" | "user"; readonly text: string }
  | AssistantMessage
  | { readonly role: "tool"; readonly call: string; readonly text: string };

export interface ChatTool {
  readonly name: string;
  readonly description: string;
  /** JSON Schema of an object. */
  readonly parameters: Readonly<Record<string, unknown>>;
}

export interface ChatRequest {
  readonly messages: readonly ChatMessage[];
  readonly tools: readonly ChatTool[];
}

export interface ChatAnswer {
  readonly text: string;
  /** Empty when the model does not think aloud. */
  readonly thinking: string;
  readonly calls: readonly ChatCall[];
  /** Of this answer; input tokens hold those that came from a cache, output tokens those of thinking. */
  readonly usage: MessageUsage;
  /** Whether tokens are counted by us, because the model does not tell them. */
  readonly isEstimated: boolean;
  /** Whether the answer ended at the model's limit and not where the model wanted it to. */
  readonly isCut: boolean;
}

/** Hears an answer while it comes. */
export interface ChatListener {
  readonly onText: (text: string) => void;
  /** Any sign of life, text or not. */
  readonly onSign: () => void;
}

/** A model that can be talked to and can ask for tools, wherever it is. */
export interface ChatModel {
  /** As its provider names it. */
  readonly name: string;
  /** Where it is reached, for people; never with a key in it. */
  readonly place: string;
  /** What a request and its answer may have in tokens. */
  readonly contextTokens: number;
  /** Values that must appear nowhere. */
  readonly secrets: readonly string[];
  /**
   * Asks for the next message of a conversation. Tries once.
   * @throws ModelError when there is no answer; SlopLensError cancelled within two seconds of an abort
   */
  answer(request: ChatRequest, listener: ChatListener, signal: AbortSignal): Promise<ChatAnswer>;
}
