import * as vscode from "vscode";
import { SlopLensError } from "../../core/model/errors.js";
import { sharedOrders } from "../../core/report/head-to-head.js";
import { attemptLabel } from "../../core/report/run-label.js";
import { INTERNAL_COMMANDS } from "../ids.js";
import { runsOf, type RunPart } from "../library/state.js";
import type { Services } from "../services.js";
import { runComparison } from "../tree/comparison-text.js";
import type { NodeTarget } from "../tree/node.js";
import { runDescription } from "../tree/run-rows.js";
import type { ReportDocuments } from "./report-documents.js";

/** Compare With…: another run of the same problem; the plot's page shows the two head to head. */
export async function compareRuns(services: Services, target: NodeTarget | undefined): Promise<void> {
  if (target?.kind !== "run") return;
  const other = await choose(services, target);
  if (other === undefined) return;
  const folders = [target.run.folder, other.run.folder];
  await vscode.commands.executeCommand(INTERNAL_COMMANDS.showComparison, target.part.problem, ...folders);
}

/** A table of where two runs of a problem part, checkpoint by checkpoint. */
export async function showDifferences(documents: ReportDocuments, a: RunPart, b: RunPart): Promise<void> {
  const name = vscode.l10n.t("Compare {0}", a.part.problem);
  await documents.show(name, `${a.run.folder}\n${b.run.folder}`, runComparison(a, b));
}

interface Item extends vscode.QuickPickItem {
  readonly entry: RunPart;
}

async function choose({ library }: Services, { run, part }: RunPart): Promise<RunPart | undefined> {
  const others = runsOf(library.state, part.problem).filter((entry) => entry.run.folder !== run.folder);
  const items = others
    .filter((entry) => sharedOrders(part, entry.part).length > 0)
    .map((entry): Item => ({
      label: attemptLabel(entry.run),
      description: runDescription(entry.run, entry.part, library.state.measuring),
      detail: entry.run.folder,
      entry,
    }));
  if (items.length === 0 && others.length > 0) {
    throw new SlopLensError(
      "bad-input",
      vscode.l10n.t("No other run of {0} took a checkpoint that this run took too", part.problem),
      vscode.l10n.t("Wait until both have taken the same checkpoint, or choose another run."),
    );
  }
  if (items.length === 0) {
    throw new SlopLensError(
      "bad-input",
      vscode.l10n.t("There is no other run of {0}", part.problem),
      vscode.l10n.t("Run a trajectory or open a run folder."),
    );
  }
  const title = vscode.l10n.t("Compare {0} With", attemptLabel(run));
  const options = { title, matchOnDescription: true, matchOnDetail: true };
  return (await vscode.window.showQuickPick(items, options))?.entry;
}
