import * as vscode from "vscode";
import { SlopLensError, type ErrorCode } from "../../core/model/errors.js";
import type { Run, RunEvent } from "../../core/model/run.js";
import { COMMANDS, CONTEXT_KEYS, type ContextKey } from "../ids.js";
import type { ErrorAction, ErrorFunnel } from "../errors.js";
import type { Library } from "../library/library.js";
import type { RunPlan } from "./plan.js";
import { endText, notificationText, RunFollower, runFraction, statusBarText } from "./progress.js";

/** Runs a plan; the core's loop in the product. */
export type Engine = (
  plan: RunPlan,
  listener: (event: RunEvent) => void,
  signal: AbortSignal,
) => Promise<Run[]>;

const TICK_MS = 500;

/** What the Runs view says when there is nothing else in it. */
const ENGINE_TROUBLE: Partial<Record<ErrorCode, string>> = {
  "engine-missing": "missing",
  "engine-denied": "denied",
};

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
  private readonly aborts = new Set<AbortController>();
  private readonly ends = new Set<Promise<void>>();
  /** Whether the user sees runs in a view, so that a success needs no words. */
  isWatched: () => boolean = () => false;

  constructor(
    private readonly engine: Engine,
    private readonly library: Library,
    private readonly errors: ErrorFunnel,
    private readonly log: vscode.LogOutputChannel,
  ) {}

  /** Cancels every run in progress. */
  cancelAll(): void {
    for (const abort of this.aborts) abort.abort();
  }

  /** Cancels every run and waits until its container is gone. */
  async stop(): Promise<void> {
    this.cancelAll();
    await Promise.all(this.ends);
  }

  /** Runs a plan to its end and says what has to be said. Never rejects. */
  async start(plan: RunPlan): Promise<void> {
    const end = this.toItsEnd(plan);
    this.ends.add(end);
    await end;
    this.ends.delete(end);
  }

  private async toItsEnd(plan: RunPlan): Promise<void> {
    const abort = new AbortController();
    this.aborts.add(abort);
    await this.publish();
    const follower = new RunFollower(plan.problem.name, plan.problem.checkpoints.length);
    try {
      const runs = await this.withProgress(follower, abort, () => this.drive(plan, follower, abort.signal));
      await setContext(CONTEXT_KEYS.engineTrouble, undefined);
      const run = runs.at(-1);
      if (run !== undefined) this.sayEnd(run);
    } catch (error) {
      await setContext(CONTEXT_KEYS.engineTrouble, ENGINE_TROUBLE[SlopLensError.from(error).code]);
      await this.giveUp(follower);
      void this.errors.show(error, `Run of ${plan.problem.name}`, this.actionsFor(error, plan));
    } finally {
      this.aborts.delete(abort);
      await this.publish();
    }
  }

  dispose(): void {
    this.cancelAll();
  }

  private drive(plan: RunPlan, follower: RunFollower, signal: AbortSignal): Promise<Run[]> {
    const listener = (event: RunEvent): void => {
      if (event.type === "log") this.log[event.level](event.message);
      follower.hear(event);
      this.library.apply(event);
    };
    return this.engine(plan, listener, signal);
  }

  private async withProgress<T>(
    follower: RunFollower,
    abort: AbortController,
    work: () => Promise<T>,
  ): Promise<T> {
    const startedAt = Date.now();
    const item = vscode.window.createStatusBarItem(
      "slopLens.run",
      vscode.StatusBarAlignment.Left,
      Number.MIN_SAFE_INTEGER,
    );
    item.name = "Slop Lens: Run";
    item.command = COMMANDS.showLog;
    item.tooltip = "Show the log of Slop Lens";
    const options = {
      location: vscode.ProgressLocation.Notification,
      cancellable: true,
      title: "",
    };
    try {
      return await vscode.window.withProgress(options, async (progress, token) => {
        token.onCancellationRequested(() => {
          abort.abort();
        });
        let reported = 0;
        const tick = (): void => {
          const seconds = (Date.now() - startedAt) / 1000;
          const { standing } = follower;
          const fraction = Math.max(reported, runFraction(standing) * 100);
          const message = abort.signal.aborted
            ? `${standing.problem}: cancelling`
            : notificationText(standing, seconds);
          progress.report({ message, increment: fraction - reported });
          reported = fraction;
          item.text = statusBarText(standing, seconds);
          item.show();
        };
        tick();
        const timer = setInterval(tick, TICK_MS);
        try {
          return await work();
        } finally {
          clearInterval(timer);
        }
      });
    } finally {
      item.dispose();
    }
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
  private async giveUp(follower: RunFollower): Promise<void> {
    const { folder } = follower;
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
    await setContext(CONTEXT_KEYS.running, this.aborts.size > 0);
  }
}

async function setContext(key: ContextKey, value: unknown): Promise<void> {
  await vscode.commands.executeCommand("setContext", key, value);
}
