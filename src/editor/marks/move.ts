import * as vscode from "vscode";
import { NOTEBOOK_CELL } from "./followed.js";

/** The editor of a document, opened where none shows it. A cell stays in its notebook. */
export async function editorFor(uri: vscode.Uri): Promise<vscode.TextEditor> {
  const shown = vscode.window.visibleTextEditors.find(({ document }) => isSame(document.uri, uri));
  if (uri.scheme === NOTEBOOK_CELL && shown !== undefined) return shown;
  const viewColumn = shown?.viewColumn ?? vscode.ViewColumn.Active;
  return vscode.window.showTextDocument(uri, { preview: true, viewColumn });
}

function isSame(a: vscode.Uri, b: vscode.Uri): boolean {
  return a.toString() === b.toString();
}

/** Moves the cursor to the first character of a 1-based line, and shows it. */
export function moveTo(editor: vscode.TextEditor, line: number): void {
  const { document } = editor;
  const row = Math.min(line, document.lineCount) - 1;
  const at = new vscode.Position(row, document.lineAt(row).firstNonWhitespaceCharacterIndex);
  editor.selection = new vscode.Selection(at, at);
  editor.revealRange(new vscode.Range(at, at), vscode.TextEditorRevealType.InCenterIfOutsideViewport);
}
