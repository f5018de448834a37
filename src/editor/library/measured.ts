/** What was measured here of turns that their runs did not measure, laid into them. Pure. */
import type { ProblemRun, Run } from "../../core/model/run.js";
import type { Turn, TurnQuality } from "../../core/model/turn.js";
import { hasSnapshot, isFinished, measureKey } from "./state.js";

/** By `measureKey`; undefined for a turn that cannot be measured, as one whose snapshot is gone. */
export type Measured = ReadonlyMap<string, TurnQuality | undefined>;

/** How many of a part's turns that can have figures have those of their snapshots. */
export interface MeasureCount {
  readonly done: number;
  readonly all: number;
}

/**
 * A run with what was measured here. Figures that a run recorded are those of another tool: where a part has such, ours
 * take their place when all of them are there, so that no two figures of it are ever of different tools.
 * @returns the same object when there is nothing to add
 */
export function withMeasures(run: Run, measured: Measured): Run {
  const problems = run.problems.map((part) => partWith(part, measured));
  return problems.every((part, index) => part === run.problems[index]) ? run : { ...run, problems };
}

function partWith(part: ProblemRun, measured: Measured): ProblemRun {
  const isRecorded = part.turns.some(({ recorded }) => recorded !== undefined);
  const { done, all } = countMeasured(part, measured);
  if (isRecorded && done < all) return part;
  const turns = part.turns.map((turn) => turnWith(turn, measured));
  return turns.every((turn, index) => turn === part.turns[index]) ? part : { ...part, turns };
}

function turnWith(turn: Turn, measured: Measured): Turn {
  if (turn.quality !== undefined || !measured.has(measureKey(turn))) return turn;
  const quality = measured.get(measureKey(turn));
  if (quality !== undefined) return { ...turn, quality };
  return turn.recorded === undefined ? turn : { ...turn, recorded: undefined };
}

function countMeasured({ turns }: ProblemRun, measured: Measured): MeasureCount {
  const wanted = turns.filter((turn) => isFinished(turn) && hasSnapshot(turn));
  const done = wanted.filter((turn) => turn.quality !== undefined || measured.has(measureKey(turn)));
  return { done: done.length, all: wanted.length };
}

/** Parts of runs that are measured in part, by their folders. What a run in progress lacks it will measure itself. */
export function measuringOf(runs: readonly Run[], measured: Measured): ReadonlyMap<string, MeasureCount> {
  const ended = runs.filter(({ state }) => state !== "running").flatMap(({ problems }) => problems);
  const counts = ended.map((part) => [part.folder, countMeasured(part, measured)] as const);
  return new Map(counts.filter(([, { done, all }]) => done > 0 && done < all));
}
