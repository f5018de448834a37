/** What several runs tell together, in the notification and the status bar. */
import { l10n } from "vscode";
import { countQueue, remainingSeconds } from "../../core/queue/estimate.js";
import type { ItemStatus, QueueStatus } from "../../core/queue/item.js";
import { clock, duration } from "../../core/report/format.js";
import { queueWords } from "../tree/queue-rows.js";
import { plural } from "../words.js";

/** `2 running · 3 waiting · 1 of 6 done, 1:42, about 3 min left`. */
export function severalText(status: QueueStatus, seconds: number): string {
  const { checkpoints, checkpointsDone } = countQueue(status.items);
  const left = status.pause === undefined ? checkpoints - checkpointsDone : 0;
  const remaining = remainingSeconds(checkpointsDone, left, seconds);
  const rest = remaining === undefined || left === 0 ? "" : `, about ${duration(remaining)} left`;
  const isLocal = status.items.some(({ run, state }) => state === "running" && run?.isolation === "local");
  const local = isLocal ? ` (${l10n.t("local, not isolated")})` : "";
  return `${queueWords(status)}${local}, ${clock(seconds)}${rest}`;
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
  return `${icon} ${over}/${items} runs · ${clock(seconds)}`;
}

/** `5 of 6 runs finished, 1 failed: …`; the reason is that of the first. */
export function severalEnd(items: readonly ItemStatus[]): string {
  const count = (state: ItemStatus["state"]): number => items.filter((item) => item.state === state).length;
  const failed = items.filter(({ state }) => state === "failed");
  const why = failed[0]?.reason === undefined ? "" : `: ${failed[0].reason}`;
  const cancelled = count("cancelled");
  return [
    `${count("finished")} of ${plural(items.length, "run")} finished`,
    ...(cancelled === 0 ? [] : [`${cancelled} cancelled`]),
    ...(failed.length === 0 ? [] : [`${failed.length} failed${why}`]),
  ].join(", ");
}
