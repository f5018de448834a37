/** What can go wrong, as a closed list: hosts choose buttons and exit codes by it. */
export type ErrorCode =
  | "bad-input"
  | "pack-invalid"
  | "environment-invalid"
  | "rules-invalid"
  | "rules-unavailable"
  | "engine-missing"
  | "engine-denied"
  | "engine-lost"
  | "image-unavailable"
  | "image-unsuitable"
  | "agent-invalid"
  | "dependencies-unavailable"
  | "evaluation-failed"
  | "disk-full"
  | "run-folder"
  | "untrusted"
  | "cancelled"
  | "internal";

/** What happened and what to do, as sentences in one line; the last one has a closing mark only where it brings it. */
export function sentencesOf({ message, hint }: Pick<SlopLensError, "message" | "hint">): string {
  const parts = [message, hint]
    .map((part) => part.replaceAll(/\s+/gu, " ").trim())
    .filter((part) => part !== "");
  return parts
    .map((part, at) => (at === parts.length - 1 || /[.?:…]$/u.test(part) ? part : `${part}.`))
    .join(" ");
}

/** An error that a user reads once: what happened, and what to do about it. */
export class SlopLensError extends Error {
  override readonly name = "SlopLensError";

  /**
   * @param code which kind of trouble
   * @param message what happened, one sentence without a closing full stop
   * @param hint what the user can do, one sentence; empty when there is nothing to do
   */
  constructor(
    readonly code: ErrorCode,
    message: string,
    readonly hint = "",
    options?: ErrorOptions,
  ) {
    super(message, options);
  }

  /**
   * Whether `error` is of this class, and of `code` when one is given. Each bundle has a class of its own, so an error
   * that comes from another bundle is known by its name and fields.
   */
  static is(error: unknown, code?: ErrorCode): error is SlopLensError {
    const known =
      error instanceof SlopLensError ||
      (error instanceof Error && error.name === "SlopLensError" && "code" in error && "hint" in error);
    return known && (code === undefined || error.code === code);
  }

  /** Any thrown value as a SlopLensError; aborts become `cancelled`, a full disk `disk-full`, the rest `internal`. */
  static from(error: unknown): SlopLensError {
    if (SlopLensError.is(error)) return error;
    if (!(error instanceof Error)) return new SlopLensError("internal", String(error));
    if (error.name === "AbortError") return new SlopLensError("cancelled", "Cancelled", "", { cause: error });
    if ("code" in error && error.code === "ENOSPC") {
      return new SlopLensError("disk-full", "The disk is full", "Free some space, then resume the run.", {
        cause: error,
      });
    }
    return new SlopLensError("internal", error.message, "", { cause: error });
  }
}
