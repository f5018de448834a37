import type { Turn } from "../core/model/turn.js";
import { pauseWords, type ItemStatus, type QueueStatus } from "../core/queue/item.js";
import { countQueue, remainingSeconds } from "../core/queue/estimate.js";
import { itemLabel } from "../core/queue/queue-plan.js";
import { clock, duration } from "../core/report/format.js";
import { phaseWords } from "../core/report/phase-words.js";
import type { CliIo } from "./io.js";
import { finishedText, progressText } from "./progress.js";

const REDRAW_MS = 200;
const MOST_LINES = 16;

/**
 * Some lines on standard error that are rewritten in place: one for each trajectory that runs, and one for the whole.
 * Where nobody watches, a plain line for each checkpoint and each trajectory that ended, or nothing when `quiet`.
 */
export class QueueProgress {
  private drawnAt = 0;
  private drawn = 0;
  private readonly startedAt = performance.now();
  /** Checkpoints that were done before this process began say nothing about how fast it is. */
  private takenBefore: number | undefined;

  constructor(
    private readonly io: CliIo,
    private readonly quiet: boolean,
  ) {}

  /** Shows where the queue stands; `changed` is the item that moved, if it was one. */
  show(status: QueueStatus, changed: ItemStatus | undefined): void {
    this.takenBefore ??= countQueue(status.items).checkpointsTaken;
    if (!this.io.isTerminal) this.tell(changed);
    else this.draw(status);
  }

  /** Takes the lines away, before anything else is printed and at the end. */
  clear(): void {
    if (this.drawn > 0) this.io.err(`\u001b[${this.drawn}A\u001b[J`);
    this.drawn = 0;
    this.drawnAt = 0;
  }

  /** A checkpoint of an item that is done. */
  turnFinished(label: string, turn: Turn, seconds: number | undefined): void {
    if (!this.io.isTerminal && !this.quiet) this.io.err(`${label}: ${finishedText(turn, seconds)}\n`);
  }

  private tell(changed: ItemStatus | undefined): void {
    if (changed === undefined || this.quiet || changed.state === "running") return;
    const { item, state, reason } = changed;
    if (state === "waiting" && reason === undefined) return;
    // Why something failed stands below the table; why it waits is told nowhere else.
    const words = state === "waiting" ? `waits again: ${reason ?? ""}` : state;
    this.io.err(`${itemLabel(item)}: ${words}\n`);
  }

  private draw(status: QueueStatus): void {
    const now = performance.now();
    if (now - this.drawnAt < REDRAW_MS) return;
    const lines = this.lines(status, (now - this.startedAt) / 1000);
    this.clear();
    this.drawnAt = now;
    this.drawn = lines.length;
    const width = Math.max(20, this.io.columns - 1);
    this.io.err(lines.map((line) => `${line.slice(0, width)}\n`).join(""));
  }

  private lines(status: QueueStatus, seconds: number): string[] {
    const running = status.items.filter(({ state }) => state === "running");
    const shown = running.slice(0, MOST_LINES).map(itemText);
    const more = running.length > MOST_LINES ? [`and ${running.length - MOST_LINES} more`] : [];
    return [...shown, ...more, totalText(status, seconds, this.takenBefore ?? 0)];
  }
}

/** For example `reference: shelf, checkpoint_2: running hidden tests, 14 of 29`. */
function itemText({ item, turn, progress, preparing }: ItemStatus): string {
  const who = item.attempts === 1 ? item.agent : `${item.agent} ${item.attempt} of ${item.attempts}`;
  if (turn !== undefined && progress !== undefined) return `${who}: ${progressText(turn, progress)}`;
  if (turn !== undefined) return `${who}: ${item.problem}, ${finishedText(turn)}`;
  const detail = preparing === undefined ? "" : `, ${preparing}`;
  return `${who}: ${item.problem}, ${phaseWords("preparing")}${detail}`;
}

/** For example `3 of 8 done · 2 running · 3 waiting · 7 of 24 checkpoints · 1:42 · about 3 min left`. */
export function totalText(status: QueueStatus, seconds: number, takenBefore: number): string {
  const count = countQueue(status.items);
  const left = count.checkpoints - count.checkpointsDone;
  const remaining = remainingSeconds(count.checkpointsTaken - takenBefore, left, seconds);
  const pause = status.pause === undefined ? [] : [pauseWords(status.pause)];
  return [
    `${count.over} of ${count.items} done`,
    `${count.running} running`,
    `${count.waiting} waiting`,
    `${count.checkpointsDone} of ${count.checkpoints} checkpoints`,
    clock(seconds),
    ...(remaining === undefined || left === 0 ? [] : [`about ${duration(remaining)} left`]),
    ...pause,
  ].join(" · ");
}
