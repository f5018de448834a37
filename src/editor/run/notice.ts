import * as vscode from "vscode";

const TICK_MS = 500;

/** What is shown while something runs: in a notification and, once that is hidden, by VS Code in the status bar. */
export interface Notice {
  readonly message: (seconds: number) => string;
  /** Roughly how much is done, 0 to 1. */
  readonly fraction: () => number;
  /** Called when the user presses Cancel. */
  readonly cancel: () => void;
}

/** Shows a notice until `work` is done. */
export async function withNotice<T>(notice: Notice, work: () => Promise<T>): Promise<T> {
  const startedAt = Date.now();
  const options = {
    location: vscode.ProgressLocation.Notification,
    cancellable: true,
    title: "",
  };
  return vscode.window.withProgress(options, async (progress, token) => {
    token.onCancellationRequested(notice.cancel);
    let reported = 0;
    const tick = (): void => {
      const seconds = (Date.now() - startedAt) / 1000;
      const fraction = Math.max(reported, notice.fraction() * 100);
      progress.report({ message: notice.message(seconds), increment: fraction - reported });
      reported = fraction;
    };
    tick();
    const timer = setInterval(tick, TICK_MS);
    try {
      return await work();
    } finally {
      clearInterval(timer);
    }
  });
}
