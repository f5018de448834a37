import * as vscode from "vscode";
import type { Turn } from "../core/model/turn.js";
import { EARLIER_SCHEME } from "./ids.js";
import type { FileChange, TurnFiles } from "./library/turn-files.js";

/**
 * The earlier side of a comparison. Two files with paths of their own would be shown as a file that was renamed, the
 * later path first and the earlier one crossed out, so that this side takes the path of the later one.
 * @param earlier absolute path of the file itself
 */
export function earlierSide(now: vscode.Uri, earlier: string): vscode.Uri {
  return now.with({ scheme: EARLIER_SCHEME, query: earlier });
}

/** Opens what differs between two snapshots, in VS Code's own view of several diffs. */
export async function openChanges(files: TurnFiles, before: Turn, now: Turn, title: string): Promise<void> {
  const changes = await files.changes(before, now);
  if (changes.length > 0)
    await vscode.commands.executeCommand("vscode.changes", title, changes.map(comparison));
  else await vscode.window.showInformationMessage(vscode.l10n.t("No file changed: {0}.", title));
}

/** A file as the comparison takes it: label, left, right. */
function comparison({
  before,
  now,
}: FileChange): readonly [vscode.Uri, vscode.Uri | undefined, vscode.Uri | undefined] {
  if (now === undefined) return [vscode.Uri.file(before), vscode.Uri.file(before), undefined];
  const right = vscode.Uri.file(now);
  return [right, before === undefined ? undefined : earlierSide(right, before), right];
}
