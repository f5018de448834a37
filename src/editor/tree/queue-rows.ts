/** The queue at the top of the Runs view: what runs with its phase, what waits, what failed. */
import { l10n } from "vscode";
import { countQueue } from "../../core/queue/estimate.js";
import {
  isOver,
  isUnfinished,
  type ItemStatus,
  type QueuePause,
  type QueueStatus,
} from "../../core/queue/item.js";
import type { UnfinishedQueue } from "../../core/queue/queue-file.js";
import type { StoredItem } from "../../core/queue/queue-record.js";
import { phaseWords } from "../../core/report/phase-words.js";
import { NODE_TRAITS } from "../ids.js";
import { itemLabel, unfinishedCount } from "../run/queue-words.js";
import { checkpointLabel, runCount, testProgressWords } from "../words.js";
import { node, type NodeIcon, type TreeNode } from "./node.js";
import { ICONS } from "./test-rows.js";

/**
 * No row unless something of it runs or waits; what is finished stands below as a run, and what failed is then that of a
 * queue that can be gone on with.
 */
export function queueRows(status: QueueStatus): TreeNode[] {
  if (status.items.every(isOver)) return [];
  const shown = shownItems(status.items);
  const paused = status.pause !== undefined;
  return [
    node({
      id: "queue",
      label: l10n.t("Queue"),
      description: queueWords(status),
      tooltip: status.pause?.reason ?? "",
      icon: { codicon: paused ? "debug-pause" : "list-ordered" },
      expand: "expanded",
      contextValue: `${NODE_TRAITS.queue} ${NODE_TRAITS[paused ? "paused" : "going"]}`,
      children: () => shown.map((item) => itemRow(item, status)),
      basis: [status.pause, ...shown],
    }),
  ];
}

/** A row for each queue that did not finish, with what is left of it. */
export function keptQueueRows(queues: readonly UnfinishedQueue[]): TreeNode[] {
  return queues.map((found) => {
    const { file, queue } = found;
    const { left, all } = unfinishedCount(found);
    return node({
      id: `queue:${file}`,
      label: l10n.t("Interrupted queue"),
      description: l10n.t("{0} of {1} left", left, runCount(all)),
      tooltip: file,
      icon: { codicon: "debug-pause" },
      contextValue: NODE_TRAITS.keptQueue,
      target: { kind: "keptQueue", file },
      basis: [found],
      children: () => queue.items.filter(isUnfinished).map((item) => keptItemRow(file, item)),
    });
  });
}

function keptItemRow(file: string, { id, state, reason }: StoredItem): TreeNode {
  const [problem = "", ...rest] = id.split("/");
  const agent = rest.slice(0, -1).join("/");
  const isFailed = state === "failed";
  const words = isFailed ? l10n.t("failed: {0}", reason ?? "") : keptWords(state);
  return node({
    id: `queue:${file}/${id}`,
    label: `${problem} · ${agent}`,
    description: words,
    tooltip: reason ?? "",
    icon: isFailed ? ICONS.trouble : ICONS.queued,
    contextValue: isFailed ? NODE_TRAITS.failedItem : "",
    target: { kind: "queueItem", id, reason },
  });
}

function keptWords(state: StoredItem["state"]): string {
  return state === "waiting" ? l10n.t("not begun") : l10n.t("interrupted");
}

function shownItems(items: readonly ItemStatus[]): ItemStatus[] {
  const of = (state: ItemStatus["state"]): ItemStatus[] => items.filter((item) => item.state === state);
  return [...of("running"), ...of("waiting"), ...of("failed")];
}

/** `2 running · 3 waiting · 1 of 6 done`, with `paused` in front. */
export function queueWords({ items, pause }: QueueStatus): string {
  const { running, waiting, over, items: all } = countQueue(items);
  return [
    ...(pause === undefined || over === all ? [] : [pausedWords(pause)]),
    ...(running === 0 ? [] : [l10n.t("{0} running", running)]),
    ...(waiting === 0 ? [] : [l10n.t("{0} waiting", waiting)]),
    l10n.t("{0} of {1} done", over, all),
  ].join(" · ");
}

function pausedWords({ by, reason }: QueuePause): string {
  return by === "user" ? l10n.t("paused") : l10n.t("paused: {0}", reason);
}

function itemRow(status: ItemStatus, queue: QueueStatus): TreeNode {
  const { item, reason } = status;
  return node({
    id: `queue/${item.id}`,
    label: itemLabel(item),
    description: itemWords(status, queue),
    tooltip: reason ?? "",
    icon: itemIcon(status),
    contextValue: itemTrait(status),
    target: { kind: "queueItem", id: item.id, reason },
    basis: [status, queue.pause],
  });
}

function itemTrait(status: ItemStatus): string {
  if (status.state === "failed") return NODE_TRAITS.failedItem;
  return isOver(status) ? "" : NODE_TRAITS.queueItem;
}

function itemIcon({ state, turn, progress }: ItemStatus): NodeIcon {
  if (state === "failed") return ICONS.trouble;
  if (state === "waiting") return ICONS.queued;
  // Between two turns a running item may be held by a pause.
  return turn !== undefined && progress === undefined ? { codicon: "debug-pause" } : ICONS.running;
}

function itemWords(status: ItemStatus, { pause }: QueueStatus): string {
  const { state, reason, turn, progress, preparing } = status;
  if (state === "failed") return l10n.t("failed: {0}", reason ?? "");
  if (state === "waiting") return reason === undefined ? l10n.t("waiting") : l10n.t("waiting: {0}", reason);
  if (turn === undefined) return preparing ?? phaseWords("preparing");
  const where = checkpointLabel(turn.checkpoint);
  if (progress === undefined)
    return pause === undefined ? l10n.t("{0} done", where) : l10n.t("paused after {0}", where);
  const detail =
    progress.phase === "testing" ? testProgressWords(turn, progress) : phaseWords(progress.phase);
  return l10n.t("{0}: {1}", where, detail);
}
