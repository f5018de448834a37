import * as vscode from "vscode";
import { MARK_KINDS, type MarkKind, type MarkKinds } from "../marks/kinds.js";
import { chooseKinds, chosenKinds } from "../settings.js";

/** Asks what is to be marked, and where; the setting `slopLens.marks.show` keeps the answer. */
export async function chooseMarks(): Promise<void> {
  const now = chosenKinds(undefined);
  const labels = kindLabels();
  const items = MARK_KINDS.map((kind) => ({ label: labels[kind], picked: now[kind], mark: kind }));
  const chosen = await vscode.window.showQuickPick(items, {
    title: vscode.l10n.t("Choose What Is Marked"),
    canPickMany: true,
  });
  if (chosen === undefined) return;
  const isOn = (kind: MarkKind): boolean => chosen.some((item) => item.mark === kind);
  await chooseKinds(Object.fromEntries(MARK_KINDS.map((kind) => [kind, isOn(kind)])) as MarkKinds);
}

function kindLabels(): Readonly<Record<MarkKind, string>> {
  return {
    complexity: vscode.l10n.t("Functions with high complexity"),
    clones: vscode.l10n.t("Clone lines"),
    verbosity: vscode.l10n.t("Verbose lines"),
    codeLens: vscode.l10n.t("Figures of functions as CodeLens, not at the end of the line"),
    problems: vscode.l10n.t("Entries in the Problems view too"),
    diffs: vscode.l10n.t("In diffs too"),
  };
}
