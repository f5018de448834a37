import type { Run, RunEvent, RunListener } from "../core/model/run.js";
import type { GroupCount } from "../core/model/outcome.js";
import { GROUPS } from "../core/model/problem.js";
import type { Turn, TurnPhase, TurnProgress } from "../core/model/turn.js";
import { clock, duration } from "../core/report/format.js";
import { phaseWords } from "../core/report/phase-words.js";
import type { CliIo } from "./io.js";

const REDRAW_MS = 100;
const ERASE_LINE = "\r\u001b[2K";

/**
 * One line on standard error that tells what a run does, rewritten in place. Where nobody watches, in a log for example,
 * a plain line for each phase that begins and each checkpoint that ends instead, or nothing when `quiet`.
 * `clear` removes the line, before anything else is printed and at the end.
 */
export class ProgressLine {
  private drawnAt = 0;
  private readonly startedAt = performance.now();
  private isDrawn = false;
  private isStarted = false;
  private told = "";
  /** `attempt 2 of 3, ` in front of what belongs to one of several attempts. */
  private attempt = "";

  constructor(
    private readonly io: CliIo,
    private readonly quiet: boolean,
  ) {}

  readonly listen: RunListener = (event: RunEvent) => {
    if (event.type === "run-started") this.begin(event.run);
    if (event.type === "log" && event.level === "info" && !this.isStarted) {
      this.draw(`${phaseWords("preparing")}, ${event.message.trim()}`);
      this.tell(`${phaseWords("preparing")}, ${event.message.trim()}`);
    }
    if (event.type === "turn-progress") {
      this.draw(`${this.attempt}${progressText(event.turn, event.progress)}`);
      if (TOLD_PHASES.includes(event.progress.phase)) this.tell(phaseText(event.turn, event.progress));
    }
    if (event.type === "turn-finished" || event.type === "run-finished") this.clear();
    if (event.type === "turn-finished") this.tellFinished(event.turn, event.seconds);
  };

  clear(): void {
    if (this.isDrawn) this.io.err(ERASE_LINE);
    this.isDrawn = false;
    this.drawnAt = 0;
  }

  private begin({ attempt }: Run): void {
    this.isStarted = true;
    const isOneOfMany = attempt !== undefined && attempt.of > 1;
    this.attempt = isOneOfMany ? `attempt ${attempt.index} of ${attempt.of}, ` : "";
  }

  private tellFinished(turn: Turn, seconds: number | undefined): void {
    if (!this.io.isTerminal && !this.quiet) this.io.err(`${this.attempt}${finishedText(turn, seconds)}\n`);
  }

  /** A line of its own, once: a share done that changes is no news in a log. */
  private tell(text: string): void {
    const news = text.replaceAll(/\d+ %.*/gu, "");
    if (this.io.isTerminal || this.quiet || news === this.told) return;
    this.told = news;
    this.io.err(`${this.attempt}${news.trim()}\n`);
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

/** Those that take their time. */
const TOLD_PHASES: readonly TurnPhase[] = ["preparing", "agent", "testing"];

/** For example `shelf, checkpoint_2: running hidden tests`. */
function phaseText(turn: Turn, { phase, detail }: TurnProgress): string {
  const more = phase === "preparing" && detail !== undefined ? `, ${detail.trim()}` : "";
  return `${turn.problem}, ${placeText(turn)}: ${phaseWords(phase)}${more}`;
}

/** The checkpoint, and of a round which try: `checkpoint_3, try 2 of 4`. */
function placeText({ checkpoint, candidate }: Turn): string {
  return candidate === undefined ? checkpoint : `${checkpoint}, try ${candidate.index} of ${candidate.of}`;
}

/**
 * For example `checkpoint_3: failed, 57 of 62 tests, 1 skipped, 14 s`.
 * @param seconds what was done now took; a turn's own times tell of its first beginning, which may be long ago
 */
export function finishedText(turn: Turn, seconds?: number): string {
  const sumOf = (key: keyof GroupCount): number =>
    GROUPS.reduce((sum, group) => sum + turn.counts[group][key], 0);
  const [passed, failed, skipped] = [sumOf("passed"), sumOf("failed"), sumOf("skipped")];
  const parts = [
    turn.verdict ?? "in progress",
    ...(passed + failed === 0 ? [] : [`${passed} of ${passed + failed} tests`]),
    ...(skipped === 0 ? [] : [`${skipped} skipped`]),
    ...(seconds === undefined ? [] : [duration(seconds)]),
  ];
  return `${placeText(turn)}: ${parts.join(", ")}`;
}

/** For example `shelf, checkpoint_2: running hidden tests, 14 of 29 (2 failed)`. */
export function progressText(turn: Turn, progress: TurnProgress): string {
  const head = `${turn.problem}, ${placeText(turn)}: ${phaseWords(progress.phase)}`;
  if (progress.detail !== undefined) return `${head}, ${progress.detail.trim()}`;
  if (progress.phase !== "testing" || turn.outcomes.length + progress.queued.length === 0) return head;
  const failed = GROUPS.reduce((sum, group) => sum + turn.counts[group].failed, 0);
  const total = turn.outcomes.length + progress.queued.length;
  const trouble = failed === 0 ? "" : ` (${failed} failed)`;
  return `${head}, ${turn.outcomes.length} of ${total}${trouble}`;
}
