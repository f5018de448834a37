import { SlopLensError } from "../model/errors.js";

/** How long after an abort a waiting call may still try to tidy up, in milliseconds. */
export const ABORT_GRACE = 1500;

/** What a timer holds: 2³¹ − 1 milliseconds, or 24.8 days. One that is set to more goes off at once. */
const LONGEST_TIMER = 2 ** 31 - 1;

/** Milliseconds for a timer; longer than anything runs stays so, whatever number a user wrote. */
export function timerMilliseconds(seconds: number): number {
  return Math.min(seconds * 1000, LONGEST_TIMER);
}

export function cancelled(): SlopLensError {
  return new SlopLensError("cancelled", "Cancelled");
}

/** @throws SlopLensError cancelled when `signal` is aborted already */
export function throwIfAborted(signal: AbortSignal): void {
  if (signal.aborted) throw cancelled();
}

export interface Deadline {
  /** Milliseconds; undefined for none. */
  readonly milliseconds: number | undefined;
  readonly onExpiry: () => Error;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Settles with `promise`, or rejects at the deadline or on abort, whichever comes first. The promise itself may stay
 * unsettled for ever: some calls to an engine do when its connection drops.
 */
export function within<T>(promise: Promise<T>, deadline: Deadline): Promise<T> {
  const { milliseconds, onExpiry, signal } = deadline;
  return new Promise<T>((resolve, reject) => {
    const timer =
      milliseconds === undefined
        ? undefined
        : setTimeout(() => {
            finish(() => {
              reject(onExpiry());
            });
          }, milliseconds);
    const onAbort = (): void => {
      finish(() => {
        reject(cancelled());
      });
    };
    const finish = (settle: () => void): void => {
      clearTimeout(timer);
      signal?.removeEventListener("abort", onAbort);
      settle();
    };
    promise.then(
      (value) => {
        finish(() => {
          resolve(value);
        });
      },
      (error: unknown) => {
        finish(() => {
          reject(error instanceof Error ? error : new Error(String(error)));
        });
      },
    );
    if (signal?.aborted === true) onAbort();
    else signal?.addEventListener("abort", onAbort, { once: true });
  });
}

/** Sleeps; rejects with `cancelled` on abort. */
export function pause(milliseconds: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const onAbort = (): void => {
      clearTimeout(timer);
      reject(cancelled());
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener("abort", onAbort);
      resolve();
    }, milliseconds);
    if (signal?.aborted === true) onAbort();
    else signal?.addEventListener("abort", onAbort, { once: true });
  });
}
