/** What several runs tell together, in the notification and the status bar. */
import { l10n } from "vscode";
import { countQueue, remainingSeconds } from "../../core/queue/estimate.js";
import type { ItemStatus, QueueStatus } from "../../core/queue/item.js";
import { clock, duration } from "../../core/report/format.js";
import { queueWords } from "../tree/queue-rows.js";
import { listed } from "../words.js";

/** `2 running · 3 waiting · 1 of 6 done, 1:42, about 3 min left`. */
export function severalText(status: QueueStatus, seconds: number): string {
  const { checkpoints, checkpointsDone, checkpointsTaken } = countQueue(status.items);
  const left = status.pause === undefined ? checkpoints - checkpointsDone : 0;
  const remaining = remainingSeconds(checkpointsTaken, left, seconds);
  const rest = remaining === undefined || left === 0 ? "" : l10n.t("about {0} left", duration(remaining));
  const isLocal = status.items.some(({ run, state }) => state === "running" && run?.isolation === "local");
  const local = isLocal ? ` (${l10n.t("local, not isolated")})` : "";
  return listed([`${queueWords(status)}${local}`, clock(seconds), rest]);
}

/** How much is done, 0 to 1. */
export function severalFraction({ items }: QueueStatus): number {
  const { checkpoints, checkpointsDone } = countQueue(items);
  return checkpoints === 0 ? 0 : checkpointsDone / checkpoints;
}

/** `$(loading~spin) 1/6 runs · 1:42`. */
export function severalStatus(status: QueueStatus, seconds: number): string {
  const { over, items } = countQueue(status.items);
  const icon = status.pause === undefined ? "$(loading~spin)" : "$(debug-pause)";
  return `${icon} ${l10n.t("{0}/{1} runs", over, items)} · ${clock(seconds)}`;
}

/** `5 of 6 runs finished, 1 failed: …`; the reason is that of the first. */
export function severalEnd(items: readonly ItemStatus[]): string {
  const count = (state: ItemStatus["state"]): number => items.filter((item) => item.state === state).length;
  const failed = items.filter(({ state }) => state === "failed");
  const [first] = failed;
  const cancelled = count("cancelled");
  const finished = count("finished");
  return listed([
    items.length === 1
      ? l10n.t("{0} of 1 run finished", finished)
      : l10n.t("{0} of {1} runs finished", finished, items.length),
    cancelled === 0 ? "" : l10n.t("{0} cancelled", cancelled),
    first === undefined ? "" : failedWords(failed.length, first.reason),
  ]);
}

function failedWords(count: number, reason: string | undefined): string {
  return reason === undefined ? l10n.t("{0} failed", count) : l10n.t("{0} failed: {1}", count, reason);
}
