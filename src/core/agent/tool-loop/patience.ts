import { cancelled, pause, timerMilliseconds, within } from "../../sandbox/deadline.js";
import type { ChatAnswer, ChatListener, ChatModel, ChatRequest } from "./chat-model.js";
import { ModelError } from "./model-error.js";

export interface Patience {
  /** How often a model is asked again after trouble that may pass. */
  readonly retries: number;
  /** Milliseconds before it is asked again, for the first time, the second, … */
  readonly backoff: (retry: number) => number;
  /** Seconds that a model may be silent; undefined for as long as it wants. */
  readonly idleSeconds: number | undefined;
  /** Hears that it will be asked again, after so many milliseconds. */
  readonly onRetry: (error: ModelError, wait: number) => void;
}

/** A model that asks for more than this is not waited for. In milliseconds. */
const LONGEST_WAIT = 5 * 60_000;

/** 1, 2, 4, … seconds up to a minute, up to a quarter more or less, so that parallel runs do not ask all at once. */
export function growingBackoff(retry: number): number {
  return Math.min(1000 * 2 ** retry, 60_000) * (0.75 + Math.random() / 2);
}

/** The model was silent for longer than the limit. */
export class ModelIdle extends Error {
  override readonly name = "ModelIdle";
}

/**
 * Asks a model, again where its trouble may pass, and gives up on one that falls silent.
 * @throws ModelError, ModelIdle, SlopLensError cancelled
 */
export async function askPatiently(
  model: Pick<ChatModel, "answer">,
  request: ChatRequest,
  onText: (text: string) => void,
  patience: Patience,
  signal: AbortSignal,
): Promise<ChatAnswer> {
  for (let retry = 0; ; retry += 1) {
    try {
      return await askOnce(model, request, onText, patience.idleSeconds, signal);
    } catch (error) {
      if (!ModelError.is(error) || error.trouble !== "passing") throw error;
      const wait = error.retryAfter ?? patience.backoff(retry);
      if (retry >= patience.retries || wait > LONGEST_WAIT) throw error;
      patience.onRetry(error, wait);
      await pause(wait, signal);
    }
  }
}

async function askOnce(
  model: Pick<ChatModel, "answer">,
  request: ChatRequest,
  onText: (text: string) => void,
  idleSeconds: number | undefined,
  signal: AbortSignal,
): Promise<ChatAnswer> {
  const idle = new AbortController();
  const limit = idleSeconds === undefined ? undefined : timerMilliseconds(idleSeconds);
  const start = (): NodeJS.Timeout | undefined =>
    limit === undefined
      ? undefined
      : setTimeout(() => {
          idle.abort();
        }, limit);
  let timer = start();
  const onSign = (): void => {
    clearTimeout(timer);
    timer = start();
  };
  const listener: ChatListener = {
    onSign,
    onText: (text) => {
      onSign();
      onText(text);
    },
  };
  try {
    const either = AbortSignal.any([signal, idle.signal]);
    if (either.aborted) throw cancelled();
    // Not every model lets go when it is told to.
    const limits = { milliseconds: undefined, onExpiry: cancelled, signal: either };
    return await within(model.answer(request, listener, either), limits);
  } catch (error) {
    if (signal.aborted) throw cancelled();
    if (idle.signal.aborted) throw new ModelIdle();
    throw error;
  } finally {
    clearTimeout(timer);
  }
}
