import { SlopLensError } from "./errors.js";

const INTERRUPTED = "Interrupted";

/** The reason of an abort that ends work so that it can be gone on with, as when the window closes that it runs in. */
export function interruption(): SlopLensError {
  return new SlopLensError("cancelled", INTERRUPTED);
}

/** Whether an abort was an interruption; each bundle has its own class of errors, so it is known by what it says. */
export function isInterruption({ reason }: Pick<AbortSignal, "reason">): boolean {
  return SlopLensError.is(reason, "cancelled") && reason.message === INTERRUPTED;
}
