import * as vscode from "vscode";
import { sentencesOf, SlopLensError, type ErrorCode } from "../core/model/errors.js";
import { COMMANDS, SETTINGS } from "./ids.js";

/** A button on an error, and what it does. */
export interface ErrorAction {
  readonly title: string;
  readonly run: () => unknown;
}

const SETTING_OF: Partial<Record<ErrorCode, string>> = {
  "engine-missing": SETTINGS.dockerHost,
  "engine-denied": SETTINGS.dockerHost,
  "image-unavailable": SETTINGS.dockerImage,
  "image-unsuitable": SETTINGS.dockerImage,
  "environment-invalid": SETTINGS.environment,
  "agent-invalid": SETTINGS.agentCommand,
  "rules-invalid": SETTINGS.rulesFolders,
};

/** What was refused for how things are, and is no fault of the product: the user reads why, and the log has no error. */
const REFUSALS: ReadonlySet<ErrorCode> = new Set([
  "bad-input",
  "pack-invalid",
  "environment-invalid",
  "rules-invalid",
  "agent-invalid",
  "untrusted",
]);

/** The one way in which errors reach the user: logged in full, shown once, with buttons that fit the cause. */
export class ErrorFunnel {
  private readonly seen = new WeakSet<Error>();
  private readonly onScreen = new Set<string>();

  constructor(private readonly log: vscode.LogOutputChannel) {}

  /** Logs an error without showing it. */
  note(error: unknown, where: string): void {
    const known = SlopLensError.from(error);
    const cause = known.cause instanceof Error ? `\n${known.cause.stack ?? known.cause.message}` : "";
    const level = REFUSALS.has(known.code) ? "warn" : "error";
    this.log[level](`${where}: ${known.message} [${known.code}] ${known.hint}${cause}`);
  }

  /**
   * Shows an error unless the user caused it by cancelling, has seen it, or is looking at the same text now.
   * @param actions buttons of the caller's own, before the usual ones
   */
  async show(error: unknown, where: string, actions: readonly ErrorAction[] = []): Promise<void> {
    const known = SlopLensError.from(error);
    if (known.code === "cancelled" || this.seen.has(known)) return;
    this.seen.add(known);
    this.note(known, where);
    const sentences = sentencesOf(known);
    const text = /[.?…]$/u.test(sentences) ? sentences : `${sentences}.`;
    if (this.onScreen.has(text)) return;
    this.onScreen.add(text);
    const all = [...actions, ...usualActions(known)];
    const isRefusal = REFUSALS.has(known.code);
    const say = isRefusal ? vscode.window.showWarningMessage : vscode.window.showErrorMessage;
    const chosen = await say(text, ...all.map(({ title }) => title));
    this.onScreen.delete(text);
    await all.find(({ title }) => title === chosen)?.run();
  }

  /** Runs `work` and shows what it throws. */
  async guard<T>(where: string, work: () => Promise<T> | T): Promise<T | undefined> {
    try {
      return await work();
    } catch (error) {
      void this.show(error, where);
      return undefined;
    }
  }
}

function usualActions(error: SlopLensError): ErrorAction[] {
  const setting = SETTING_OF[error.code];
  const openSettings: ErrorAction = {
    title: vscode.l10n.t("Open Settings"),
    run: () => vscode.commands.executeCommand("workbench.action.openSettings", setting),
  };
  const showLog: ErrorAction = {
    title: vscode.l10n.t("Show Log"),
    run: () => vscode.commands.executeCommand(COMMANDS.showLog),
  };
  return [...(setting === undefined ? [] : [openSettings]), showLog];
}
