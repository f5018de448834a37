import { pathBelow } from "../../core/model/paths.js";
import type { PackReading, Problem } from "../../core/model/problem.js";
import type { ProblemRun, Run } from "../../core/model/run.js";
import type { Turn, TurnProgress } from "../../core/model/turn.js";
import type { MeasureCount } from "./measured.js";
import { snapshotFolder } from "./turn-files.js";

/** All that the views of a window show, at one moment. */
export interface LibraryState {
  /** Sorted by name. */
  readonly packs: readonly PackReading[];
  /** Newest first. */
  readonly runs: readonly Run[];
  /** What live turns do, by `progressKey`. */
  readonly progress: ReadonlyMap<string, TurnProgress>;
  /** Parts of runs of which some turns are measured and some not yet, by their folders. */
  readonly measuring: ReadonlyMap<string, MeasureCount>;
  /** Turns whose snapshots were found to be edited after their run, by `measureKey`. */
  readonly edited: ReadonlySet<string>;
  /** Folder of the run that the user selected. */
  readonly selectedRun: string | undefined;
  /** Id of the turn of that run that the user selected. */
  readonly selectedTurn: string | undefined;
  /** What the Play view shows now; undefined while nothing is played. */
  readonly played: PlayedPlace | undefined;
  /** Groups whose rows must keep their places, by row id: the ids of their rows in order. */
  readonly frozen: ReadonlyMap<string, readonly string[]>;
}

/** A turn of a run. */
export interface PlayedPlace {
  /** Folder of the run. */
  readonly run: string;
  /** Id of the turn. */
  readonly turn: string;
}

export const EMPTY_STATE: LibraryState = {
  packs: [],
  runs: [],
  progress: new Map(),
  measuring: new Map(),
  edited: new Set(),
  selectedRun: undefined,
  selectedTurn: undefined,
  played: undefined,
  frozen: new Map(),
};

/** Names a turn among all runs. */
export function progressKey(runFolder: string, turnId: string): string {
  return `${runFolder}\n${turnId}`;
}

/** Names what was measured of a turn; a turn that was taken anew has another name. */
export function measureKey({ folder, finishedAt }: Turn): string {
  return `${folder}\n${finishedAt ?? ""}`;
}

/** Whether a turn's snapshot was found to be another one than the turn was judged by. */
export function isEdited({ edited }: LibraryState, turn: Turn | undefined): boolean {
  return turn !== undefined && edited.has(measureKey(turn));
}

/** A problem's part in a run. */
export interface RunPart {
  readonly run: Run;
  readonly part: ProblemRun;
}

/**
 * The run whose outcomes a problem shows: the selected one if it has the problem, else the newest that finished a turn
 * of it, else the newest that has it. Of packs with one name each has its own runs.
 */
export function shownRun(
  state: LibraryState,
  problem: Pick<Problem, "name" | "folder">,
): RunPart | undefined {
  const parts = runsOf(state, problem.name).filter(
    ({ run }) => (problemNamed(state, problem.name, run.folder) ?? problem).folder === problem.folder,
  );
  const selected = parts.find(({ run }) => run.folder === state.selectedRun);
  return selected ?? parts.find(({ part }) => part.turns.some(isFinished)) ?? parts[0];
}

/** Whether a turn was taken to its end, however that was. */
export function isFinished({ verdict }: Turn): boolean {
  return verdict !== undefined && verdict !== "not-reached" && verdict !== "skipped";
}

/** All runs of a problem, newest first. */
export function runsOf(state: LibraryState, problem: string): RunPart[] {
  return state.runs.flatMap((run) =>
    run.problems.filter((part) => part.problem === problem).map((part) => ({ run, part })),
  );
}

/**
 * The pack with this name, if it can be read.
 * @param near a run's folder: of several packs with the name, as the roots of a workspace may have, that one is meant
 * which shares the longest way with it
 */
export function problemNamed(state: LibraryState, name: string, near = ""): Problem | undefined {
  const named = state.packs.flatMap(({ problem }) => (problem?.name === name ? [problem] : []));
  const [first, ...others] = named;
  if (first === undefined) return undefined;
  return others.reduce(
    (best, other) => (sharedWay(other.folder, near) > sharedWay(best.folder, near) ? other : best),
    first,
  );
}

/** How many folders from the root on two paths have in common. */
function sharedWay(a: string, b: string): number {
  const [left, right] = [a, b].map((place) => place.split(/[\\/]/u));
  const apart = left?.findIndex((name, index) => name !== right?.[index]) ?? 0;
  return apart < 0 ? (left?.length ?? 0) : apart;
}

/** Whether the Play view shows this turn. */
export function isPlayed({ played }: LibraryState, run: Run | undefined, turn: Turn | undefined): boolean {
  return played !== undefined && played.run === run?.folder && played.turn === turn?.id;
}

/** What a view of a run depends on besides the run itself: what it does now, if it is in progress, and where it is played. */
export function liveBasis(
  { progress, frozen, edited, played }: LibraryState,
  run: Run | undefined,
): readonly unknown[] {
  const place = played?.run === run?.folder ? played : undefined;
  return [frozen, edited, run?.state === "running" ? progress : undefined, place];
}

/** The part of a run that a turn belongs to. */
export function partOf(run: Run | undefined, { problem }: Pick<Turn, "problem">): ProblemRun | undefined {
  return run?.problems.find((part) => part.problem === problem);
}

/** A turn whose snapshot holds a file, with the run that it belongs to. */
export interface FileTurn extends RunPart {
  readonly turn: Turn;
  /** POSIX path of the file below the snapshot, as reports have it. */
  readonly path: string;
}

/** @param file absolute path */
export function turnOfFile({ runs }: Pick<LibraryState, "runs">, file: string): FileTurn | undefined {
  for (const run of runs) {
    if (pathBelow(run.folder, file) === undefined) continue;
    for (const part of run.problems) {
      for (const turn of part.turns) {
        const below = pathBelow(snapshotFolder(turn), file) ?? "";
        if (below !== "") return { run, part, turn, path: below };
      }
    }
  }
  return undefined;
}

/** Whether a pack, a run or a checkpoint of a run lies in a folder, or is it. @param folder absolute path */
export function holdsKnown({ packs, runs }: Pick<LibraryState, "packs" | "runs">, folder: string): boolean {
  const turns = runs.flatMap(({ problems }) => problems.flatMap((part) => part.turns));
  return [...packs, ...runs, ...turns].some((known) => pathBelow(folder, known.folder) !== undefined);
}

/** The turn that takes the checkpoint before `turn`, if it left a snapshot. */
export function previousTurn(part: ProblemRun, turn: Turn): Turn | undefined {
  const before = part.turns.filter((other) => other.order < turn.order).at(-1);
  return before !== undefined && hasSnapshot(before) ? before : undefined;
}

/** Whether a turn got as far as a snapshot. Imported turns have no hash, but have been measured or tested. */
export function hasSnapshot(turn: Turn): boolean {
  return turn.snapshotHash !== null || turn.quality !== undefined || turn.outcomes.length > 0;
}

/** Number of runs in progress. */
export function runningCount(state: LibraryState): number {
  return state.runs.filter((run) => run.state === "running").length;
}
