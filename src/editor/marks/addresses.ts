import path from "node:path";
import * as vscode from "vscode";
import { documentPath, NOTEBOOK_CELL } from "./followed.js";

/** The document that a report on another one calls by a path: one that is open, or a file on disk. */
export function addressOf(document: vscode.TextDocument, reported: string): vscode.Uri {
  const open = [document, ...vscode.workspace.textDocuments].find((one) => documentPath(one) === reported);
  return open?.uri ?? vscode.Uri.file(reported);
}

/** How a document is named to people: by its file, and by its cell where that is a notebook. */
export function nameOf(uri: vscode.Uri): string {
  const name = path.posix.basename(uri.path);
  if (uri.scheme !== NOTEBOOK_CELL) return name;
  const cells = vscode.workspace.notebookDocuments
    .find((notebook) => notebook.uri.path === uri.path)
    ?.getCells();
  const index = cells?.findIndex((cell) => cell.document.uri.toString() === uri.toString()) ?? -1;
  return index < 0 ? name : vscode.l10n.t("{0}, cell {1}", name, index + 1);
}
