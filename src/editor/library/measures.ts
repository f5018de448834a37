import { stat } from "node:fs/promises";
import type { Analyzer, RuleChoice } from "../../core/analysis/analysis.js";
import { toTurnQuality } from "../../core/analysis/turn-quality.js";
import { SlopLensError } from "../../core/model/errors.js";
import type { Profile } from "../../core/model/quality.js";
import type { Turn, TurnQuality } from "../../core/model/turn.js";
import { isFinished, measureKey } from "./state.js";
import { snapshotFolder } from "./turn-files.js";

/** What measuring needs of its surroundings. */
export interface MeasureServices {
  /** Starts the analysis when it is first asked for. */
  readonly analyzer: () => Promise<Pick<Analyzer, "analyzePaths">>;
  /** The profile for what lies in a folder. */
  readonly profile: (folder: string) => Profile;
  /** The rules for what lies in a folder. */
  readonly rules: (folder: string) => RuleChoice;
  /** Takes what was measured, or undefined for a turn that cannot be. */
  readonly keep: (turn: Turn, quality: TurnQuality | undefined) => void;
  /** Takes an error that nobody waits for. */
  readonly note: (error: unknown, where: string) => void;
}

interface Wanted {
  readonly turn: Turn;
  readonly signal: AbortSignal;
}

/**
 * Measures snapshots that their run did not measure, as those of SCB's own runner: in the background, one at a time,
 * when somebody looks at their turns.
 */
export class Measures {
  private readonly end = new AbortController();
  /** Turns that wait, are being measured, are measured, or cannot be. */
  private readonly asked = new Set<string>();
  private waiting: Wanted[] = [];
  private working: Promise<void> | undefined;

  constructor(private readonly services: MeasureServices) {}

  /**
   * Asks for turns to be measured; those that are already, or have been asked for, are passed over. What is asked last
   * comes first, because it is what the user looks at.
   * @param signal gives up on these turns; they may be asked for again
   */
  ask(turns: readonly Turn[], signal: AbortSignal = this.end.signal): void {
    const wanted = turns.filter(
      (turn) => turn.quality === undefined && isFinished(turn) && !this.asked.has(measureKey(turn)),
    );
    for (const turn of wanted) this.asked.add(measureKey(turn));
    this.waiting = [...wanted.map((turn) => ({ turn, signal })), ...this.waiting];
    if (this.waiting.length > 0) this.working ??= this.work();
  }

  /** Whether something is being measured or waits to be. */
  get isBusy(): boolean {
    return this.working !== undefined;
  }

  /** Resolves when nothing waits any more. */
  async settled(): Promise<void> {
    await this.working;
  }

  dispose(): void {
    this.end.abort();
  }

  private async work(): Promise<void> {
    for (let next = this.waiting.shift(); next !== undefined; next = this.waiting.shift()) {
      await this.measure(next);
    }
    this.working = undefined;
  }

  private async measure({ turn, signal }: Wanted): Promise<void> {
    const either = AbortSignal.any([signal, this.end.signal]);
    try {
      const quality = either.aborted ? undefined : await this.qualityOf(turn, either);
      if (either.aborted) this.asked.delete(measureKey(turn));
      else this.services.keep(turn, quality);
    } catch (error) {
      if (either.aborted) this.asked.delete(measureKey(turn));
      else {
        this.services.keep(turn, undefined);
        // A snapshot without any file that can be measured is no trouble.
        if (!SlopLensError.is(error, "bad-input"))
          this.services.note(error, `Measuring ${snapshotFolder(turn)}`);
      }
    }
  }

  private async qualityOf(turn: Turn, signal: AbortSignal): Promise<TurnQuality | undefined> {
    const snapshot = snapshotFolder(turn);
    const found = await stat(snapshot).catch(() => undefined);
    if (found?.isDirectory() !== true) return undefined;
    const analyzer = await this.services.analyzer();
    const options = { profile: this.services.profile(snapshot), rules: this.services.rules(snapshot) };
    return toTurnQuality(await analyzer.analyzePaths([snapshot], options, signal));
  }
}
