import * as vscode from "vscode";
import { CLONE_SCHEME, COMMANDS } from "../ids.js";
import { addressOf, nameOf } from "../marks/addresses.js";
import { clonePairs, MOST_PAIRS, dedent, lineSpan, type ClonePair } from "../marks/clone-pairs.js";
import { documentPath, NOTEBOOK_CELL } from "../marks/followed.js";
import type { CloneMark, Marks } from "../marks/marks.js";
import type { Feature, Services } from "../services.js";
import { registerCommands } from "./commands.js";
import { say, sayWhyNot } from "./say-why-not.js";

/** Compare With Other Copy: VS Code's own diff of two copies of a clone, in one file or two. */
export const compareClones: Feature = (services) =>
  vscode.Disposable.from(
    vscode.workspace.registerTextDocumentContentProvider(CLONE_SCHEME, {
      provideTextDocumentContent: copyText,
    }),
    registerCommands(services.errors, {
      [COMMANDS.compareClone]: (uri, ids) => compare(services, uri, ids),
    }),
  );

async function compare({ marks }: Services, uri: unknown, ids: unknown): Promise<void> {
  const editor = vscode.window.activeTextEditor;
  const named = vscode.workspace.textDocuments.find((one) => one.uri.toString() === uri);
  const document = named ?? editor?.document;
  const shown = document && marks.result(document)?.marks;
  if (document === undefined || shown === undefined) sayWhyNot(marks, editor);
  else if (shown.clones.length === 0) say(vscode.l10n.t("Slop Lens: no clone in this file"));
  else {
    const here = Array.isArray(ids)
      ? shown.clones.filter(({ id }) => ids.includes(id))
      : clonesAtCursor(shown, editor);
    const pair = await choose(document, shown, here);
    if (pair !== undefined) await openDiff(document, pair);
  }
}

/** The clones of the cursor's line; on the signature of a function those inside it. */
function clonesAtCursor({ clones, functions }: Marks, editor: vscode.TextEditor | undefined): CloneMark[] {
  const line = (editor?.selection.active.line ?? 0) + 1;
  const here = clones.filter(({ start, end }) => line >= start && line <= end);
  const signed = functions.find((mark) => mark.line === line)?.callable;
  if (here.length > 0 || signed === undefined) return here;
  return clones.filter(({ start, end }) => start >= signed.start && end <= signed.end);
}

/** Asks which two copies; beside all clones, each of the file can be chosen. */
async function choose(
  document: vscode.TextDocument,
  { clones }: Marks,
  here: readonly CloneMark[],
): Promise<ClonePair | undefined> {
  const isHere = here.length > 0;
  const wanted = isHere ? here : clones;
  const pairs = clonePairs(wanted, documentPath(document));
  if (isHere && pairs.length < 2) return pairs[0];
  const items = pairs.map((pair) => ({
    label: `$(files) ${placeWords(document, pair.other)}`,
    description: vscode.l10n.t("beside {0}", placeWords(document, pair.own)),
    pair,
  }));
  const isWhole = pairs.length < MOST_PAIRS && wanted.every(({ copies, count }) => copies.length === count);
  const notes = [
    ...(isHere ? [] : [vscode.l10n.t("No clone at the cursor; these are in this file")]),
    ...(isWhole ? [] : [vscode.l10n.t("The first {0} of many", pairs.length)]),
  ];
  const title = vscode.l10n.t("Compare With Other Copy");
  const options = { title, ...(notes.length > 0 && { placeHolder: notes.join(" · ") }) };
  return (await vscode.window.showQuickPick(items, options))?.pair;
}

async function openDiff(document: vscode.TextDocument, { own, other }: ClonePair): Promise<void> {
  const title = `${placeWords(document, own)} ↔ ${placeWords(document, other)}`;
  const sides = [own, other].map(({ path, start, end }) => copyUri(addressOf(document, path), start, end));
  await vscode.commands.executeCommand("vscode.diff", ...sides, title);
}

/** `shelf.py 24–26`. */
function placeWords(document: vscode.TextDocument, { path, start, end }: ClonePair["own"]): string {
  return `${nameOf(addressOf(document, path))} ${lineSpan(start, end)}`;
}

/** The name decides how the copy is coloured; that of a notebook would be opened as one. */
function copyUri(uri: vscode.Uri, start: number, end: number): vscode.Uri {
  const name = uri.scheme === NOTEBOOK_CELL ? `${nameOf(uri)}.py` : nameOf(uri);
  const query = JSON.stringify({ uri: uri.toString(), start, end } satisfies Copy);
  return vscode.Uri.from({ scheme: CLONE_SCHEME, path: `/${name}`, query });
}

interface Copy {
  readonly uri: string;
  readonly start: number;
  readonly end: number;
}

/** Both copies begin at the margin, so that only what differs stands out. */
async function copyText({ query }: vscode.Uri): Promise<string> {
  const { uri, start, end } = JSON.parse(query) as Copy;
  const document = await vscode.workspace.openTextDocument(vscode.Uri.parse(uri, true));
  const lines = Array.from({ length: end - start + 1 }, (_, index) => start - 1 + index)
    .filter((line) => line < document.lineCount)
    .map((line) => document.lineAt(line).text);
  return `${dedent(lines).join("\n")}\n`;
}
