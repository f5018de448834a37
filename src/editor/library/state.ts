import path from "node:path";
import type { PackReading, Problem } from "../../core/model/problem.js";
import type { ProblemRun, Run } from "../../core/model/run.js";
import type { Turn, TurnProgress } from "../../core/model/turn.js";
import { snapshotFolder } from "./turn-files.js";

/** All that the views of a window show, at one moment. */
export interface LibraryState {
  /** Sorted by name. */
  readonly packs: readonly PackReading[];
  /** Newest first. */
  readonly runs: readonly Run[];
  /** What live turns do, by `progressKey`. */
  readonly progress: ReadonlyMap<string, TurnProgress>;
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

/** A problem's part in a run. */
export interface RunPart {
  readonly run: Run;
  readonly part: ProblemRun;
}

/**
 * The run whose outcomes a problem shows: the selected one if it has the problem, else the newest that finished a turn
 * of it, else the newest that has it.
 */
export function shownRun(state: LibraryState, problem: string): RunPart | undefined {
  const parts = runsOf(state, problem);
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

/** The pack with this name, if it can be read. */
export function problemNamed(state: LibraryState, name: string): Problem | undefined {
  return state.packs.find((pack) => pack.problem?.name === name)?.problem;
}

/** Whether the Play view shows this turn. */
export function isPlayed({ played }: LibraryState, run: Run | undefined, turn: Turn | undefined): boolean {
  return played !== undefined && played.run === run?.folder && played.turn === turn?.id;
}

/** What a view of a run depends on besides the run itself: what it does now, if it is in progress, and where it is played. */
export function liveBasis(
  { progress, frozen, played }: LibraryState,
  run: Run | undefined,
): readonly unknown[] {
  const place = played?.run === run?.folder ? played : undefined;
  return [frozen, run?.state === "running" ? progress : undefined, place];
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
    if (isOutside(path.relative(run.folder, file))) continue;
    for (const part of run.problems) {
      for (const turn of part.turns) {
        const below = path.relative(snapshotFolder(turn), file);
        if (!isOutside(below)) return { run, part, turn, path: below.split(path.sep).join("/") };
      }
    }
  }
  return undefined;
}

function isOutside(relative: string): boolean {
  return relative === "" || relative.startsWith("..") || path.isAbsolute(relative);
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
