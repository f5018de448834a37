/** How many files are worked on at once: enough to hide the latency of a disk, few enough to stay small. */
const WIDTH = 16;

/**
 * Results of `work` in the order of `items`, with some of the next ones already begun.
 * @param discard gets the results that nobody takes because the consumer stops early
 */
export async function* mapAhead<T, R>(
  items: readonly T[],
  work: (item: T) => Promise<R>,
  discard: (result: R) => Promise<void> = () => Promise.resolve(),
): AsyncGenerator<readonly [T, R]> {
  const begun: { item: T; result: Promise<R> }[] = [];
  let next = 0;
  try {
    for (;;) {
      for (; begun.length < WIDTH && next < items.length; next++) {
        const item = items[next] as T;
        const result = work(item);
        result.catch(() => undefined);
        begun.push({ item, result });
      }
      const first = begun.shift();
      if (first === undefined) return;
      yield [first.item, await first.result];
    }
  } finally {
    for (const { result } of begun) await result.then(discard, () => undefined);
  }
}

/** Runs tasks a few at a time. The first failure is kept and thrown by the next call, and by {@link finish}. */
export class Tasks {
  readonly #running = new Set<Promise<void>>();
  #failure: { readonly error: unknown } | undefined;

  /** Begins the task as soon as there is room. */
  async add(task: () => Promise<void>): Promise<void> {
    while (this.#running.size >= WIDTH) await Promise.race(this.#running);
    this.#check();
    const running = task()
      .catch((error: unknown) => {
        this.#failure ??= { error };
      })
      .finally(() => this.#running.delete(running));
    this.#running.add(running);
  }

  async finish(): Promise<void> {
    await Promise.all(this.#running);
    this.#check();
  }

  #check(): void {
    if (this.#failure !== undefined) throw this.#failure.error;
  }
}
