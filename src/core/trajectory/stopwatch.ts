/** Measures the steps of a turn, so that the loop's own cost can be told from the agent's and pytest's. */
export class Stopwatch {
  private readonly steps = new Map<string, number>();
  private readonly begin = performance.now();

  /** Runs one step and adds its wall time to the step's sum. */
  async time<T>(step: string, work: () => Promise<T>): Promise<T> {
    const start = performance.now();
    try {
      return await work();
    } finally {
      this.steps.set(step, (this.steps.get(step) ?? 0) + performance.now() - start);
    }
  }

  /** Wall time since the beginning. */
  get seconds(): number {
    return (performance.now() - this.begin) / 1000;
  }

  /**
   * One line for the log, in milliseconds.
   * @param othersSeconds time of the agent and of the hidden tests themselves, which is not ours
   */
  line(checkpoint: string, othersSeconds: number): string {
    const total = this.seconds * 1000;
    const steps = Array.from(this.steps, ([step, ms]) => `${step} ${Math.round(ms)}`).join(", ");
    const own = total - othersSeconds * 1000;
    return `timings ${checkpoint}: ${steps}; total ${Math.round(total)} ms, overhead ${Math.round(own)} ms`;
  }
}
