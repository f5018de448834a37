import { z } from "zod";

import type { MessageUsage } from "../../model/transcript.js";
import type { ChatMessage, ChatRequest } from "../tool-loop/chat-model.js";

/** Chat completions as OpenAI defines them (https://platform.openai.com/docs/api-reference/chat) and others answer them. */

/** Endpoints write `null` for what others leave out. */
function maybe<Schema extends z.ZodType>(schema: Schema): z.ZodType<z.output<Schema> | undefined> {
  return schema.nullish().transform((value) => value ?? undefined);
}

const text = maybe(z.string());
const number = maybe(z.number());

const callSchema = z.object({
  index: number,
  id: text,
  function: maybe(z.object({ name: text, arguments: text })),
});

/** Of a whole message and of a piece of one alike. */
const messageSchema = z.object({
  content: text,
  /** DeepSeek, vLLM and llama.cpp; OpenRouter calls it `reasoning`. */
  reasoning_content: text,
  reasoning: text,
  tool_calls: maybe(z.array(callSchema)),
});

const choiceSchema = z.object({
  delta: maybe(messageSchema),
  message: maybe(messageSchema),
  finish_reason: text,
});

const usageSchema = z.object({
  prompt_tokens: number,
  completion_tokens: number,
  prompt_tokens_details: maybe(z.object({ cached_tokens: number })),
  completion_tokens_details: maybe(z.object({ reasoning_tokens: number })),
  /** US dollars; OpenRouter. */
  cost: number,
});

export const chunkSchema = z.object({
  choices: maybe(z.array(choiceSchema)),
  usage: maybe(usageSchema),
  error: maybe(z.unknown()),
});

export type Chunk = z.infer<typeof chunkSchema>;
export type MessagePart = z.infer<typeof messageSchema>;
export type CallPart = z.infer<typeof callSchema>;

const problemSchema = z.object({ message: z.string(), code: maybe(z.union([z.string(), z.number()])) });
const errorSchema = z.union([
  z.object({ error: problemSchema }),
  z.object({ error: z.string() }),
  problemSchema,
]);

/** What an answer that is an error says, its code at the end; undefined when it is none that we know. */
export function errorWords(body: unknown): string | undefined {
  const { data } = errorSchema.safeParse(body);
  if (data === undefined) return undefined;
  const problem = "error" in data ? data.error : data;
  if (typeof problem === "string") return problem;
  return problem.code === undefined ? problem.message : `${problem.message} [${problem.code}]`;
}

/** The body of a request. @param withUsage asks for the usage at the end of a stream; some endpoints do not know that */
export function requestBody(model: string, request: ChatRequest, withUsage: boolean): string {
  return JSON.stringify({
    model,
    stream: true,
    ...(withUsage ? { stream_options: { include_usage: true } } : {}),
    messages: request.messages.map(messageBody),
    tools: request.tools.map((tool) => ({ type: "function", function: tool })),
  });
}

function messageBody(message: ChatMessage): Readonly<Record<string, unknown>> {
  switch (message.role) {
    case "system":
    case "user":
      return { role: message.role, content: message.text };
    case "tool":
      return { role: "tool", tool_call_id: message.call, content: message.text };
    case "assistant": {
      const calls = message.calls.map(({ id, name, arguments: given }) => ({
        id,
        type: "function",
        function: { name, arguments: given },
      }));
      const content = message.text === "" ? null : message.text;
      return calls.length === 0
        ? { role: "assistant", content: message.text }
        : { role: "assistant", content, tool_calls: calls };
    }
  }
}

export function usageOf(usage: Chunk["usage"]): MessageUsage {
  return {
    costUsd: usage?.cost,
    inputTokens: usage?.prompt_tokens,
    outputTokens: usage?.completion_tokens,
    cacheReadTokens: usage?.prompt_tokens_details?.cached_tokens,
    cacheWriteTokens: undefined,
    reasoningTokens: usage?.completion_tokens_details?.reasoning_tokens,
  };
}
