import type { RunEvent, RunListener } from "../core/model/run.js";
import { GROUPS } from "../core/model/problem.js";
import type { Turn, TurnProgress } from "../core/model/turn.js";
import { clock, duration } from "../core/report/format.js";
import { phaseWords } from "../core/report/phase-words.js";
import type { CliIo } from "./io.js";

const REDRAW_MS = 100;
const ERASE_LINE = "\r\u001b[2K";

/**
 * One line on standard error that tells what a run does, rewritten in place. Where nobody watches, in a log for example,
 * a plain line a finished checkpoint instead, or nothing when `quiet`.
 * `clear` removes the line, before anything else is printed and at the end.
 */
export class ProgressLine {
  private drawnAt = 0;
  private readonly startedAt = performance.now();
  private isDrawn = false;
  private isStarted = false;

  constructor(
    private readonly io: CliIo,
    private readonly quiet: boolean,
  ) {}

  readonly listen: RunListener = (event: RunEvent) => {
    if (event.type === "run-started") this.isStarted = true;
    if (event.type === "log" && event.level === "info" && !this.isStarted) {
      this.draw(`${phaseWords("preparing")}, ${event.message.trim()}`);
    }
    if (event.type === "turn-progress") this.draw(progressText(event.turn, event.progress));
    if (event.type === "turn-finished" || event.type === "run-finished") this.clear();
    if (event.type === "turn-finished") this.tellFinished(event.turn);
  };

  clear(): void {
    if (this.isDrawn) this.io.err(ERASE_LINE);
    this.isDrawn = false;
    this.drawnAt = 0;
  }

  private tellFinished(turn: Turn): void {
    if (!this.io.isTerminal && !this.quiet) this.io.err(`${finishedText(turn)}\n`);
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

/** For example `checkpoint_3: failed, 57 of 62 tests, 14 s`. */
export function finishedText(turn: Turn): string {
  const passed = GROUPS.reduce((sum, group) => sum + turn.counts[group].passed, 0);
  const total = GROUPS.reduce((sum, group) => sum + turn.counts[group].failed, passed);
  const tests = total === 0 ? [] : [`${passed} of ${total} tests`];
  const seconds = wallSeconds(turn);
  const time = seconds === undefined ? [] : [duration(seconds)];
  return `${turn.checkpoint}: ${[turn.verdict ?? "in progress", ...tests, ...time].join(", ")}`;
}

/** From begin to end of the turn; for tests that were run outside of a run, how long they took. */
function wallSeconds({ startedAt, finishedAt, usage }: Turn): number | undefined {
  if (startedAt === undefined || finishedAt === undefined) return usage.testSeconds;
  return (Date.parse(finishedAt) - Date.parse(startedAt)) / 1000;
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
