import * as vscode from "vscode";
import { SlopLensError } from "../../core/model/errors.js";
import type { Library } from "../library/library.js";
import { readers } from "../product.js";
import type { NodeTarget } from "../tree/node.js";
import { checkTargets } from "./commands.js";
import { folderOf, targetOf } from "./targets.js";

/**
 * Refuses a run whose folder is gone, and lets its row go. Folders outside of the workspace are not watched, and those
 * within a moment later than they go.
 * @throws SlopLensError run-folder
 */
export async function refuseGone(library: Library, run: string): Promise<void> {
  if (await readers.isThere(run)) return;
  library.forget(run);
  throw new SlopLensError(
    "run-folder",
    vscode.l10n.t("This run is no longer on the disk: {0}", run),
    vscode.l10n.t("It was moved or deleted."),
  );
}

/** Has every command that is called on a row of a run or checkpoint look first whether that is there. */
export function refuseGoneTargets(library: Library): vscode.Disposable {
  return checkTargets(async (value) => {
    const target = targetOf(value);
    const run = runOf(target);
    if (run === undefined) return;
    await refuseGone(library, run);
    const folder = folderOf(target);
    if (folder === undefined || (await readers.isThere(folder))) return;
    await library.update(new Set([folder]), []);
    throw new SlopLensError(
      "run-folder",
      vscode.l10n.t("This checkpoint is no longer on the disk: {0}", folder),
      vscode.l10n.t("It was moved or deleted."),
    );
  });
}

/** Folder of the run that a row belongs to. */
function runOf(target: NodeTarget | undefined): string | undefined {
  if (target?.kind === "run") return target.run.folder;
  if (target?.kind !== "checkpoint" || target.turn === undefined) return undefined;
  return target.turn.verdict === "not-reached" ? undefined : target.run?.folder;
}
