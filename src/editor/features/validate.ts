import * as vscode from "vscode";
import type { Evaluation } from "../../core/evaluation/evaluation.js";
import type { Turn } from "../../core/model/turn.js";
import { SlopLensError } from "../../core/model/errors.js";
import { snapshotFolder } from "../library/turn-files.js";
import { evaluateAgain } from "../product.js";
import { placeOf } from "../run/choose.js";
import type { Services } from "../services.js";
import { validationText, validationWords } from "../tree/comparison-text.js";
import type { CheckpointTarget } from "../tree/node.js";
import { turnWords } from "../words.js";
import type { ReportDocuments } from "./report-documents.js";

/** Validate: runs a snapshot's hidden tests again and says whether they end as stored. The run is not changed. */
export async function validateSnapshot(
  { files, log }: Services,
  documents: ReportDocuments,
  target: CheckpointTarget | undefined,
): Promise<void> {
  const { problem, checkpoint, turn } = target ?? {};
  if (problem === undefined || checkpoint === undefined || turn === undefined) return;
  if (!vscode.workspace.isTrusted) {
    throw new SlopLensError(
      "untrusted",
      vscode.l10n.t("In Restricted Mode nothing is run"),
      vscode.l10n.t("Trust this folder first."),
    );
  }
  const { environment, settings } = placeOf(problem);
  const request = { problem, checkpoint, snapshot: snapshotFolder(turn), environment, settings };
  const name = turnWords(turn);
  const evaluation = await withProgress(name, (tell, signal) => {
    return evaluateAgain(files, request, tell, signal);
  });
  for (const warning of evaluation.warnings) log.warn(warning);
  const show = vscode.l10n.t("Show Differences");
  const reason = evaluation.valid
    ? undefined
    : (evaluation.reason ?? vscode.l10n.t("The evaluation is not valid"));
  const words =
    reason === undefined ? comparedWords(turn, evaluation) : vscode.l10n.t("Not scored: {0}", reason);
  const text = vscode.l10n.t("{0}: {1}", name, words);
  void vscode.window.showInformationMessage(text, show).then(async (chosen) => {
    if (chosen !== show) return;
    const report = validationText(turn, evaluation.outcomes, reason);
    await documents.show(vscode.l10n.t("Validate {0}", name), turn.folder, report);
  });
}

/** How the outcomes compare, and what else a valid evaluation says of itself. */
function comparedWords(turn: Turn, { outcomes, reason }: Evaluation): string {
  const words = validationWords(turn, outcomes);
  return reason === undefined ? words : `${words}. ${reason}`;
}

function withProgress<T>(
  name: string,
  work: (tell: (message: string) => void, signal: AbortSignal) => Promise<T>,
): Thenable<T> {
  const options = { location: vscode.ProgressLocation.Notification, cancellable: true, title: name };
  return vscode.window.withProgress(options, (progress, token) => {
    const abort = new AbortController();
    token.onCancellationRequested(() => {
      abort.abort();
    });
    const tell = (message: string): void => {
      progress.report({ message });
    };
    return work(tell, abort.signal);
  });
}
