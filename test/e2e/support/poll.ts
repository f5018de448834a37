/** Waiting for what a screen shows: look again until it is there, never for a fixed time. */

const pauseMilliseconds = 100;

/**
 * Calls `probe` until it gives something other than `undefined` or `false`, and returns that.
 * @param what names the awaited thing in the error, for example `three marked lines`
 * @throws Error when the time is up; an error of the last probe is its cause
 */
export async function until<T>(
  probe: () => Promise<T | undefined | false>,
  what: string,
  timeoutMilliseconds = 30_000,
): Promise<T> {
  const end = Date.now() + timeoutMilliseconds;
  for (;;) {
    const attempt = await tryOnce(probe);
    if (attempt.value !== undefined && attempt.value !== false) return attempt.value;
    if (Date.now() > end) {
      throw new Error(`waited ${timeoutMilliseconds} ms in vain for ${what}`, { cause: attempt.error });
    }
    await pause();
  }
}

async function tryOnce<T>(
  probe: () => Promise<T | undefined | false>,
): Promise<{ value?: T | undefined | false; error?: unknown }> {
  try {
    return { value: await probe() };
  } catch (error) {
    // What is looked at may be replaced between finding and reading it; the next look finds the new one.
    return { error };
  }
}

function pause(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, pauseMilliseconds));
}
