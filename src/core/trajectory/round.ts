import type { Attempts } from "../model/policy.js";
import { GROUPS } from "../model/problem.js";
import { SlopLensError } from "../model/errors.js";
import { throwIfAborted } from "../sandbox/deadline.js";
import { type Beginning, fromTurn } from "./beginning.js";
import { meetsPolicy } from "./policy.js";
import type { Step } from "./preparation.js";
import { lostWords } from "./lost-words.js";
import { costReason } from "./stop.js";
import { takenBefore, takeTurn, type TakenTurn, type TurnContext } from "./turn.js";

type Roundwise = Extract<Attempts, { kind: "roundwise" }>;

/**
 * Roundwise attempts: several tries at a checkpoint from each parent, of which the best that meet the pass policy are
 * the parents of the next round. Tries that were finished before the run was interrupted are not taken again.
 */
export class Rounds {
  /** Tries of each checkpoint by number. Where they lie changes, so a folder is looked up when it is needed. */
  private readonly tries = new Map<string, Map<number, TakenTurn>>();
  private readonly chosen = new Map<string, number>();
  private beam: readonly TakenTurn[] = [];

  constructor(
    private readonly context: TurnContext,
    private readonly attempts: Roundwise,
    /** What all tries cost so far, in US dollars. */
    private readonly spent: () => number,
    private readonly onTry: (taken: TakenTurn) => void,
  ) {}

  /**
   * Takes the tries of a checkpoint and puts the best in its place.
   * @param first what the first round, or every one, begins from
   * @returns the best try; it meets the pass policy when any does
   */
  async take(step: Step, first: Beginning, always: boolean): Promise<TakenTurn> {
    const { name } = step.checkpoint;
    const parents = always || this.beam.length === 0 ? [first] : this.beam.map((one) => this.from(one));
    const round = await this.readFinished(name);
    this.tries.set(name, round);
    const trouble = await this.takeMissing(step, parents, round);
    if (trouble !== undefined) return trouble;
    const ranked = [...round.values()].sort(byOutcome);
    const winners = ranked.filter((one) => this.succeeded(one));
    this.beam = winners.slice(0, this.attempts.beam);
    const best = this.beam[0] ?? ranked[0];
    if (best === undefined) throw new SlopLensError("internal", `No try of ${name} was taken`);
    await this.publish(best);
    return this.placed(best);
  }

  /** The chosen try of each checkpoint, where it lies now. */
  get path(): TakenTurn[] {
    return [...this.chosen].flatMap(([checkpoint, index]) => {
      const taken = this.tries.get(checkpoint)?.get(index);
      return taken === undefined ? [] : [this.placed(taken)];
    });
  }

  /** @returns the turn that met trouble of the machinery, after which nothing more is taken */
  private async takeMissing(
    step: Step,
    parents: readonly Beginning[],
    round: Map<number, TakenTurn>,
  ): Promise<TakenTurn | undefined> {
    const { recorder, request, signal } = this.context;
    const of = parents.length * this.attempts.count;
    for (let index = 1; index <= of; index += 1) {
      const parent = parents[Math.floor((index - 1) / this.attempts.count)];
      if (round.has(index) || parent === undefined) continue;
      if (round.size > 0 && costReason(request, this.spent()) !== undefined) return undefined;
      throwIfAborted(signal);
      const taken = await takeTurn(this.context, step, parent, { index, of });
      this.onTry(taken);
      if (taken.trouble !== undefined) return taken;
      round.set(index, taken);
      await recorder.candidates.park(step.checkpoint.name);
    }
    return undefined;
  }

  private async readFinished(checkpoint: string): Promise<Map<number, TakenTurn>> {
    const round = new Map<number, TakenTurn>();
    await this.setLostAside(checkpoint);
    for (const turn of await this.context.recorder.candidates.read(checkpoint)) {
      const index = turn.candidate?.index;
      if (index === undefined) continue;
      if (turn.verdict === "infrastructure") {
        await this.context.recorder.candidates.discard(turn);
        continue;
      }
      round.set(index, takenBefore(turn));
    }
    return round;
  }

  /** Frees the numbers of tries whose records cannot be read, so that they are taken anew before one is chosen. */
  private async setLostAside(checkpoint: string): Promise<void> {
    const { recorder, warn } = this.context;
    const lost = await recorder.candidates.lost(checkpoint);
    if (lost.length > 0) warn(`${checkpoint}: ${lostWords(lost)}`);
    for (const one of lost) await recorder.candidates.discard(one);
  }

  private succeeded({ turn }: TakenTurn): boolean {
    const isJudged = turn.verdict === "passed" || turn.verdict === "failed";
    return isJudged && meetsPolicy(this.context.request.policy.pass, turn.counts);
  }

  /** Puts a try and those that it descends from in the places of their checkpoints. */
  private async publish(best: TakenTurn): Promise<void> {
    for (let taken: TakenTurn | undefined = best; taken !== undefined; taken = this.parentOf(taken)) {
      const { checkpoint, candidate } = taken.turn;
      const index = candidate?.index ?? 1;
      await this.context.recorder.choose(checkpoint, index);
      this.chosen.set(checkpoint, index);
    }
  }

  private parentOf({ turn: { parent, parentIn } }: TakenTurn): TakenTurn | undefined {
    if (parent === null || parentIn !== undefined) return undefined;
    const [id = "", index] = parent.split("#");
    return this.tries.get(id.split("/")[1] ?? "")?.get(Number(index));
  }

  private from(taken: TakenTurn): Beginning {
    const placed = this.placed(taken);
    return fromTurn(placed.turn, placed.snapshot);
  }

  private placed(taken: TakenTurn): TakenTurn {
    const { checkpoint, candidate } = taken.turn;
    const { candidates } = this.context.recorder;
    const index = candidate?.index ?? 1;
    const isChosen = this.chosen.get(checkpoint) === index;
    const folder = isChosen ? candidates.chosenFolder(checkpoint) : candidates.placeOf(checkpoint, index);
    return { ...takenBefore({ ...taken.turn, folder }), trouble: taken.trouble };
  }
}

/** More passed tests come first, then earlier tries; a try that could not be judged comes last. */
function byOutcome(left: TakenTurn, right: TakenTurn): number {
  const first = passed(right) - passed(left);
  return first === 0 ? (left.turn.candidate?.index ?? 0) - (right.turn.candidate?.index ?? 0) : first;
}

function passed({ turn }: TakenTurn): number {
  if (turn.verdict !== "passed" && turn.verdict !== "failed") return -1;
  return GROUPS.reduce((sum, group) => sum + turn.counts[group].passed, 0);
}
