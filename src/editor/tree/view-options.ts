/** What the user chose to see in the trees. */
import { l10n } from "vscode";
import type { Group } from "../../core/model/problem.js";

/** Which outcomes the trees show. */
export interface OutcomeFilter {
  /** `regressions`: tests that fail and passed at an earlier checkpoint of the run. */
  readonly outcomes: "all" | "failed" | "regressions";
  /** Undefined shows all groups. */
  readonly group: Group | undefined;
}

export const RUN_SORTS = ["newest", "name", "erosion"] as const;
export type RunSort = (typeof RUN_SORTS)[number];

export interface ViewOptions {
  readonly filter: OutcomeFilter;
  readonly sort: RunSort;
  /** Tests are named and nothing of their source is shown, messages included. */
  readonly hideTests: boolean;
}

export const NO_FILTER: OutcomeFilter = { outcomes: "all", group: undefined };
export const DEFAULT_OPTIONS: ViewOptions = { filter: NO_FILTER, sort: "newest", hideTests: false };

/** Whether a filter leaves anything out. */
export function isFiltering({ outcomes, group }: OutcomeFilter): boolean {
  return outcomes !== "all" || group !== undefined;
}

/** `failed only · Core`; empty when nothing is left out. */
export function filterWords({ outcomes, group }: OutcomeFilter): string {
  return [KIND_WORDS[outcomes], group ?? ""].filter((part) => part !== "").join(" · ");
}

/**
 * What stands above the rows of a tree that leaves something out, all parts of the filter together.
 * @param hasRows without rows the view says by itself that nothing passes
 */
export function filterMessage(filter: OutcomeFilter, hasRows: boolean): string {
  return isFiltering(filter) && hasRows ? l10n.t("Shown by the filter: {0}", filterWords(filter)) : "";
}

const KIND_WORDS: Readonly<Record<OutcomeFilter["outcomes"], string>> = {
  all: "",
  failed: l10n.t("failed only"),
  regressions: l10n.t("regressions only"),
};

const SORT_WORDS: Readonly<Record<RunSort, string>> = {
  newest: "",
  name: l10n.t("by name"),
  erosion: l10n.t("by erosion"),
};

/** `by erosion`; empty for the usual order. */
export function sortWords(sort: RunSort): string {
  return SORT_WORDS[sort];
}
