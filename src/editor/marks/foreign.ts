import * as vscode from "vscode";
import { foreignDocument } from "../../core/analysis/foreign-code.js";

/** Judged once: what a file is does not change while it is typed into. */
const judged = new WeakMap<vscode.TextDocument, string>();

/** @returns why a document is code that nobody of the project writes by hand, so that commands skip it; or undefined */
export function foreignReason(document: vscode.TextDocument): string | undefined {
  const known = judged.get(document);
  if (known !== undefined) return known === "" ? undefined : known;
  const path = vscode.workspace.asRelativePath(document.uri, false).replaceAll("\\", "/");
  const reason = foreignDocument(path, document.getText(), document.languageId);
  judged.set(document, reason ?? "");
  return reason;
}
