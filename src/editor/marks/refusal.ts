import * as vscode from "vscode";
import { LANGUAGES } from "../ids.js";
import { markKinds } from "../settings.js";
import { NOTEBOOK_CELL } from "./followed.js";
import { foreignReason } from "./foreign.js";
import type { MarkKinds } from "./kinds.js";
import type { MarkStanding } from "./summary.js";

/** Larger documents are not marked. */
const LARGEST = 1_000_000;
const SCHEMES = new Set(["file", "untitled", "vscode-remote", "vscode-vfs", "memfs", NOTEBOOK_CELL]);

/**
 * Why an editor has no marks; undefined when it has.
 * @param always URIs of documents that have them also as a side of a diff
 */
export function refusal(editor: vscode.TextEditor, always: ReadonlySet<string>): MarkStanding | undefined {
  const { document } = editor;
  const kinds = markKinds(document);
  const isPlace = SCHEMES.has(document.uri.scheme) && isMarkedPlace(editor, kinds);
  if (!isPlace && !always.has(document.uri.toString())) return { kind: "not-here" };
  if (kinds === undefined) return { kind: "off" };
  if (!LANGUAGES.some((language) => language === document.languageId)) return { kind: "language" };
  if (lengthOf(document) > LARGEST) return { kind: "size" };
  const reason = foreignReason(document);
  return reason === undefined ? undefined : { kind: "foreign", reason };
}

/** Without copying the text. */
function lengthOf(document: vscode.TextDocument): number {
  return document.lineCount === 0 ? 0 : document.offsetAt(document.lineAt(document.lineCount - 1).range.end);
}

/** Whether an editor shows one text, a cell of a notebook or, where that is wanted, the new side of a diff. */
function isMarkedPlace({ document, viewColumn }: vscode.TextEditor, kinds: MarkKinds | undefined): boolean {
  return vscode.window.tabGroups.all.some(({ viewColumn: column, activeTab }) => {
    const input = activeTab?.input;
    if (input instanceof vscode.TabInputText) {
      return column === viewColumn && isSame(input.uri, document.uri);
    }
    // VS Code tells no column for the editors of cells and for the sides of diffs.
    if (viewColumn !== undefined && column !== viewColumn) return false;
    if (input instanceof vscode.TabInputNotebook) return isCellOf(document.uri, input.uri);
    const isDiff = input instanceof vscode.TabInputTextDiff && kinds?.diffs === true;
    return isDiff && isSame(input.modified, document.uri);
  });
}

function isCellOf(cell: vscode.Uri, notebook: vscode.Uri): boolean {
  return cell.scheme === NOTEBOOK_CELL && cell.path === notebook.path;
}

function isSame(a: vscode.Uri, b: vscode.Uri): boolean {
  return a.toString() === b.toString();
}
