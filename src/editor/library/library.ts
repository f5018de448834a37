import { withTestFaults, type TestFaults } from "../../core/evaluation/check-tests.js";
import type { PackReading } from "../../core/model/problem.js";
import type { Run, RunEvent } from "../../core/model/run.js";
import type { Turn, TurnProgress, TurnQuality } from "../../core/model/turn.js";
import { measuringOf, withMeasures } from "./measured.js";
import { readRunIfThere, reread, startKey, type LibraryReaders } from "./reread.js";
import {
  EMPTY_STATE,
  isFinished,
  measureKey,
  progressKey,
  type LibraryState,
  type PlayedPlace,
} from "./state.js";

type Listener = (state: LibraryState) => void;

/** A folder of the workspace that could not be looked into. */
export interface FolderTrouble {
  readonly folder: string;
  readonly error: unknown;
}

/**
 * The packs and runs of a window, and what its live runs do. Views read it and listen; runs in progress tell it their
 * events and know no view.
 */
export class Library {
  private current: LibraryState = EMPTY_STATE;
  private readonly listeners = new Set<Listener>();
  private found: readonly PackReading[] = [];
  private readonly live = new Map<string, Run>();
  /** What was measured here of turns that their runs did not measure, by `measureKey`. Never written to disk. */
  private readonly measured = new Map<string, TurnQuality | undefined>();
  /** Run folders that the user opened from elsewhere. */
  private readonly opened = new Set<string>();
  /** What was found in hidden tests; it stays over readings of the packs until they are looked into again. */
  private testFaults: TestFaults = new Map();
  private loading: Promise<unknown> = Promise.resolve();
  private readonly whenLost = new Set<(folder: string) => void>();

  constructor(private readonly readers: LibraryReaders) {}

  get state(): LibraryState {
    return this.current;
  }

  /** Resolves when all that was asked to be read has been, well or not. */
  get settled(): Promise<void> {
    return this.loading.then(
      () => undefined,
      () => undefined,
    );
  }

  /** Calls `listener` after each change. @returns a function that ends it */
  onDidChange(listener: Listener): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  /** Calls `listener` with the folder of each live run that is found to be gone. @returns a function that ends it */
  onDidLose(listener: (folder: string) => void): () => void {
    this.whenLost.add(listener);
    return () => this.whenLost.delete(listener);
  }

  /**
   * Reads all packs and runs of these folders; what is live here keeps what its events told.
   * @returns the folders that could not be looked into; what was known of them is gone
   */
  load(folders: readonly string[]): Promise<readonly FolderTrouble[]> {
    return this.next(() => this.read(folders));
  }

  /**
   * Reads what files belong to that came, changed or went.
   * @param changed absolute paths
   * @param folders of the workspace
   */
  update(changed: ReadonlySet<string>, folders: readonly string[]): Promise<void> {
    return this.next(async () => {
      const live = new Set(this.live.keys());
      const known = { packs: this.found, runs: this.current.runs };
      const now = await reread(changed, known, this.readers, folders, live);
      await this.loseGone();
      if (now.packs !== known.packs) this.keepPacks(now.packs);
      const packs = now.packs === known.packs ? {} : { packs: this.withTestFaults() };
      this.change({ ...packs, runs: this.withLive(now.runs) });
    });
  }

  /** One reading after the other; one that fails holds up none. */
  private next<T>(work: () => Promise<T>): Promise<T> {
    const done = this.loading.then(work, work);
    this.loading = done;
    return done;
  }

  private async read(folders: readonly string[]): Promise<readonly FolderTrouble[]> {
    // A library that shows nothing yet fills while it is read; one that does changes in one step.
    const isFirst = this.current.runs.length === 0;
    const tell = (run: Run): void => {
      if (isFirst) this.change({ runs: this.withLive([...this.current.runs, run]) });
    };
    const troubles: FolderTrouble[] = [];
    const packsOf = (folder: string): Promise<readonly PackReading[]> =>
      this.readers.packs(folder).catch((error: unknown) => {
        troubles.push({ folder, error });
        return [];
      });
    const [packs, found, opened] = await Promise.all([
      Promise.all(folders.map(packsOf)),
      Promise.all(folders.map((folder) => this.readers.runs(folder, tell))),
      Promise.all([...this.opened].map((folder) => readRunIfThere(folder, this.readers))),
    ]);
    await this.loseGone();
    this.keepPacks(packs.flat());
    this.change({
      packs: this.withTestFaults(),
      runs: this.withLive([...opened.filter((run) => run !== undefined), ...found.flat()]),
    });
    return troubles;
  }

  private keepPacks(packs: readonly PackReading[]): void {
    this.found = uniqueBy(packs, (pack) => pack.folder).sort((a, b) => a.name.localeCompare(b.name));
  }

  /** Gives up on live runs whose folders are gone: they could tell nothing more that is kept. */
  private async loseGone(): Promise<void> {
    for (const folder of [...this.live.keys()]) {
      if (await this.readers.isThere(folder)) continue;
      this.live.delete(folder);
      for (const listener of [...this.whenLost]) listener(folder);
    }
  }

  /** Takes in what is wrong in the hidden tests of packs. */
  keepTestFaults(faults: TestFaults): void {
    const isSame = faults.size === 0 && this.testFaults.size === 0;
    this.testFaults = faults;
    if (!isSame) this.change({ packs: this.withTestFaults() });
  }

  private withTestFaults(): readonly PackReading[] {
    return this.found.map((pack) => withTestFaults(pack, this.testFaults));
  }

