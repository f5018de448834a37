import path from "node:path";
import type { ProblemRun, Run, RunEvent } from "../model/run.js";
import type { Turn, TurnProgress } from "../model/turn.js";
import { readRun } from "./read-run.js";

/** What has changed in the store, as narrow as it is known. `folder` names a run. */
export type StoreChange =
  /** A run was added, removed or read anew. */
  | { readonly type: "run"; readonly folder: string }
  /** A turn began, went on, or ended. */
  | { readonly type: "turn"; readonly folder: string; readonly turn: string };

export type StoreListener = (change: StoreChange) => void;

/**
 * The runs that views show: read from folders, or told by a loop that is at work. Runs and turns are immutable values;
 * a change replaces them and is told to every listener.
 */
export class RunStore {
  readonly #runs = new Map<string, Run>();
  /** By run folder, then turn id; only turns in progress have one. */
  readonly #progress = new Map<string, Map<string, TurnProgress>>();
  readonly #listeners = new Set<StoreListener>();
  /** Counts the changes of each run, so that a slow reading does not overwrite what a loop told meanwhile. */
  readonly #versions = new Map<string, number>();

  /** All runs, newest first. */
  get runs(): readonly Run[] {
    const byStart = (run: Run): string => run.startedAt ?? "";
    return [...this.#runs.values()].sort((left, right) => byStart(right).localeCompare(byStart(left)));
  }

  run(folder: string): Run | undefined {
    return this.#runs.get(path.resolve(folder));
  }

  turn(folder: string, turn: string): Turn | undefined {
    return this.run(folder)
      ?.problems.flatMap(({ turns }) => turns)
      .find(({ id }) => id === turn);
  }

  /** How far a turn is; undefined when it is not in progress here. */
  progress(folder: string, turn: string): TurnProgress | undefined {
    return this.#progress.get(path.resolve(folder))?.get(turn);
  }

  /**
   * Reads a run folder into the store. A run that is there already, also a live one, is left as it is.
   * @throws SlopLensError run-folder
   */
  async add(folder: string): Promise<Run> {
    return this.run(folder) ?? this.reload(folder);
  }

  /**
   * Reads a run folder anew. What a loop tells meanwhile wins over what was read.
   * @throws SlopLensError run-folder
   */
  async reload(folder: string): Promise<Run> {
    const absolute = path.resolve(folder);
    const version = this.#versions.get(absolute);
    const read = await readRun(absolute);
    const current = this.#runs.get(absolute);
    if (current !== undefined && this.#versions.get(absolute) !== version) return current;
    this.#put(read);
    return read;
  }

  /** Takes a run out of the store; its folder is not touched. */
  remove(folder: string): void {
    const absolute = path.resolve(folder);
    this.#progress.delete(absolute);
    if (this.#runs.delete(absolute)) this.#tell({ type: "run", folder: absolute });
  }

  /** Takes in what a loop tells. Bound, so that it can be passed as a listener. */
  readonly apply = (event: RunEvent): void => {
    switch (event.type) {
      case "run-started":
        this.#put(event.run);
        break;
      case "turn-progress":
        this.#keepProgress(event.folder, event.turn.id, event.progress);
        this.#putTurn(event.folder, event.turn);
        break;
      case "turn-finished":
        this.#keepProgress(event.folder, event.turn.id, undefined);
        this.#putTurn(event.folder, event.turn);
        break;
      case "run-finished":
        this.#progress.delete(path.resolve(event.run.folder));
        this.#put(event.run);
        break;
      case "log":
        break;
    }
  };

  /** @returns a function that ends the listening */
  onDidChange(listener: StoreListener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  #keepProgress(folder: string, turn: string, progress: TurnProgress | undefined): void {
    const absolute = path.resolve(folder);
    const turns = this.#progress.get(absolute) ?? new Map<string, TurnProgress>();
    if (progress === undefined) turns.delete(turn);
    else turns.set(turn, progress);
    this.#progress.set(absolute, turns);
  }

  #put(run: Run): void {
    this.#touch(run.folder);
    this.#runs.set(run.folder, run);
    this.#tell({ type: "run", folder: run.folder });
  }

  #putTurn(folder: string, turn: Turn): void {
    const absolute = path.resolve(folder);
    const run = this.#runs.get(absolute);
    if (run === undefined) return;
    this.#touch(absolute);
    this.#runs.set(absolute, { ...run, problems: withTurn(run.problems, turn) });
    this.#tell({ type: "turn", folder: absolute, turn: turn.id });
  }

  #touch(folder: string): void {
    this.#versions.set(folder, (this.#versions.get(folder) ?? 0) + 1);
  }

  #tell(change: StoreChange): void {
    for (const listener of [...this.#listeners]) listener(change);
  }
}

/** The problems of a run with one turn replaced, or added in its place by order. */
function withTurn(problems: readonly ProblemRun[], turn: Turn): readonly ProblemRun[] {
  return problems.map((own) => {
    if (own.problem !== turn.problem) return own;
    const known = own.turns.some(({ id }) => id === turn.id);
    const turns = known
      ? own.turns.map((one) => (one.id === turn.id ? turn : one))
      : [...own.turns, turn].sort((left, right) => left.order - right.order);
    return { ...own, turns };
  });
}
