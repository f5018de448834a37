import * as vscode from "vscode";
import { SlopLensError } from "../../core/model/errors.js";
import { runLabel } from "../../core/report/run-label.js";
import { runsOf, type RunPart } from "../library/state.js";
import type { Services } from "../services.js";
import { runComparison } from "../tree/comparison-text.js";
import type { NodeTarget } from "../tree/node.js";
import { runDescription } from "../tree/run-rows.js";
import type { ReportDocuments } from "./report-documents.js";

/** Compare With…: another run of the same problem, and a table of where the two part. */
export async function compareRuns(
  services: Services,
  documents: ReportDocuments,
  target: NodeTarget | undefined,
): Promise<void> {
  if (target?.kind !== "run") return;
  const other = await choose(services, target);
  if (other === undefined) return;
  const key = `${target.run.folder}\n${other.run.folder}`;
  const name = vscode.l10n.t("Compare {0}", target.part.problem);
  await documents.show(name, key, runComparison(target, other));
}

interface Item extends vscode.QuickPickItem {
  readonly entry: RunPart;
}

async function choose({ library }: Services, { run, part }: RunPart): Promise<RunPart | undefined> {
  const items = runsOf(library.state, part.problem)
    .filter((entry) => entry.run.folder !== run.folder)
    .map((entry): Item => ({
      label: runLabel(entry.run),
      description: runDescription(entry.run, entry.part),
      detail: entry.run.folder,
      entry,
    }));
  if (items.length === 0) {
    throw new SlopLensError(
      "bad-input",
      vscode.l10n.t("There is no other run of {0}", part.problem),
      vscode.l10n.t("Run a trajectory or open a run folder."),
    );
  }
  const title = vscode.l10n.t("Compare {0} With", runLabel(run));
  const options = { title, matchOnDescription: true, matchOnDetail: true };
  return (await vscode.window.showQuickPick(items, options))?.entry;
}
