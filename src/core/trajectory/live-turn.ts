import type { EvaluationListener } from "../evaluation/evaluation.js";
import type { GroupCounts, TestIdentity, TestOutcome } from "../model/outcome.js";
import { coarse } from "../store/counts.js";
import type { Turn, TurnPhase, TurnProgress } from "../model/turn.js";

type Emit = (turn: Turn, progress: TurnProgress) => void;

/** A turn in progress: takes in what happens and tells it on as whole, immutable states. */
export class LiveTurn implements EvaluationListener {
  private progress: TurnProgress = {
    phase: "preparing",
    detail: undefined,
    queued: [],
    running: undefined,
  };

  constructor(
    private turn: Turn,
    private readonly emit: Emit,
  ) {}

  get current(): Turn {
    return this.turn;
  }

  enter(phase: TurnPhase): void {
    this.tell({ phase, detail: undefined, queued: [], running: undefined });
  }

  /** Replaces parts of the turn; told with the next step. */
  update(part: Partial<Turn>): void {
    this.turn = { ...this.turn, ...part };
  }

  onPreparing(detail: string): void {
    this.tell({ ...this.progress, detail });
  }

  onCollected(queued: readonly TestIdentity[]): void {
    this.tell({ ...this.progress, detail: undefined, queued });
  }

  onStarted(running: TestIdentity): void {
    this.tell({
      ...this.progress,
      running,
      queued: this.progress.queued.filter((test) => !isSame(test, running)),
    });
  }

  onFinished(outcome: TestOutcome): void {
    this.turn = {
      ...this.turn,
      outcomes: [...this.turn.outcomes, outcome],
      counts: withOutcome(this.turn.counts, outcome),
    };
    this.tell({
      ...this.progress,
      running: undefined,
      queued: this.progress.queued.filter((test) => !isSame(test, outcome)),
    });
  }

  private tell(progress: TurnProgress): void {
    this.progress = progress;
    this.emit(this.turn, progress);
  }
}

function isSame(a: TestIdentity, b: TestIdentity): boolean {
  return a.id === b.id && a.checkpoint === b.checkpoint;
}

function withOutcome(counts: GroupCounts, { group, status }: TestOutcome): GroupCounts {
  const key = coarse(status);
  const count = counts[group];
  return { ...counts, [group]: { ...count, [key]: count[key] + 1 } };
}
