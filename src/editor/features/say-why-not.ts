import * as vscode from "vscode";
import type { MarkController } from "../marks/controller.js";
import { statusText } from "../marks/summary.js";

/** Tells why a command has nothing to act on. A line in the status bar would be gone before it is looked for. */
export function say(message: string): void {
  void vscode.window.showInformationMessage(message);
}

/** Tells why an editor has no marks. */
export function sayWhyNot(marks: MarkController, editor: vscode.TextEditor | undefined): void {
  say(whyNot(marks, editor));
}

/** Why an editor has no marks, as a sentence. */
export function whyNot(marks: MarkController, editor: vscode.TextEditor | undefined): string {
  if (editor === undefined) return vscode.l10n.t("Slop Lens: no source file is open in the active editor");
  return statusText(marks.standing(editor)) ?? vscode.l10n.t("Slop Lens: no marks in this kind of editor");
}
