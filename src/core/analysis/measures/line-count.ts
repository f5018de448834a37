/** Counts lines of code within spans in constant time. */
export class LineCount {
  /** Line → number of lines of code up to it. */
  readonly #upTo: Int32Array;

  /** @param sloc ascending 1-based line numbers */
  constructor(sloc: readonly number[]) {
    const last = sloc.at(-1) ?? 0;
    this.#upTo = new Int32Array(last + 1);
    for (const line of sloc) this.#upTo[line] = 1;
    for (let line = 1; line <= last; line++) this.#upTo[line] = this.#at(line) + this.#at(line - 1);
  }

  /** Lines of code from `start` to `end`, both inclusive. */
  within(start: number, end: number): number {
    const last = this.#upTo.length - 1;
    return this.#at(Math.min(end, last)) - this.#at(Math.min(start - 1, last));
  }

  #at(line: number): number {
    return this.#upTo[line] ?? 0;
  }
}
