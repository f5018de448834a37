import * as vscode from "vscode";

/** An entry of a quick pick that stands for a value. */
export interface Choice<T> extends vscode.QuickPickItem {
  readonly value: T;
}

/**
 * Shows one question of several; descriptions are searched too. A page that takes the focus while it loads, or a look
 * at another window, must not lose the answers before.
 * @returns undefined when the user left
 */
export function pick<T>(
  items: readonly Choice<T>[],
  title: string,
  placeHolder: string,
): Thenable<Choice<T> | undefined> {
  const options = { title, placeHolder, matchOnDescription: true, ignoreFocusOut: true };
  return vscode.window.showQuickPick(items, options);
}