  /** Adds a run folder that lies outside of the workspace. */
  async open(folder: string): Promise<Run> {
    const run = await this.readers.run(folder);
    this.opened.add(run.folder);
    this.change({ runs: this.withLive([run, ...this.current.runs]), selectedRun: run.folder });
    return run;
  }

  /** Forgets a run, for example because its folder was deleted. */
  forget(folder: string): void {
    this.opened.delete(folder);
    this.live.delete(folder);
    this.change({
      runs: this.current.runs.filter((run) => run.folder !== folder),
      selectedRun: this.current.selectedRun === folder ? undefined : this.current.selectedRun,
    });
  }

  /** Makes a run the one whose outcomes the Problems view shows. @param turn id of one of its turns */
  select(folder: string | undefined, turn?: string): void {
    const { selectedRun, selectedTurn } = this.current;
    if (folder !== selectedRun || turn !== selectedTurn)
      this.change({ selectedRun: folder, selectedTurn: turn });
  }

  /** Makes a turn the one that is played, and selects it; undefined ends it. */
  play(played: PlayedPlace | undefined): void {
    if (played === undefined) this.change({ played });
    else this.change({ played, selectedRun: played.run, selectedTurn: played.turn });
  }

  /** Keeps the rows of groups in place while one of them is selected. */
  freeze(frozen: ReadonlyMap<string, readonly string[]>): void {
    if (frozen.size > 0 || this.current.frozen.size > 0) this.change({ frozen });
  }

  /**
   * Takes in what was measured of a turn that its run did not measure. It stays over readings of the disk.
   * @param quality undefined when the turn cannot be measured
   */
  keepMeasured(turn: Turn, quality: TurnQuality | undefined): void {
    this.measured.set(measureKey(turn), quality);
    this.change({ runs: this.current.runs });
  }

  /** Takes in whether a turn's snapshot was edited after the turn was judged. */
  keepEdited(turn: Turn, isEdited: boolean): void {
    const key = measureKey(turn);
    if (this.current.edited.has(key) === isEdited) return;
    const edited = new Set(this.current.edited);
    if (isEdited) edited.add(key);
    else edited.delete(key);
    this.change({ edited });
  }

  /** Takes in what a live run tells. */
  apply(event: RunEvent): void {
    switch (event.type) {
      case "run-started":
        this.live.set(event.run.folder, event.run);
        this.change({ runs: this.withLive(this.current.runs), selectedRun: event.run.folder });
        break;
      case "turn-progress":
        this.turn(event.folder, event.turn, event.progress);
        break;
      case "turn-finished":
        this.turn(event.folder, event.turn, undefined);
        break;
      case "run-finished":
        this.finish(event.run);
        break;
      case "log":
        break;
    }
  }

  /** Looks at a run whose runner ended with an error; its folder tells what is left of it, if that is there. */
  async abandon(folder: string): Promise<void> {
    const run = await readRunIfThere(folder, this.readers);
    if (run === undefined) this.forget(folder);
    else if (this.live.has(folder)) this.finish(run);
  }

  /** A run whose folder was found to be gone has nothing more to tell. */
  private finish(run: Run): void {
    if (!this.live.has(run.folder)) return;
    this.live.delete(run.folder);
    const progress = new Map(
      [...this.current.progress].filter(([key]) => !key.startsWith(progressKey(run.folder, ""))),
    );
    // A run is selected when it starts; one that ends without any outcome must not hide those that have some.
    const empty = !run.problems.some((part) => part.turns.some(isFinished));
    const selectedRun =
      empty && this.current.selectedRun === run.folder ? undefined : this.current.selectedRun;
    this.change({ runs: this.withLive([run, ...this.current.runs]), progress, selectedRun });
  }

  /** Puts a turn into its live run. */
  private turn(folder: string, turn: Turn, now: TurnProgress | undefined): void {
    const run = this.live.get(folder);
    if (run === undefined) return;
    this.live.set(folder, withTurn(run, turn));
    const progress = new Map(this.current.progress);
    const key = progressKey(folder, turn.id);
    if (now === undefined) progress.delete(key);
    else progress.set(key, now);
    this.change({ runs: this.withLive(this.current.runs), progress });
  }

  private withLive(runs: readonly Run[]): Run[] {
    const all = uniqueBy([...this.live.values(), ...runs], (run) => run.folder);
    return all.sort((a, b) => startKey(b).localeCompare(startKey(a)));
  }

  private change(part: Partial<LibraryState>): void {
    this.current = { ...this.current, ...part };
    if (part.runs !== undefined) {
      const runs = part.runs.map((run) => withMeasures(run, this.measured));
      this.current = { ...this.current, runs, measuring: measuringOf(runs, this.measured) };
    }
    for (const listener of this.listeners) listener(this.current);
  }
}

function withTurn(run: Run, turn: Turn): Run {
  const problems = run.problems.map((part) => {
    if (part.problem !== turn.problem) return part;
    const known = part.turns.some(({ id }) => id === turn.id);
    const turns = known
      ? part.turns.map((other) => (other.id === turn.id ? turn : other))
      : [...part.turns, turn].sort((a, b) => a.order - b.order);
    return { ...part, turns };
  });
  return { ...run, problems };
}

/** The first of all values with the same key. */
function uniqueBy<T>(values: readonly T[], key: (value: T) => string): T[] {
  const seen = new Set<string>();
  return values.filter((value) => {
    const fresh = !seen.has(key(value));
    seen.add(key(value));
    return fresh;
  });
}
