import { randomUUID } from "node:crypto";

import type { ChatAnswer, ChatListener } from "../tool-loop/chat-model.js";
import { ModelError } from "../tool-loop/model-error.js";
import { chunkSchema, errorWords, usageOf, type CallPart, type Chunk, type MessagePart } from "./wire.js";

/** What an endpoint may send for one answer, in characters; more is none. */
export const LONGEST_ANSWER = 16 * 1024 * 1024;

interface CallDraft {
  readonly index: number | undefined;
  readonly id: string;
  name: string;
  text: string;
}

/** Puts an answer together from the pieces of a stream, or from a whole. */
export class AnswerBuilder {
  private text = "";
  private thinking = "";
  private readonly calls: CallDraft[] = [];
  private usage: Chunk["usage"];
  private finish: string | undefined;
  private length = 0;

  constructor(private readonly listener: ChatListener) {}

  /**
   * @param json a chunk of a stream, or a whole answer
   * @throws ModelError for anything that is no answer
   */
  take(json: string): void {
    this.length += json.length;
    if (this.length > LONGEST_ANSWER) throw endlessAnswer();
    const chunk = parse(json);
    if (chunk.error !== undefined) {
      const words = errorWords(chunk) ?? "an error without words";
      throw new ModelError("passing", `The model's endpoint broke off: ${words}`);
    }
    this.usage = chunk.usage ?? this.usage;
    const choice = chunk.choices?.[0];
    if (choice === undefined) return;
    const part = choice.delta ?? choice.message;
    if (part !== undefined) this.takePart(part);
    this.finish = choice.finish_reason ?? this.finish;
  }

  /** The endpoint says that nothing more will come. */
  end(): void {
    this.finish ??= "stop";
  }

  /** @throws ModelError for an answer that did not come to its end, or that was withheld */
  build(): ChatAnswer {
    if (this.finish === undefined) {
      throw new ModelError("passing", "The model's endpoint ended the connection in the middle of an answer");
    }
    if (this.finish === "content_filter") {
      throw new ModelError("refused", "The model's provider withheld the answer (content filter)");
    }
    return {
      text: this.text,
      thinking: this.thinking,
      calls: this.calls.map(({ id, name, text }) => ({ id, name, arguments: text })),
      usage: usageOf(this.usage),
      isEstimated: false,
      isCut: this.finish === "length",
    };
  }

  private takePart(part: MessagePart): void {
    this.thinking += part.reasoning_content ?? part.reasoning ?? "";
    const text = part.content ?? "";
    if (text !== "") {
      this.text += text;
      this.listener.onText(text);
    }
    for (const call of part.tool_calls ?? []) this.takeCall(call);
  }

  private takeCall(part: CallPart): void {
    const draft = this.draftOf(part);
    draft.name += part.function?.name ?? "";
    draft.text += part.function?.arguments ?? "";
  }

  private draftOf(part: CallPart): CallDraft {
    const known = this.knownDraft(part);
    if (known !== undefined) return known;
    const id = part.id === undefined || part.id === "" ? `call_${randomUUID()}` : part.id;
    const draft = { index: part.index, id, name: "", text: "" };
    this.calls.push(draft);
    return draft;
  }

  /** Endpoints tell pieces of one call by index, by id or by nothing; a new id, or a name, begins a new call. */
  private knownDraft({ index, id = "", function: named }: CallPart): CallDraft | undefined {
    const last =
      index === undefined ? this.calls.at(-1) : this.calls.findLast((call) => call.index === index);
    if (id !== "") return last?.id === id ? last : undefined;
    return index === undefined && (named?.name ?? "") !== "" ? undefined : last;
  }
}

export function endlessAnswer(): ModelError {
  return new ModelError("refused", "The model's answer has no end");
}

function parse(json: string): Chunk {
  try {
    const chunk = chunkSchema.safeParse(JSON.parse(json));
    if (chunk.success) return chunk.data;
  } catch {
    // Told below.
  }
  throw new ModelError("passing", "The model's endpoint answered with something that is no chat completion");
}
