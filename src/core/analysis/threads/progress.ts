/**
 * Where a thread is, in memory that the thread which waits for it can read when it does not come back: the number of the
 * file, and the number of the rule that is tried on it.
 */
export class Progress {
  readonly #cells: Int32Array;

  constructor(readonly memory = new SharedArrayBuffer(8)) {
    this.#cells = new Int32Array(memory);
  }

  /** The thread begins with a file, without a rule. */
  beginFile(number: number): void {
    this.#cells[0] = number;
    this.#cells[1] = 0;
  }

  /** The thread tries a rule, by its number among those of the file's language; -1 when it has tried all. */
  beginRule(number: number): void {
    this.#cells[1] = number + 1;
  }

  /** The rule that is tried on a file; undefined when the thread is at another file, or at no rule. */
  ruleOn(file: number): number | undefined {
    const [at = 0, rule = 0] = this.#cells;
    return at === file && rule > 0 ? rule - 1 : undefined;
  }
}
