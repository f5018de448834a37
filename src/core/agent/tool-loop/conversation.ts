import { z } from "zod";

import type { AssistantMessage, ChatMessage } from "./chat-model.js";

/** Characters of a token, on average and on the safe side, for code and English. */
const CHARACTERS_A_TOKEN = 3.5;
/** Shares of the context at which a conversation is shortened, and down to which: rarely, since a provider's cache is lost. */
const FULL = 0.75;
const SHORTENED = 0.5;
/** The last messages stay whole; the model is at work on them. */
const UNTOUCHED = 8;
/** What stays of the beginning and of the end of an old text, in characters. */
const KEPT_HEAD = 300;
const KEPT_TAIL = 200;

const schema: z.ZodType<ChatMessage> = z.union([
  z.object({ role: z.enum(["system", "user"]), text: z.string() }),
  z.object({
    role: z.literal("assistant"),
    text: z.string(),
    calls: z.array(z.object({ id: z.string(), name: z.string(), arguments: z.string() })),
  }),
  z.object({ role: z.literal("tool"), call: z.string(), text: z.string() }),
]);
const documentSchema = z.object({ messages: z.array(schema).min(1) });

/** The messages that a model is given, held within its context: what tools said long ago is shortened first. */
export class Conversation {
  #messages: ChatMessage[];

  constructor(
    messages: readonly ChatMessage[],
    private readonly contextTokens: number,
  ) {
    this.#messages = [...messages];
  }

  get messages(): readonly ChatMessage[] {
    return this.#messages;
  }

  add(...messages: readonly ChatMessage[]): void {
    this.#messages.push(...messages);
  }

  /**
   * Shortens old messages once the conversation fills most of the context.
   * @param tokens what the model counted for the last request and answer; undefined to estimate
   * @param isRefused whether the model said that it is too long, whatever was counted
   * @returns how many messages were shortened
   */
  fit(tokens: number | undefined, isRefused = false): number {
    const estimated = Math.max(tokens ?? 0, this.#estimate());
    if (!isRefused && estimated < FULL * this.contextTokens) return 0;
    const aim = SHORTENED * Math.min(estimated, this.contextTokens);
    const tooMany = (estimated - aim) * CHARACTERS_A_TOKEN;
    return this.#shorten(tooMany, isRefused ? 1 : UNTOUCHED);
  }

  #estimate(): number {
    const characters = this.#messages.reduce((sum, message) => sum + lengthOf(message), 0);
    return characters / CHARACTERS_A_TOKEN;
  }

  /** From the oldest on, until that many characters are gone. */
  #shorten(characters: number, untouched: number): number {
    let [gone, count] = [0, 0];
    const last = this.#messages.length - untouched;
    for (const [index, message] of this.#messages.entries()) {
      if (gone >= characters || index >= last) break;
      const shorter = shortened(message);
      const saved = lengthOf(message) - lengthOf(shorter);
      if (saved <= 0) continue;
      this.#messages[index] = shorter;
      gone += saved;
      count += 1;
    }
    return count;
  }
}

/** The document that {@link readMessages} reads. */
export function messagesDocument(messages: readonly ChatMessage[]): string {
  return JSON.stringify({ messages });
}

/** @returns undefined for anything that is no conversation */
export function readMessages(text: string): readonly ChatMessage[] | undefined {
  try {
    return documentSchema.safeParse(JSON.parse(text)).data?.messages;
  } catch {
    return undefined;
  }
}

function lengthOf(message: ChatMessage): number {
  if (message.role !== "assistant") return message.text.length;
  return message.calls.reduce((sum, call) => sum + call.arguments.length, message.text.length);
}

/** What the task is stays whole. */
function shortened(message: ChatMessage): ChatMessage {
  switch (message.role) {
    case "system":
    case "user":
      return message;
    case "tool":
      return { ...message, text: shortText(message.text) };
    case "assistant":
      return shortAnswer(message);
  }
}

function shortAnswer(message: AssistantMessage): AssistantMessage {
  const calls = message.calls.map((call) => ({ ...call, arguments: shortArguments(call.arguments) }));
  return { ...message, calls };
}

/** Stays JSON: models refuse conversations with broken arguments in them. */
function shortArguments(text: string): string {
  if (text.length < KEPT_HEAD + KEPT_TAIL) return text;
  try {
    return JSON.stringify(JSON.parse(text), (_key, value: unknown) =>
      typeof value === "string" ? shortText(value) : value,
    );
  } catch {
    return "{}";
  }
}

function shortText(text: string): string {
  const left = text.length - KEPT_HEAD - KEPT_TAIL;
  if (left < KEPT_TAIL) return text;
  return `${text.slice(0, KEPT_HEAD)}\n[… ${left} characters were left out to save room …]\n${text.slice(-KEPT_TAIL)}`;
}
