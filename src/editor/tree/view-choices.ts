import { GROUPS } from "../../core/model/problem.js";
import { NO_FILTER, RUN_SORTS, type OutcomeFilter, type RunSort, type ViewOptions } from "./view-options.js";

/** Keeps choices over a reload of the window; a VS Code memento in the product. */
export interface ChoiceStore {
  get(key: string): unknown;
  update(key: string, value: unknown): PromiseLike<void>;
}

const FILTER = "slopLens.filter";
const SORT = "slopLens.sort";

/** What the user chose to see in the trees, kept over a reload of the window. */
export class ViewChoices {
  private readonly listeners = new Set<() => void>();
  /** The same object until something is chosen anew, so that views can tell that nothing was. */
  private current: ViewOptions | undefined;

  /** @param hideTests tells the setting of that name */
  constructor(
    private readonly store: ChoiceStore,
    private readonly hideTests: () => boolean,
  ) {}

  get options(): ViewOptions {
    this.current ??= { filter: this.filter, sort: this.sort, hideTests: this.hideTests() };
    return this.current;
  }

  get filter(): OutcomeFilter {
    return readFilter(this.store.get(FILTER));
  }

  get sort(): RunSort {
    const stored = this.store.get(SORT);
    return RUN_SORTS.find((sort) => sort === stored) ?? "newest";
  }

  /** Takes a part of the filter; choosing what is chosen already gives it up again. */
  async toggle(part: Partial<OutcomeFilter>): Promise<void> {
    const now = this.filter;
    const outcomes = part.outcomes === now.outcomes ? "all" : (part.outcomes ?? now.outcomes);
    const group = part.group === undefined ? now.group : part.group === now.group ? undefined : part.group;
    await this.keep(FILTER, { outcomes, group });
  }

  async filterBy(filter: OutcomeFilter): Promise<void> {
    await this.keep(FILTER, filter);
  }

  async clear(): Promise<void> {
    await this.keep(FILTER, NO_FILTER);
  }

  async sortBy(sort: RunSort): Promise<void> {
    await this.keep(SORT, sort);
  }

  /** Tells the listeners that a setting has changed what they show. */
  changed(): void {
    this.current = undefined;
    for (const listener of [...this.listeners]) listener();
  }

  /** @returns a function that ends it */
  onDidChange(listener: () => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  private async keep(key: string, value: unknown): Promise<void> {
    await this.store.update(key, value);
    this.changed();
  }
}

/** What an earlier release or another hand stored counts as no filter. */
function readFilter(stored: unknown): OutcomeFilter {
  if (typeof stored !== "object" || stored === null) return NO_FILTER;
  const outcomes = "outcomes" in stored ? stored.outcomes : undefined;
  const group = "group" in stored ? stored.group : undefined;
  return {
    outcomes: (["failed", "regressions"] as const).find((kind) => kind === outcomes) ?? "all",
    group: GROUPS.find((name) => name === group),
  };
}
