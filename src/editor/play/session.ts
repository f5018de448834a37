import path from "node:path";
import type { ProblemRun, Run } from "../../core/model/run.js";
import type { CallableMetrics } from "../../core/model/quality.js";
import type { Turn } from "../../core/model/turn.js";
import { callableId, followCallable } from "../../core/report/follow-callable.js";
import type { PlayChoice, PlayData, PlayMode } from "../../core/report/play-protocol.js";
import { fileToShow, playChoices, playSteps, type PlayedTurn } from "../../core/report/play-steps.js";
import { publishedReferences } from "../../core/report/published.js";
import { attemptLabel } from "../../core/report/run-label.js";
import { isFinished, problemNamed } from "../library/state.js";
import { listFiles, snapshotFolder } from "../library/turn-files.js";
import type { Services } from "../services.js";
import { checkpointLabel } from "../words.js";
import type { PlayEditor, Shown } from "./play-editor.js";
import { noteWords, titleWords } from "./words.js";

/** A callable to follow: its id, and the order of a checkpoint at which it has it. */
export interface PlayedName {
  readonly order: number;
  readonly id: string;
}

/** What is played. Plain data, which is kept over a reload of the window. */
export interface PlaySource {
  /** Folder of the run. */
  readonly run: string;
  readonly problem: string;
  /** Order of the checkpoint to begin at; when undefined the first, or the first at which the callable exists. */
  readonly order: number | undefined;
  /** The callable to follow; the heaviest of the last checkpoint when undefined. */
  readonly callable: PlayedName | undefined;
  readonly mode: PlayMode;
}

/** Told when what the view shows changed. */
export type PlayListener = (data: PlayData) => void;

interface Step {
  readonly turn: Turn;
  readonly files: readonly string[];
}

/** One trajectory that is played: where it stands, whom it follows, and what the editor shows of it. */
export class PlaySession {
  private readonly end = new AbortController();
  private steps: readonly Step[] = [];
  private at = 0;
  private mode: PlayMode;
  /** The followed callable, and the id of a turn in which it has this id. */
  private anchor: { readonly turn: string; readonly choice: PlayChoice } | undefined;
  private growth: readonly (CallableMetrics | undefined)[] = [];
  private isStale = false;
  /** The snapshots are read and the callable is found, so that `present` tells all. */
  isReady = false;
  private working: Promise<void> | undefined;

  constructor(
    readonly source: PlaySource,
    private readonly services: Pick<Services, "library" | "measures" | "turnFiles" | "snapshots">,
    private readonly editor: PlayEditor,
    private readonly onChange: PlayListener,
  ) {
    this.mode = source.mode;
  }

  /** Takes in the checkpoints and shows the first one. @returns false when there is none */
  async start(): Promise<boolean> {
    await this.takeSteps();
    const { order, callable } = this.source;
    this.at = Math.max(
      0,
      this.steps.findIndex(({ turn }) => turn.order === order),
    );
    if (this.steps.length === 0) return false;
    this.place();
    await this.readAll();
    const named = this.steps.find(({ turn }) => turn.order === callable?.order);
    if (named !== undefined && callable !== undefined) this.anchorAt(named.turn, callable.id);
    await this.follow();
    if (order === undefined && callable !== undefined) this.at = this.firstLived();
    this.isReady = true;
    await this.refresh();
    return true;
  }

  /** Index of the first step at which the followed callable exists. */
  private firstLived(): number {
    return Math.max(
      0,
      this.growth.findIndex((found) => found !== undefined),
    );
  }

  /** What would be played on from here. */
  get present(): PlaySource {
    const { anchor, mode } = this;
    const holder = this.steps.find(({ turn }) => turn.id === anchor?.turn);
    const callable = anchor && holder && { order: holder.turn.order, id: anchor.choice.id };
    const { run, problem } = this.source;
    return { run, problem, order: this.steps[this.at]?.turn.order, callable, mode };
  }

  stop(): void {
    this.end.abort();
  }

  /** Shows a step; calls that come while one is being shown are one. */
  async step(index: number): Promise<void> {
    this.at = Math.max(0, Math.min(this.steps.length - 1, index));
    await this.refresh();
  }

  async setMode(mode: PlayMode): Promise<void> {
    this.mode = mode;
    await this.refresh();
  }

  /** Follows another callable, by its id at the last checkpoint or at the present one. */
  async setFollowed(id: string): Promise<void> {
    const holders = [this.steps[this.at], ...this.steps.toReversed()];
    const holder = holders.find((step) => step !== undefined && this.choiceIn(step.turn, id) !== undefined);
    if (holder === undefined) return;
    this.anchorAt(holder.turn, id);
    await this.follow();
    await this.refresh();
  }

  /**
   * Takes in what came to the run since. The step stays, but for one that is gone.
   * @returns false when nothing is left to be played
   */
  async update(): Promise<boolean> {
    const shown = this.steps[this.at]?.turn.id;
    await this.takeSteps();
    if (this.steps.length === 0) return false;
    this.at = Math.min(this.at, this.steps.length - 1);
    this.tell();
    await this.readAll();
    await this.follow();
    if (this.steps[this.at]?.turn.id === shown) this.tell();
    else await this.refresh();
    return true;
  }

