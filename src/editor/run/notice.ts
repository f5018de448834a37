import * as vscode from "vscode";
import { COMMANDS } from "../ids.js";

const TICK_MS = 500;

/** What is shown in a notification and in the status bar while something runs. */
export interface Notice {
  readonly message: (seconds: number) => string;
  /** Roughly how much is done, 0 to 1. */
  readonly fraction: () => number;
  readonly status: (seconds: number) => string;
  /** Called when the user presses Cancel. */
  readonly cancel: () => void;
}

/** Shows a notice until `work` is done. */
export async function withNotice<T>(notice: Notice, work: () => Promise<T>): Promise<T> {
  const startedAt = Date.now();
  const item = vscode.window.createStatusBarItem(
    "slopLens.run",
    vscode.StatusBarAlignment.Left,
    Number.MIN_SAFE_INTEGER,
  );
  item.name = vscode.l10n.t("Slop Lens: Run");
  item.command = COMMANDS.showLog;
  item.tooltip = vscode.l10n.t("Show the log of Slop Lens");
  const options = {
    location: vscode.ProgressLocation.Notification,
    cancellable: true,
    title: "",
  };
  try {
    return await vscode.window.withProgress(options, async (progress, token) => {
      token.onCancellationRequested(notice.cancel);
      let reported = 0;
      const tick = (): void => {
        const seconds = (Date.now() - startedAt) / 1000;
        const fraction = Math.max(reported, notice.fraction() * 100);
        progress.report({ message: notice.message(seconds), increment: fraction - reported });
        reported = fraction;
        item.text = notice.status(seconds);
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
