import * as vscode from "vscode";
import { SlopLensError, type ErrorCode } from "../../core/model/errors.js";
import type { Run, RunEvent } from "../../core/model/run.js";
import type { Capacity } from "../../core/queue/capacity.js";
import { isOver, type QueueStatus } from "../../core/queue/item.js";
import { COMMANDS, CONTEXT_KEYS, type ContextKey } from "../ids.js";
import type { ErrorAction, ErrorFunnel } from "../errors.js";
import type { Library } from "../library/library.js";
import type { SeveralRuns } from "./choose-several.js";
import { engineTrouble } from "./engine-trouble.js";
import { withNotice, type Notice } from "./notice.js";
import type { RunPlan } from "./plan.js";
import { endText, notificationText, RunFollower, runFraction, statusBarText } from "./progress.js";
import { severalEnd, severalFraction, severalStatus, severalText } from "./several.js";
import { WindowQueue, type RunMeans } from "./window-queue.js";

/** Troubles of Docker that a run on this machine does not have. */
const PLACE_TROUBLE: ReadonlySet<ErrorCode> = new Set([
  "engine-missing",
  "engine-denied",
  "engine-lost",
  "image-unavailable",
  "image-unsuitable",
]);

/** Troubles that come back until the user has changed something. */
const MENDED_BY_USER: ReadonlySet<ErrorCode> = new Set([
  "bad-input",
  "pack-invalid",
  "environment-invalid",
  "agent-invalid",
  "untrusted",
]);

/** Runs trajectories, one notification and one status item each, and tells the library what they do. */
export class Runner implements vscode.Disposable {
  private readonly queue: WindowQueue;
  private readonly ends = new Set<Promise<void>>();
  /** Whether the user sees runs in a view, so that a success needs no words. */
  isWatched: () => boolean = () => false;
  /** Ends what shows why the queue is paused. */
  private told: string | undefined;

  constructor(
    private readonly means: RunMeans,
    private readonly library: Library,
    private readonly errors: ErrorFunnel,
    private readonly log: vscode.LogOutputChannel,
  ) {
    this.queue = new WindowQueue(means);
    this.queue.onDidChange(() => {
      void this.publish();
      this.tellTrouble();
    });
  }

  /** The runs that were chosen together, as they stand. */
  get several(): QueueStatus {
    return this.queue.several;
  }

  /** Calls `listener` after each change of the queue. @returns a function that ends it */
  onDidChange(listener: () => void): () => void {
    return this.queue.onDidChange(listener);
  }

  /** What the place has where a plan runs. */
  readonly capacityFor = (plan: RunPlan): Promise<Capacity> =>
    this.means.capacity(plan, new AbortController().signal);

  /** Turns in progress go on to their end, nothing new begins. */
  pause(): void {
    this.queue.pause();
  }

  resume(): void {
    this.queue.resume();
  }

  /** Cancels one run of the queue, also one that waits. */
  cancel(id: string): void {
    this.queue.cancel(id);
  }

  /** Cancels every run that is in progress or waits. */
  cancelAll(): void {
    this.queue.cancelAll();
  }

  /** Ends every run and waits until its container is gone. */
  async stop(): Promise<void> {
    await this.queue.stop();
    await Promise.all(this.ends);
  }

  /** Runs a plan to its end and says what has to be said. Never rejects. */
  start(plan: RunPlan): Promise<void> {
    return this.keep(this.toItsEnd(plan));
  }

  /** Runs plans together and says at the end how they went. Never rejects. */
  startSeveral(runs: SeveralRuns): Promise<void> {
    return this.keep(this.allToTheirEnd(runs));
  }

  private async keep(end: Promise<void>): Promise<void> {
    this.ends.add(end);
    await end;
    this.ends.delete(end);
  }

  private async toItsEnd(plan: RunPlan): Promise<void> {
    const follower = new RunFollower(plan.problem.name, plan.problem.checkpoints.length);
    try {
      const { id, run } = this.queue.one(plan, (event) => {
        follower.hear(event);
        this.hear(event);
      });
      const ended = await withNotice(this.noticeOf(follower, id), () => run);
      await setContext(CONTEXT_KEYS.engineTrouble, undefined);
      this.sayEnd(ended);
    } catch (error) {
      await setContext(CONTEXT_KEYS.engineTrouble, engineTrouble(error));
      await this.giveUp(follower.folder);
      void this.errors.show(error, `Run of ${plan.problem.name}`, this.actionsFor(error, plan));
    }
  }