  /** What the view shows. */
  get data(): PlayData {
    const found = this.found();
    const played = this.played();
    const followed = this.anchor?.choice;
    return {
      title: found === undefined ? "" : `${found.part.problem} · ${attemptLabel(found.run)}`,
      steps: playSteps(played, followed?.name).map((step) => ({ ...step, notes: step.notes.map(noteWords) })),
      at: this.at,
      mode: this.mode,
      followed,
      choices: playChoices(played.findLast(({ snapshot }) => snapshot !== undefined)?.snapshot, followed),
      human: publishedReferences().humans[0]?.erosion,
      live: found?.run.state === "running",
      read: this.steps.filter(({ turn, files }) => files.length === 0 || this.services.snapshots.has(turn))
        .length,
    };
  }

  private played(): PlayedTurn[] {
    return this.steps.map(({ turn, files }, index) => ({
      turn,
      hasSnapshot: files.length > 0,
      snapshot: this.services.snapshots.get(turn),
      followed: this.growth[index],
    }));
  }

  private tell(): void {
    if (!this.end.signal.aborted) this.onChange(this.data);
  }

  private found(): { readonly run: Run; readonly part: ProblemRun } | undefined {
    const run = this.services.library.state.runs.find(({ folder }) => folder === this.source.run);
    const part = run?.problems.find(({ problem }) => problem === this.source.problem);
    return run && part && { run, part };
  }

  /** The checkpoints that were taken, with or without a snapshot; a turn in progress counts when it has one. */
  private async takeSteps(): Promise<void> {
    const turns =
      this.found()?.part.turns.filter((turn) => isFinished(turn) || turn.snapshotHash !== null) ?? [];
    this.steps = await Promise.all(
      turns.map(
        async (turn) =>
          this.steps.find((step) => step.turn === turn) ?? {
            turn,
            files: await listFiles(snapshotFolder(turn)),
          },
      ),
    );
    this.services.measures.ask(turns, this.end.signal);
  }

  private async readAll(): Promise<void> {
    for (const { turn, files } of this.steps.toReversed()) {
      if (files.length === 0 || this.services.snapshots.has(turn)) continue;
      await this.services.snapshots.read(turn, this.end.signal);
      this.tell();
    }
  }

  private anchorAt(turn: Turn, id: string): void {
    const choice = this.choiceIn(turn, id);
    if (choice !== undefined) this.anchor = { turn: turn.id, choice };
  }

  private choiceIn(turn: Turn, id: string): PlayChoice | undefined {
    const callable = this.services.snapshots
      .get(turn)
      ?.callables.find((candidate) => callableId(candidate) === id);
    return callable && { id, name: callable.qualifiedName };
  }

  private async follow(): Promise<void> {
    const snapshots = this.steps.map(({ turn }) => this.services.snapshots.get(turn));
    if (this.anchor === undefined) {
      const last = this.steps[snapshots.findLastIndex((snapshot) => snapshot !== undefined)];
      const [heaviest] = playChoices(last && this.services.snapshots.get(last.turn), undefined);
      if (last !== undefined && heaviest !== undefined) this.anchorAt(last.turn, heaviest.id);
    }
    const { anchor } = this;
    if (anchor === undefined) return;
    const at = this.steps.findIndex(({ turn }) => turn.id === anchor.turn);
    this.growth = await followCallable(snapshots, at, anchor.choice.id);
  }

  private refresh(): Promise<void> {
    this.isStale = true;
    this.working ??= this.work().finally(() => {
      this.working = undefined;
    });
    return this.working;
  }

  private async work(): Promise<void> {
    while (this.isStale && !this.end.signal.aborted) {
      this.isStale = false;
      this.place();
      await this.show();
      this.tell();
    }
  }

  private place(): void {
    const turn = this.steps[this.at]?.turn;
    if (turn !== undefined) this.services.library.play({ run: this.source.run, turn: turn.id });
  }

  /** A step without a snapshot leaves the editor as it is; the view says so. */
  private async show(): Promise<void> {
    const step = this.steps[this.at];
    if (step === undefined) return;
    const before = this.steps.slice(0, this.at).findLast(({ files }) => files.length > 0);
    const file = await this.fileOf(step, before);
    if (file === undefined) return;
    const isComparable = this.mode === "changes" && before?.files.includes(file) === true;
    await this.editor.show(this.shown(step, file, isComparable ? before : undefined));
  }

  private shown({ turn }: Step, file: string, earlier: Step | undefined): Shown {
    const followed = this.growth[this.at];
    return {
      file: path.join(snapshotFolder(turn), file),
      earlier: earlier && path.join(snapshotFolder(earlier.turn), file),
      title: titleWords(file, earlier && checkpointLabel(earlier.turn.checkpoint), turn.order),
      line: followed?.path === file ? followed.start : undefined,
    };
  }

  private async fileOf(step: Step, before: Step | undefined): Promise<string | undefined> {
    const lived = this.growth.slice(0, this.at).findLast((callable) => callable !== undefined);
    const problem = problemNamed(this.services.library.state, this.source.problem, this.source.run);
    const wishes = [
      this.growth[this.at]?.path,
      lived?.path,
      problem === undefined ? undefined : `${problem.entryFile}.py`,
    ];
    const known = fileToShow(step.files, wishes, []);
    if (before === undefined || wishes.includes(known)) return known;
    const changes = await this.services.turnFiles.changes(before.turn, step.turn);
    const root = snapshotFolder(step.turn);
    const changed = changes.flatMap(({ now }) =>
      now === undefined ? [] : [path.relative(root, now).split(path.sep).join("/")],
    );
    return fileToShow(step.files, wishes, changed);
  }
}
