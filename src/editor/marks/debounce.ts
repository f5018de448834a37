/** Calls `work` when calls have been quiet for `quietMs`, and at the latest `mostMs` after the first of them. */
export class Debounce {
  private quiet: NodeJS.Timeout | undefined;
  private first: number | undefined;

  constructor(
    private readonly work: () => void,
    private readonly quietMs = 250,
    private readonly mostMs = 1000,
  ) {}

  /** Asks for the work to be done soon. */
  ask(): void {
    const now = Date.now();
    this.first ??= now;
    clearTimeout(this.quiet);
    const left = this.first + this.mostMs - now;
    this.quiet = setTimeout(
      () => {
        this.now();
      },
      Math.max(0, Math.min(this.quietMs, left)),
    );
  }

  /** Does the work at once and forgets what was asked for. */
  now(): void {
    this.cancel();
    this.work();
  }

  /** Forgets what was asked for. */
  cancel(): void {
    clearTimeout(this.quiet);
    this.quiet = undefined;
    this.first = undefined;
  }
}
