/** What a queue that did not finish tells: how much is left, and what going on with it would do. */
import { l10n } from "vscode";
import { isOver, isUnfinished, type ItemStatus, type QueueItem } from "../../core/queue/item.js";
import type { UnfinishedQueue } from "../../core/queue/queue-file.js";
import { isFinished } from "../library/state.js";

/** A dialog has no scroll bar in every VS Code. */
const MOST_LINES = 12;

/** How many runs of a queue are left, and of how many. */
export function unfinishedCount({ queue: { items } }: Pick<UnfinishedQueue, "queue">): {
  readonly left: number;
  readonly all: number;
} {
  return { left: items.filter(isUnfinished).length, all: items.length };
}

/** `shelf · reference`, and of several attempts `shelf · reference · 2 of 3`. */
export function itemLabel({ problem, agent, attempt, attempts }: Omit<QueueItem, "plan">): string {
  return [problem, agent, ...(attempts === 1 ? [] : [l10n.t("{0} of {1}", attempt, attempts)])].join(" · ");
}

/** What going on with a queue would do, a line for each run that is left. */
export function queueLines(statuses: readonly ItemStatus[]): string[] {
  const left = statuses.filter((status) => !isOver(status));
  const lines = left.map((status) => l10n.t("{0}: {1}", itemLabel(status.item), goingOn(status)));
  const shown = lines.length > MOST_LINES ? lines.slice(0, MOST_LINES - 1) : lines;
  const kept = statuses.length - left.length;
  return [
    ...shown,
    ...(shown.length < lines.length ? [l10n.t("and {0} more", lines.length - shown.length)] : []),
    "",
    ...keptLine(kept),
    l10n.t("What is taken anew is moved aside, not deleted."),
  ];
}

function goingOn({ folder, run }: ItemStatus): string {
  if (folder === undefined || run === undefined) return l10n.t("begins");
  const done = run.problems.flatMap(({ turns }) => turns.filter(isFinished));
  const last = done.filter(({ verdict }) => verdict !== "infrastructure").at(-1);
  return last === undefined
    ? l10n.t("begins anew in its run folder")
    : l10n.t("goes on after checkpoint {0}", last.order);
}

function keptLine(kept: number): string[] {
  if (kept === 0) return [];
  return [kept === 1 ? l10n.t("1 run stays as it is.") : l10n.t("{0} runs stay as they are.", kept)];
}
