import * as vscode from "vscode";
import { COMMANDS } from "../ids.js";
import type { MarkController } from "./controller.js";
import { statusText, statusTooltip } from "./summary.js";

/** The figures of the active editor in the status bar, or why there are none. */
export function marksStatus(marks: MarkController): vscode.Disposable {
  const item = vscode.window.createStatusBarItem("slopLens.marks", vscode.StatusBarAlignment.Right, 99);
  item.name = vscode.l10n.t("Slop Lens: Marks");
  item.command = COMMANDS.marksMenu;
  const show = (): void => {
    const editor = vscode.window.activeTextEditor;
    const standing = editor === undefined ? undefined : marks.standing(editor);
    const text = standing === undefined ? undefined : statusText(standing);
    if (standing === undefined || text === undefined) {
      item.hide();
      return;
    }
    // Words for a wait that is over before they are read only make the bar flicker.
    if (standing.kind === "analysing" && !marks.isSlow(editor?.document)) return;
    item.text = text;
    item.tooltip = statusTooltip(standing);
    item.accessibilityInformation = { label: text.replace(/\$\([^)]*\)\s*/, "Slop Lens: ") };
    item.show();
  };
  show();
  return vscode.Disposable.from(
    item,
    vscode.window.onDidChangeActiveTextEditor(() => {
      item.hide();
      show();
    }),
    vscode.window.tabGroups.onDidChangeTabs(show),
    marks.onDidChange(show),
  );
}
