import type { Run } from "../../core/model/run.js";
import type { ChoiceStore } from "../tree/view-choices.js";

const KEY = "slopLens.runsAtWork";

/**
 * Remembers which runs that were started alone are in progress, over the end of the window: however it ends, the next one
 * knows which of them to offer. Those of a queue have its file for that.
 */
export class RunsAtWork {
  private readonly own = new Set<string>();

  constructor(private readonly store: ChoiceStore) {}

  async begin(folder: string): Promise<void> {
    this.own.add(folder);
    await this.keep([...this.stored, folder]);
  }

  /** Forgets a run that came to its end, or that the user was told of. */
  async end(folder: string): Promise<void> {
    this.own.delete(folder);
    await this.keep(this.stored.filter((one) => one !== folder));
  }

  /** Of the runs of earlier windows: those that were interrupted, those that may still be about to end, and the others. */
  left(runs: readonly Run[]): Record<"interrupted" | "ending" | "over", readonly Run[]> {
    const earlier = this.stored.filter((folder) => !this.own.has(folder));
    const known = runs.filter(({ folder }) => earlier.includes(folder));
    const of = (...states: readonly Run["state"][]): Run[] =>
      known.filter(({ state }) => states.includes(state));
    return { interrupted: of("interrupted"), ending: of("running"), over: of("finished", "cancelled") };
  }

  private get stored(): readonly string[] {
    const stored = this.store.get(KEY);
    return Array.isArray(stored) ? stored.filter((one) => typeof one === "string") : [];
  }

  private async keep(folders: readonly string[]): Promise<void> {
    await this.store.update(KEY, [...new Set(folders)]);
  }
}
