import type { RunEvent, RunListener } from "../core/model/run.js";
import { GROUPS } from "../core/model/problem.js";
import type { Turn, TurnProgress } from "../core/model/turn.js";
import { clock } from "../core/report/format.js";
import { phaseWords } from "../core/report/phase-words.js";
import type { CliIo } from "./io.js";

const REDRAW_MS = 100;
const ERASE_LINE = "\r\u001b[2K";

/**
 * One line on standard error that tells what a run does, rewritten in place. Silent where nobody watches.
 * `clear` removes the line, before anything else is printed and at the end.
 */
export class ProgressLine {
  private drawnAt = 0;
  private readonly startedAt = performance.now();
  private isDrawn = false;
  private isStarted = false;

  constructor(private readonly io: CliIo) {}

  readonly listen: RunListener = (event: RunEvent) => {
    if (event.type === "run-started") this.isStarted = true;
    if (event.type === "log" && event.level === "info" && !this.isStarted) {
      this.draw(`${phaseWords("preparing")}, ${event.message.trim()}`);
    }
    if (event.type === "turn-progress") this.draw(progressText(event.turn, event.progress));
    if (event.type === "turn-finished" || event.type === "run-finished") this.clear();
  };

  clear(): void {
    if (this.isDrawn) this.io.err(ERASE_LINE);
    this.isDrawn = false;
    this.drawnAt = 0;
  }

  private draw(text: string): void {
    const now = performance.now();
    if (!this.io.isTerminal || now - this.drawnAt < REDRAW_MS) return;
    this.drawnAt = now;
    this.isDrawn = true;
    const line = `${text} · ${clock((now - this.startedAt) / 1000)}`;
    this.io.err(`${ERASE_LINE}${line.slice(0, Math.max(20, this.io.columns - 1))}`);
  }
}

/** For example `shelf, checkpoint_2: running hidden tests, 14 of 29 (2 failed)`. */
export function progressText(turn: Turn, progress: TurnProgress): string {
  const head = `${turn.problem}, ${turn.checkpoint}: ${phaseWords(progress.phase)}`;
  if (progress.detail !== undefined) return `${head}, ${progress.detail.trim()}`;
  if (progress.phase !== "testing" || turn.outcomes.length + progress.queued.length === 0) return head;
  const failed = GROUPS.reduce((sum, group) => sum + turn.counts[group].failed, 0);
  const total = turn.outcomes.length + progress.queued.length;
  const trouble = failed === 0 ? "" : ` (${failed} failed)`;
  return `${head}, ${turn.outcomes.length} of ${total}${trouble}`;
}
