import * as vscode from "vscode";
import { LARGEST_MARKED } from "../../core/analysis/analysis.js";
import { LANGUAGES } from "../ids.js";
import { markKinds } from "../settings.js";
import { NOTEBOOK_CELL } from "./followed.js";
import { foreignReason } from "./foreign.js";
import type { MarkKinds } from "./kinds.js";
import type { MarkStanding } from "./summary.js";

const SCHEMES = new Set(["file", "untitled", "vscode-remote", "vscode-vfs", "memfs", NOTEBOOK_CELL]);
/** So much of a text is looked at to tell that it is none, as commands do with files. */
const SNIFFED = 8192;
const HEAD_LINES = 500;

/**
 * Why an editor has no marks; undefined when it has.
 * @param always URIs of documents that have them also as a side of a diff
 */
export function refusal(editor: vscode.TextEditor, always: ReadonlySet<string>): MarkStanding | undefined {
  const { document } = editor;
  const kinds = markKinds(document);
  const isPlace = isCodePlace(document.uri) && isMarkedPlace(editor, kinds);
  if (!isPlace && !always.has(document.uri.toString())) return { kind: "not-here" };
  if (kinds === undefined) return { kind: "off" };
  if (!LANGUAGES.some((language) => language === document.languageId)) return { kind: "language" };
  if (isTooLarge(document)) return { kind: "size" };
  if (headOf(document).includes("\0")) return { kind: "no-text" };
  const reason = foreignReason(document);
  return reason === undefined ? undefined : { kind: "foreign", reason };
}

/** Whether something may be code that somebody works on: it lies on a disk, in the workspace, or where it can be saved. */
function isCodePlace({ scheme }: vscode.Uri): boolean {
  return (
    SCHEMES.has(scheme) ||
    (vscode.workspace.workspaceFolders ?? []).some(({ uri }) => uri.scheme === scheme) ||
    vscode.workspace.fs.isWritableFileSystem(scheme) === true
  );
}

/** What is no text shows it in its first lines, too. */
function headOf(document: vscode.TextDocument): string {
  return document.getText(new vscode.Range(0, 0, HEAD_LINES, 0)).slice(0, SNIFFED);
}

/** Whether a document is larger than what is marked, as a file. A UTF-16 unit takes one to three bytes there. */
function isTooLarge(document: vscode.TextDocument): boolean {
  const units = lengthOf(document);
  if (units > LARGEST_MARKED || units * 3 <= LARGEST_MARKED) return units > LARGEST_MARKED;
  const known = sizes.get(document);
  if (known?.version === document.version) return known.bytes > LARGEST_MARKED;
  const bytes = Buffer.byteLength(document.getText());
  sizes.set(document, { version: document.version, bytes });
  return bytes > LARGEST_MARKED;
}

const sizes = new WeakMap<vscode.TextDocument, { readonly version: number; readonly bytes: number }>();

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
