import * as vscode from "vscode";
import { SlopLensError, type ErrorCode } from "../../core/model/errors.js";
import type { SecretSource } from "../../core/agent/program/secrets.js";
import type { Run, RunEvent } from "../../core/model/run.js";
import type { Capacity } from "../../core/queue/capacity.js";
import { isOver, type ItemStatus, type QueueStatus } from "../../core/queue/item.js";
import type { QueueStart } from "../../core/queue/queue-start.js";
import { COMMANDS, CONTEXT_KEYS, type ContextKey } from "../ids.js";
import type { ErrorAction, ErrorFunnel } from "../errors.js";
import type { Library } from "../library/library.js";
import { engineTrouble } from "./engine-trouble.js";
import { withNotice, type Notice } from "./notice.js";
import type { RunPlan } from "./plan.js";
import { endText, notificationText, RunFollower, runFraction, statusBarText } from "./progress.js";
import { severalEnd, severalFraction, severalStatus, severalText } from "./several.js";
import { queuedPlan } from "./queued-plan.js";
import type { RunsAtWork } from "./runs-at-work.js";
import { WindowQueue, type OpenQueue, type QueueBounds, type RunMeans } from "./window-queue.js";

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
  private isStopping = false;
  /** Whether the user sees runs in a view, so that a success needs no words. */
  isWatched: () => boolean = () => false;
  /** Called when queues have ended, one way or another. */
  onQueueEnd: () => void = () => undefined;
  /** Ends what shows why the queue is paused. */
  private told: string | undefined;

  constructor(
    private readonly means: RunMeans & { readonly keys: SecretSource },
    private readonly library: Library,
    private readonly errors: ErrorFunnel,
    private readonly log: vscode.LogOutputChannel,
    private readonly atWork: RunsAtWork,
  ) {
    this.queue = new WindowQueue(means);
    this.queue.onDidChange(() => {
      void this.publish();
      this.tellTrouble();
    });
    library.onDidLose(this.lose);
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
    this.isStopping = true;
    await this.queue.stop();
    await Promise.all(this.ends);
  }

  /** Runs a plan to its end and says what has to be said. Never rejects. */
  start(plan: RunPlan): Promise<void> {
    return this.keep(this.toItsEnd(plan));
  }

  /** Takes queues to their end and says then how they went. Never rejects. */
  startQueues(starts: readonly QueueStart[], bounds: QueueBounds): Promise<void> {
    return this.keep(this.allToTheirEnd(starts, bounds));
  }

  /** Whether this window works on the queue of a file. */
  keeps(file: string): boolean {
    return this.queue.keeps(file);
  }

  /** Whether it does, or did. */
  hasKept(file: string): boolean {
    return this.queue.hasKept(file);
  }

  private async keep(end: Promise<void>): Promise<void> {
    this.ends.add(end);
    await end;
    this.ends.delete(end);
  }

  private async toItsEnd(plan: RunPlan): Promise<void> {
    const { problem, environment } = plan;
    const follower = new RunFollower(problem.name, problem.checkpoints.length, environment !== "local");
    try {
      const { id, runs } = this.queue.one(plan, (event) => {
        follower.hear(event);
        if (event.type === "run-started") void this.atWork.begin(event.run.folder);
        if (event.type === "run-finished" && !this.isStopping) void this.atWork.end(event.run.folder);
        this.hear(event);
      });
      const ended = await withNotice(this.noticeOf(follower, id), () => runs);
      if (this.isStopping) return;
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
      if (isCancelled) return vscode.l10n.t("{0}: cancelling", standing.problem);
      if (this.queue.isWaiting(id))
        return vscode.l10n.t("{0}: waiting until other runs leave a place", standing.problem);
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

  private async allToTheirEnd(starts: readonly QueueStart[], bounds: QueueBounds): Promise<void> {
    try {
      const queues = await Promise.all(starts.map((start) => this.open(start)));
      const notice: Notice = {
        message: (seconds) => severalText(this.several, seconds),
        fraction: () => severalFraction(this.several),
        status: (seconds) => severalStatus(this.several, seconds),
        cancel: () => {
          this.queue.cancelAll();
        },
      };
      const ended = await withNotice(notice, () => this.queue.many(queues, bounds, this.hear));
      for (const { folder, state } of ended) if (state === "failed") await this.giveUp(folder);
      this.sayEndOfSeveral(ended);
    } catch (error) {
      void this.errors.show(error, "Queue");
    } finally {
      this.onQueueEnd();
    }
  }

  private async open(start: QueueStart): Promise<OpenQueue> {
    const planOf: OpenQueue["planOf"] = (item) => queuedPlan(start.plan, item, this.means.keys);
    return { start, file: await start.file(), planOf };
  }

  private sayEndOfSeveral(ended: readonly ItemStatus[]): void {
    const text = `${severalEnd(ended)}.`;
    if (!ended.some(({ state }) => state === "failed")) {
      void vscode.window.showInformationMessage(text, showLog()).then(openLog);
      return;
    }
    const plan = vscode.l10n.t("Show Plan…");
    void vscode.window.showWarningMessage(text, plan, showLog()).then((chosen) => {
      if (chosen === plan) void vscode.commands.executeCommand(COMMANDS.resumeKeptQueue);
      else openLog(chosen);
    });
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
    const [resume, cancel] = [vscode.l10n.t("Resume Queue"), vscode.l10n.t("Cancel All Runs")];
    const text = vscode.l10n.t("The queue is paused. {0}", reason);
    void vscode.window.showWarningMessage(text, resume, cancel).then((chosen) => {
      if (chosen === resume) this.resume();
      if (chosen === cancel) this.cancelAll();
    });
  }

  private sayEnd(runs: readonly Run[]): void {
    const text = endText(runs);
    if (text !== undefined) {
      const isCancelled = runs.at(-1)?.state === "cancelled";
      const say = isCancelled ? vscode.window.showInformationMessage : vscode.window.showWarningMessage;
      void say(text, showLog()).then(openLog);
      return;
    }
    if (this.isWatched()) return;
    const problem = runs[0]?.problems[0]?.problem ?? "";
    const plot = vscode.l10n.t("Show Erosion Plot");
    const finished =
      runs.length > 1
        ? vscode.l10n.t("All {0} attempts at {1} are finished.", runs.length, problem)
        : vscode.l10n.t("The run of {0} is finished.", problem);
    void vscode.window.showInformationMessage(finished, plot).then((chosen) => {
      if (chosen === plot) void vscode.commands.executeCommand(COMMANDS.showErosionPlot, problem);
    });
  }

  /** Ends a run whose folder is gone. One that is waited for alone tells it by its end. */
  private readonly lose = (folder: string): void => {
    if (!this.queue.drop(folder)) return;
    const message = vscode.l10n.t("The folder of this run was deleted while it was in progress: {0}", folder);
    const error = new SlopLensError("run-folder", message, vscode.l10n.t("It was taken out of the queue."));
    void this.errors.show(error, "Queue");
  };

  /** After an error the run folder tells what is left. */
  private async giveUp(folder: string | undefined): Promise<void> {
    if (folder === undefined) return;
    await this.library.abandon(folder).catch((error: unknown) => {
      this.errors.note(error, `Reading ${folder}`);
    });
  }

  private actionsFor(error: unknown, plan: RunPlan): ErrorAction[] {
    const { code } = SlopLensError.from(error);
    const again: ErrorAction = { title: vscode.l10n.t("Try Again"), run: () => this.start(plan) };
    const local: ErrorAction = {
      title: vscode.l10n.t("Run Without Docker"),
      run: () => this.start({ ...plan, environment: "local" }),
    };
    if (MENDED_BY_USER.has(code) || (code === "run-folder" && plan.resume !== undefined)) return [];
    return PLACE_TROUBLE.has(code) ? [again, local] : [again];
  }

  private async publish(): Promise<void> {
    const { items, pause } = this.several;
    const going = pause === undefined ? "going" : "paused";
    await setContext(CONTEXT_KEYS.running, this.queue.isBusy);
    await setContext(CONTEXT_KEYS.queue, items.every(isOver) ? undefined : going);
  }
}

function showLog(): string {
  return vscode.l10n.t("Show Log");
}

function openLog(chosen: string | undefined): void {
  if (chosen !== undefined) void vscode.commands.executeCommand(COMMANDS.showLog);
}

const published = new Map<ContextKey, unknown>();

/** A queue changes often, and its keys seldom. */
async function setContext(key: ContextKey, value: unknown): Promise<void> {
  if (published.has(key) && published.get(key) === value) return;
  published.set(key, value);
  await vscode.commands.executeCommand("setContext", key, value);
}
