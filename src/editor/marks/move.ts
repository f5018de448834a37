import * as vscode from "vscode";

/** Moves the cursor to the first character of a 1-based line, and shows it. */
export function moveTo(editor: vscode.TextEditor, line: number): void {
  const { document } = editor;
  const row = Math.min(line, document.lineCount) - 1;
  const at = new vscode.Position(row, document.lineAt(row).firstNonWhitespaceCharacterIndex);
  editor.selection = new vscode.Selection(at, at);
  editor.revealRange(new vscode.Range(at, at), vscode.TextEditorRevealType.InCenterIfOutsideViewport);
}
