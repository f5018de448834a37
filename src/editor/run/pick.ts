import * as vscode from "vscode";

/** An entry of a quick pick that stands for a value. */
export interface Choice<T> extends vscode.QuickPickItem {
  readonly value: T;
}

/** Shows a quick pick; descriptions are searched too. @returns undefined when the user left */
export function pick<T>(
  items: readonly Choice<T>[],
  title: string,
  placeHolder: string,
): Thenable<Choice<T> | undefined> {
  return vscode.window.showQuickPick(items, { title, placeHolder, matchOnDescription: true });
}
