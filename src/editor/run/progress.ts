/** What a run in progress tells in the notification and the status bar. */
import { l10n } from "vscode";
import { clock } from "../../core/report/format.js";
import { phaseWords } from "../../core/report/phase-words.js";
import type { Run, RunEvent } from "../../core/model/run.js";
import type { Turn, TurnPhase, TurnProgress } from "../../core/model/turn.js";
import { attemptWords } from "../../core/report/policy-words.js";
import { countOutcomes, tryWords } from "../words.js";

/** Where a run stands. */
export interface RunStanding {
  readonly problem: string;
  /** 1-based, and of how many. */
  readonly checkpoint: number;
  readonly checkpoints: number;
  readonly turn: Turn | undefined;
  readonly progress: TurnProgress | undefined;
  readonly isolated: boolean;
  /** Which of several attempts it is, in words; empty for one that stands alone. */
  readonly attempt: string;
  /** Before the first turn: what is being made ready, for example the image that is pulled. */
  readonly preparing: string | undefined;
}

/** Follows a run by its events. */
export class RunFollower {
  private run: Run | undefined;
  private turn: Turn | undefined;
  private progress: TurnProgress | undefined;
  private preparing: string | undefined;

  constructor(
    private readonly problem: string,
    private readonly checkpoints: number,
    /** Whether it is going to run in a sandbox of its own; its record tells how it was. */
    private readonly isolated = true,
  ) {}

  /** Takes in one event. */
  hear(event: RunEvent): void {
    if (event.type === "log" && event.level === "info" && this.run === undefined)
      this.preparing = event.message;
    if (event.type === "run-started" || event.type === "run-finished") this.run = event.run;
    if (event.type === "turn-progress") {
      this.turn = event.turn;
      this.progress = event.progress;
    }
    if (event.type === "turn-finished") {
      this.turn = event.turn;
      this.progress = undefined;
    }
  }

  /** Folder of the run once it has one. */
  get folder(): string | undefined {
    return this.run?.folder;
  }

  get standing(): RunStanding {
    return {
      problem: this.problem,
      checkpoint: this.turn?.order ?? 1,
      checkpoints: this.checkpoints,
      turn: this.turn,
      progress: this.progress,
      isolated: this.run === undefined ? this.isolated : this.run.isolation !== "local",
      attempt: attemptWords(this.run?.attempt),
      preparing: this.preparing,
    };
  }
}

/** `shelf, checkpoint 2 of 3: running hidden tests, 14 of 29 (2 failed), 1:42`. */
export function notificationText(standing: RunStanding, seconds: number): string {
  const { problem, checkpoint, checkpoints, isolated, attempt, turn } = standing;
  const local = isolated ? "" : ` (${l10n.t("local, not isolated")})`;
  const place = [
    problem,
    attempt,
    l10n.t("checkpoint {0} of {1}", checkpoint, checkpoints),
    tryWords(turn?.candidate),
  ];
  const where = place.filter((part) => part !== "").join(", ");
  return l10n.t("{0}: {1}, {2}", `${where}${local}`, doing(standing), clock(seconds));
}

function doing({ turn, progress, preparing }: RunStanding): string {
  if (turn === undefined) return withDetail("preparing", preparing);
  if (progress === undefined) return l10n.t("next checkpoint");
  if (progress.phase !== "testing") return withDetail(progress.phase, progress.detail);
  const tests = testCount(turn, progress);
  const { failed } = countOutcomes(turn.outcomes);
  if (tests === undefined) return phaseWords("testing");
  return failed > 0
    ? l10n.t("running hidden tests, {0} of {1} ({2} failed)", tests.done, tests.total, failed)
    : l10n.t("running hidden tests, {0} of {1}", tests.done, tests.total);
}

function withDetail(phase: TurnPhase, detail: string | undefined): string {
  return detail === undefined ? phaseWords(phase) : `${phaseWords(phase)}, ${detail}`;
}

const PHASE_FRACTION: Readonly<Record<TurnPhase, number>> = {
  preparing: 0.05,
  agent: 0.1,
  snapshot: 0.5,
  testing: 0.55,
  measuring: 0.95,
};

/** Roughly how much of a run is done, 0 to 1; a checkpoint counts as one part whatever it takes. */
export function runFraction({ checkpoint, checkpoints, turn, progress }: RunStanding): number {
  if (turn === undefined) return 0;
  if (progress === undefined) return checkpoint / checkpoints;
  const tests = testCount(turn, progress);
  const within = tests === undefined ? 0 : (0.4 * tests.done) / tests.total;
  return (checkpoint - 1 + PHASE_FRACTION[progress.phase] + within) / checkpoints;
}

/** `$(loading~spin) shelf 2/3 · 14/29 tests · 1:42`. */
export function statusBarText(standing: RunStanding, seconds: number): string {
  const { problem, checkpoint, checkpoints, turn, progress } = standing;
  const tests = turn === undefined || progress === undefined ? undefined : testCount(turn, progress);
  const parts = [
    `${problem} ${checkpoint}/${checkpoints}`,
    ...(tests === undefined ? [] : [l10n.t("{0}/{1} tests", tests.done, tests.total)]),
    clock(seconds),
  ];
  return `$(loading~spin) ${parts.join(" · ")}`;
}

function testCount(turn: Turn, progress: TurnProgress): { done: number; total: number } | undefined {
  if (progress.phase !== "testing") return undefined;
  const done = turn.outcomes.length;
  const total = done + progress.queued.length + (progress.running === undefined ? 0 : 1);
  return total === 0 ? undefined : { done, total };
}

/**
 * What is said at the end of a run that did not go through; undefined when there is nothing to say.
 * @param runs its attempts, as far as they were begun
 */
export function endText(runs: readonly Run[]): string | undefined {
  const texts = runs.map(attemptEnd);
  const index = texts.findIndex((text) => text !== undefined);
  const [text, run] = [texts[index], runs[index]];
  if (runs.length <= 1 || text === undefined || run === undefined) return text;
  const last = runs.at(-1);
  const number = ({ attempt }: Run, otherwise: number): number => attempt?.index ?? otherwise + 1;
  if (last?.state === "cancelled")
    return l10n.t("Attempt {0}: {1}", number(last, runs.length - 1), attemptEnd(last) ?? "");
  const through = texts.filter((one) => one === undefined).length;
  const trouble = l10n.t("Attempt {0}: {1}", number(run, index), text);
  return `${l10n.t("{0} of {1} attempts went through.", through, runs.length)} ${trouble}`;
}

function attemptEnd(run: Run): string | undefined {
  const turns = run.problems.flatMap((part) => part.turns);
  if (run.state === "cancelled") {
    const done = turns.filter(({ verdict }) => verdict === "passed" || verdict === "failed").at(-1);
    return done === undefined
      ? l10n.t("Cancelled before checkpoint 1 was done. The run folder is readable.")
      : l10n.t("Cancelled after checkpoint {0}. The run folder is readable.", done.order);
  }
  const stopped = turns.find(({ verdict }) => verdict === "infrastructure");
  if (stopped !== undefined) {
    const why = stopped.reason ?? l10n.t("the machinery failed");
    return l10n.t("Checkpoint {0} stopped: {1}. Not scored.", stopped.order, why);
  }
  const erred = turns.find(({ verdict }) => verdict === "agent-error" || verdict === "agent-timeout");
  if (erred === undefined) return undefined;
  const why = erred.reason ?? l10n.t("the agent did not finish its turn");
  return l10n.t("Checkpoint {0}: {1}.", erred.order, why);
}
