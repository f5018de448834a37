/** Steps that undo what was started, run in reverse order; Node 20 has no AsyncDisposableStack yet. */
export class Cleanup {
  private readonly steps: (() => Promise<void>)[] = [];

  /** Remembers a step for {@link run}. */
  add(step: () => Promise<void>): void {
    this.steps.push(step);
  }

  /** Remembers to dispose `resource`, and returns it. */
  use<T extends AsyncDisposable>(resource: T): T {
    this.add(async () => {
      await resource[Symbol.asyncDispose]();
    });
    return resource;
  }

  /** Runs every step once, also when an earlier one throws; then throws what was thrown first. */
  async run(): Promise<void> {
    const errors: unknown[] = [];
    for (let step = this.steps.pop(); step !== undefined; step = this.steps.pop()) {
      await step().catch((error: unknown) => errors.push(error));
    }
    if (errors.length > 0) throw errors[0];
  }
}
