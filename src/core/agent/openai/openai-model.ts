import process from "node:process";

import { createParser } from "eventsource-parser";

import { SlopLensError } from "../../model/errors.js";
import { cancelled } from "../../sandbox/deadline.js";
import type { ChatAnswer, ChatListener, ChatModel, ChatRequest } from "../tool-loop/chat-model.js";
import { ModelError } from "../tool-loop/model-error.js";
import { AnswerBuilder, endlessAnswer, LONGEST_ANSWER } from "./answer-builder.js";
import { connectionError, httpError, isRedirect, redirectError } from "./http-errors.js";
import { fetchThrough, proxyFor, type Fetch, type NamedProxy } from "./proxy.js";
import { requestBody } from "./wire.js";

export interface OpenAiOptions {
  /** URL below which `chat/completions` is, for example `https://api.openai.com/v1`. */
  readonly endpoint: string;
  readonly model: string;
  /** Undefined for an endpoint that asks for none. */
  readonly key: string | undefined;
  /** The variable that the key came from. */
  readonly keyName: string | undefined;
  /** Undefined: what most models have by now. */
  readonly contextTokens: number | undefined;
}

const COMPLETIONS = "/chat/completions";
const CONTEXT_TOKENS = 128_000;
/** The words of an error are read so far, in characters. */
const LONGEST_ERROR = 64 * 1024;
/** What may come for one request, with all that is around the pieces of a stream. */
const MOST_BYTES = 8 * LONGEST_ANSWER;
const UNKNOWN_OPTION = /stream_options|include_usage/iu;

/**
 * A model behind any endpoint that speaks OpenAI's chat completions.
 * @throws SlopLensError bad-input for an endpoint that is no address
 */
export function openAiModel(options: OpenAiOptions): ChatModel {
  return new OpenAiModel(options, completionsUrl(options.endpoint));
}

class OpenAiModel implements ChatModel {
  readonly name: string;
  readonly place: string;
  readonly contextTokens: number;
  readonly secrets: readonly string[];
  /** Whether the endpoint takes the option that asks for usage. */
  private knowsUsage = true;
  private readonly proxy: NamedProxy | undefined;
  private fetching: Promise<Fetch> | undefined;

  constructor(
    private readonly options: OpenAiOptions,
    private readonly url: URL,
  ) {
    this.name = options.model;
    // What stands behind a question mark may be a key.
    this.place = `${url.origin}${url.pathname.slice(0, -COMPLETIONS.length)}`;
    this.proxy = proxyFor(url, process.env);
    this.contextTokens = options.contextTokens ?? CONTEXT_TOKENS;
    this.secrets = options.key === undefined ? [] : [options.key];
  }

  async answer(request: ChatRequest, listener: ChatListener, signal: AbortSignal): Promise<ChatAnswer> {
    try {
      return await this.request(request, listener, signal);
    } catch (error) {
      if (signal.aborted) throw cancelled();
      throw ModelError.is(error) ? error : connectionError(error, this.url, this.proxy?.variable);
    }
  }

  private async request(
    request: ChatRequest,
    listener: ChatListener,
    signal: AbortSignal,
  ): Promise<ChatAnswer> {
    const response = await this.send(request, signal);
    listener.onSign();
    if (isRedirect(response)) throw redirectError(response, this.url);
    if (!response.ok) {
      const body = await beginningOf(response, LONGEST_ERROR);
      if (this.knowsUsage && response.status < 500 && UNKNOWN_OPTION.test(body)) {
        this.knowsUsage = false;
        return this.request(request, listener, signal);
      }
      throw httpError(response, body, this.options.keyName);
    }
    const builder = new AnswerBuilder(listener);
    const isStream = response.headers.get("content-type")?.includes("event-stream") === true;
    if (isStream) await readStream(response, builder, listener);
    else builder.take(await beginningOf(response, LONGEST_ANSWER));
    return builder.build();
  }

  private async send(request: ChatRequest, signal: AbortSignal): Promise<Response> {
    const { key, model } = this.options;
    this.fetching ??= this.proxy === undefined ? Promise.resolve(fetch) : fetchThrough(this.proxy);
    const fetchFrom = await this.fetching;
    return fetchFrom(this.url, {
      method: "POST",
      headers: {
        "content-type": "application/json",
        accept: "text/event-stream",
        ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
      },
      body: requestBody(model, request, this.knowsUsage),
      // Key and conversation go where the user said, and nowhere else.
      redirect: "manual",
      signal,
    });
  }
}

function completionsUrl(endpoint: string): URL {
  const url = URL.canParse(endpoint) ? new URL(endpoint) : undefined;
  if (url === undefined || !/^https?:$/u.test(url.protocol) || url.username !== "" || url.password !== "") {
    throw new SlopLensError(
      "bad-input",
      "The model's endpoint is not an http or https address",
      "Give an address such as https://api.openai.com/v1; a key goes into a variable.",
    );
  }
  const path = url.pathname.replace(/\/+$/u, "");
  url.pathname = path.endsWith(COMPLETIONS) ? path : `${path}${COMPLETIONS}`;
  return url;
}

async function readStream(response: Response, builder: AnswerBuilder, listener: ChatListener): Promise<void> {
  const decoder = new TextDecoder();
  const state = { isOver: false };
  const parser = createParser({
    onEvent: ({ data }) => {
      if (data.trim() !== "[DONE]") {
        if (data !== "") builder.take(data);
        return;
      }
      state.isOver = true;
      builder.end();
    },
  });
  for await (const chunk of chunksOf(response)) {
    listener.onSign();
    parser.feed(decoder.decode(chunk, { stream: true }));
    if (state.isOver) return;
  }
  // The last event may lack its blank line.
  parser.feed(`${decoder.decode()}\n\n`);
}

/** @param limit what is beyond it is not read, in characters */
async function beginningOf(response: Response, limit: number): Promise<string> {
  const decoder = new TextDecoder();
  let text = "";
  for await (const chunk of chunksOf(response)) {
    text += decoder.decode(chunk, { stream: true });
    if (text.length > limit) break;
  }
  return text;
}

/** @throws ModelError for an answer without an end */
async function* chunksOf(response: Response): AsyncGenerator<Uint8Array> {
  if (response.body === null) return;
  let bytes = 0;
  const reader: ReadableStreamDefaultReader<Uint8Array> = response.body.getReader();
  try {
    for (;;) {
      const piece = await reader.read();
      if (piece.done) return;
      bytes += piece.value.length;
      if (bytes > MOST_BYTES) throw endlessAnswer();
      yield piece.value;
    }
  } finally {
    reader.cancel().catch(() => undefined);
  }
}
