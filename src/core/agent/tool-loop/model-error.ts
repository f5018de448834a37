/**
 * Why a model gave no answer. `refused`: it will not, however often it is asked. `passing`: it may when it is asked
 * again. `too-long`: the conversation does not fit any more.
 */
export type ModelTrouble = "refused" | "passing" | "too-long";

export class ModelError extends Error {
  override readonly name = "ModelError";

  /**
   * @param message what happened, and what to do about it where somebody can, one line for a turn's reason
   * @param retryAfter milliseconds after which to ask again, where the model says so
   */
  constructor(
    readonly trouble: ModelTrouble,
    message: string,
    readonly retryAfter?: number,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }

  /** Models are made by hosts, whose bundles have a class of their own: an error is known by its name and fields. */
  static is(error: unknown): error is ModelError {
    return error instanceof Error && error.name === "ModelError" && "trouble" in error;
  }
}

const TOO_LONG =
  /context.{0,20}(?:length|window|size)|maximum.{0,20}(?:context|tokens)|token limit|too (?:long|large|many tokens)/iu;

/** Whether words of a provider say that the conversation does not fit. */
export function isTooLong(words: string): boolean {
  return TOO_LONG.test(words);
}