  private noticeOf(follower: RunFollower, id: string): Notice {
    let isCancelled = false;
    const message = (seconds: number): string => {
      const { standing } = follower;
      if (isCancelled) return `${standing.problem}: cancelling`;
      if (this.queue.isWaiting(id)) return `${standing.problem}: waiting until other runs leave a place`;
      return notificationText(standing, seconds);
    };
    return {
      message,
      fraction: () => runFraction(follower.standing),
      status: (seconds) => statusBarText(follower.standing, seconds),
      cancel: () => {
        isCancelled = true;
        this.queue.cancel(id);
      },
    };
  }

  private async allToTheirEnd(runs: SeveralRuns): Promise<void> {
    const notice: Notice = {
      message: (seconds) => severalText(this.several, seconds),
      fraction: () => severalFraction(this.several),
      status: (seconds) => severalStatus(this.several, seconds),
      cancel: () => {
        this.queue.cancelAll();
      },
    };
    const ended = await withNotice(notice, () => this.queue.many(runs, this.hear));
    for (const { folder, state } of ended) if (state === "failed") await this.giveUp(folder);
    const isTrouble = ended.some(({ state }) => state === "failed");
    const say = isTrouble ? vscode.window.showWarningMessage : vscode.window.showInformationMessage;
    const chosen = await say(`${severalEnd(ended)}.`, "Show Log");
    if (chosen !== undefined) await vscode.commands.executeCommand(COMMANDS.showLog);
  }

  dispose(): void {
    this.cancelAll();
  }

  private readonly hear = (event: RunEvent): void => {
    if (event.type === "log") this.log[event.level](event.message);
    this.library.apply(event);
  };

  /** Says once why the queue stopped by itself. */
  private tellTrouble(): void {
    const { pause } = this.several;
    const reason = pause?.by === "trouble" ? pause.reason : undefined;
    if (reason === this.told) return;
    this.told = reason;
    if (reason === undefined) return;
    const [resume, cancel] = ["Resume", "Cancel All"];
    void vscode.window.showWarningMessage(`The queue is paused. ${reason}`, resume, cancel).then((chosen) => {
      if (chosen === resume) this.resume();
      if (chosen === cancel) this.cancelAll();
    });
  }

  private sayEnd(run: Run): void {
    const text = endText(run);
    const plot = "Show Erosion Plot";
    if (text !== undefined) {
      const warn =
        run.state === "cancelled" ? vscode.window.showInformationMessage : vscode.window.showWarningMessage;
      void warn(text, "Show Log").then((chosen) => {
        if (chosen !== undefined) void vscode.commands.executeCommand(COMMANDS.showLog);
      });
      return;
    }
    if (this.isWatched()) return;
    const problem = run.problems[0]?.problem ?? "";
    void vscode.window.showInformationMessage(`The run of ${problem} is finished.`, plot).then((chosen) => {
      if (chosen === plot) void vscode.commands.executeCommand(COMMANDS.showErosionPlot, problem);
    });
  }

  /** After an error the run folder tells what is left. */
  private async giveUp(folder: string | undefined): Promise<void> {
    if (folder === undefined) return;
    await this.library.abandon(folder).catch((error: unknown) => {
      this.errors.note(error, `Reading ${folder}`);
    });
  }

  private actionsFor(error: unknown, plan: RunPlan): ErrorAction[] {
    const { code } = SlopLensError.from(error);
    const again: ErrorAction = { title: "Try Again", run: () => this.start(plan) };
    const local: ErrorAction = {
      title: "Run Without Docker",
      run: () => this.start({ ...plan, environment: "local" }),
    };
    if (MENDED_BY_USER.has(code)) return [];
    return PLACE_TROUBLE.has(code) ? [again, local] : [again];
  }

  private async publish(): Promise<void> {
    const { items, pause } = this.several;
    const going = pause === undefined ? "going" : "paused";
    await setContext(CONTEXT_KEYS.running, this.queue.isBusy);
    await setContext(CONTEXT_KEYS.queue, items.every(isOver) ? undefined : going);
  }
}

const published = new Map<ContextKey, unknown>();

/** A queue changes often, and its keys seldom. */
async function setContext(key: ContextKey, value: unknown): Promise<void> {
  if (published.has(key) && published.get(key) === value) return;
  published.set(key, value);
  await vscode.commands.executeCommand("setContext", key, value);
}
