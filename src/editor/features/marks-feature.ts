import path from "node:path";
import * as vscode from "vscode";
import type { QualityReport } from "../../core/model/quality.js";
import { COMMANDS, INTERNAL_COMMANDS, LANGUAGES, VIEWS } from "../ids.js";
import type { MarkController } from "../marks/controller.js";
import { documentPath } from "../marks/followed.js";
import { hoverAt, suppressedHover, type HoverLinks } from "../marks/hover.js";
import type { Marks } from "../marks/marks.js";
import { nextLine, previousLine } from "../marks/navigate.js";
import { statusText, statusTooltip } from "../marks/summary.js";
import type { Feature } from "../services.js";
import { toggleMarks } from "../settings.js";
import { registerCommands } from "./commands.js";
import { howIsThisCounted } from "./how-is-this-counted.js";

/** What surrounds the marks: hovers, status item, and the commands that go from mark to mark. */
export const marksFeature: Feature = ({ marks, errors, documents }) =>
  vscode.Disposable.from(
    statusItem(marks),
    vscode.languages.registerHoverProvider([...LANGUAGES], {
      provideHover: (document, position) => hover(marks, document, position),
    }),
    registerCommands(errors, {
      [COMMANDS.toggleMarks]: async () => {
        const on = await toggleMarks();
        vscode.window.setStatusBarMessage(`Slop Lens: marks ${on ? "on" : "off"}`, 3000);
      },
      [COMMANDS.nextComplexFunction]: () => {
        go(marks, functionLines, nextLine, "complex function");
      },
      [COMMANDS.previousComplexFunction]: () => {
        go(marks, functionLines, previousLine, "complex function");
      },
      [COMMANDS.nextClone]: () => {
        go(marks, cloneLines, nextLine, "clone");
      },
      [COMMANDS.marksMenu]: () => menu(marks),
      [INTERNAL_COMMANDS.howIsThisCounted]: () => howIsThisCounted(documents),
    }),
  );

function statusItem(marks: MarkController): vscode.Disposable {
  const item = vscode.window.createStatusBarItem("slopLens.marks", vscode.StatusBarAlignment.Right, 99);
  item.name = "Slop Lens: Marks";
  item.command = COMMANDS.marksMenu;
  const show = (): void => {
    const editor = vscode.window.activeTextEditor;
    const standing = editor === undefined ? undefined : marks.standing(editor);
    const text = standing === undefined ? undefined : statusText(standing);
    if (standing === undefined || text === undefined) {
      item.hide();
      return;
    }
    // Words for a wait that is over before they are read only make the bar flicker.
    if (standing.kind === "analysing" && !marks.isSlow(editor?.document)) return;
    item.text = text;
    item.tooltip = statusTooltip(standing);
    item.accessibilityInformation = { label: text.replace(/\$\([^)]*\)\s*/, "Slop Lens: ") };
    item.show();
  };
  show();
  return vscode.Disposable.from(
    item,
    vscode.window.onDidChangeActiveTextEditor(() => {
      item.hide();
      show();
    }),
    vscode.window.tabGroups.onDidChangeTabs(show),
    marks.onDidChange(show),
  );
}

function hover(
  marks: MarkController,
  document: vscode.TextDocument,
  position: vscode.Position,
): vscode.Hover | undefined {
  const result = marks.result(document);
  if (result === undefined) return undefined;
  const line = position.line + 1;
  const { profile, suppressed } = result.report;
  const parts = [
    hoverAt(result.marks, line, position.character + 1, profile, linksFor(document)),
    suppressedHover(suppressed, line),
  ].filter((part) => part !== undefined);
  if (parts.length === 0) return undefined;
  const markdown = new vscode.MarkdownString(parts.join("\n\n---\n\n"), true);
  markdown.isTrusted = {
    enabledCommands: [
      INTERNAL_COMMANDS.revealLines,
      INTERNAL_COMMANDS.howIsThisCounted,
      `${VIEWS.hotspots}.focus`,
    ],
  };
  return new vscode.Hover(markdown);
}

function linksFor(document: vscode.TextDocument): HoverLinks {
  const command = (text: string, id: string, values: readonly unknown[]): string =>
    `[${text}](command:${id}?${encodeURIComponent(JSON.stringify(values))})`;
  const own = document.uri.toString();
  return {
    lines: (text, file, start, end) =>
      command(text, INTERNAL_COMMANDS.revealLines, [
        file === undefined ? own : addressOf(document, file),
        start,
        end,
      ]),
    hotspots: (text) => command(text, `${VIEWS.hotspots}.focus`, []),
    howCounted: (text) => command(text, INTERNAL_COMMANDS.howIsThisCounted, []),
    name: (file) => path.posix.basename(file.replaceAll("\\", "/")),
  };
}

/** A report calls the document by its own path; any other file stands on disk. */
function addressOf(document: vscode.TextDocument, file: string): string {
  return file === documentPath(document) ? document.uri.toString() : vscode.Uri.file(file).toString();
}

type LinesOf = (marks: Marks) => readonly number[];

const functionLines: LinesOf = (marks) => marks.functions.map(({ line }) => line);
const cloneLines: LinesOf = (marks) => marks.clones.map(({ start }) => start);

function go(
  marks: MarkController,
  linesOf: LinesOf,
  step: (lines: readonly number[], from: number) => number | undefined,
  what: string,
): void {
  const editor = vscode.window.activeTextEditor;
  const result = editor === undefined ? undefined : marks.result(editor.document);
  if (editor === undefined || result === undefined) return;
  const line = step(linesOf(result.marks), editor.selection.active.line + 1);
  if (line === undefined) {
    vscode.window.setStatusBarMessage(`Slop Lens: no ${what} in this file`, 3000);
    return;
  }
  moveTo(editor, line);
}

function moveTo(editor: vscode.TextEditor, line: number): void {
  const start = editor.document.lineAt(line - 1).firstNonWhitespaceCharacterIndex;
  const at = new vscode.Position(line - 1, start);
  editor.selection = new vscode.Selection(at, at);
  editor.revealRange(new vscode.Range(at, at), vscode.TextEditorRevealType.InCenterIfOutsideViewport);
}

interface MenuItem extends vscode.QuickPickItem {
  readonly run?: () => unknown;
}

/** All that can be done with the marks of the active editor. */
async function menu(marks: MarkController): Promise<void> {
  const editor = vscode.window.activeTextEditor;
  const result = editor === undefined ? undefined : marks.result(editor.document);
  const functions =
    editor === undefined || result === undefined ? [] : functionItems(editor, result.report, result.marks);
  const call = (label: string, id: string): MenuItem => ({
    label,
    run: () => vscode.commands.executeCommand(id),
  });
  const items: MenuItem[] = [
    ...functions,
    { label: "", kind: vscode.QuickPickItemKind.Separator },
    call("Go to Next Complex Function", COMMANDS.nextComplexFunction),
    call("Go to Previous Complex Function", COMMANDS.previousComplexFunction),
    call("Go to Next Clone", COMMANDS.nextClone),
    call("Show Hotspots", `${VIEWS.hotspots}.focus`),
    call("Toggle Marks", COMMANDS.toggleMarks),
    call("How Is This Counted?", INTERNAL_COMMANDS.howIsThisCounted),
  ];
  const chosen = await vscode.window.showQuickPick(items, { title: "Slop Lens: Marks in This Editor" });
  await chosen?.run?.();
}

function functionItems(editor: vscode.TextEditor, report: QualityReport, marks: Marks): MenuItem[] {
  return [...marks.functions]
    .sort((a, b) => b.callable.mass - a.callable.mass)
    .map(({ callable, text, line }) => ({
      label: `$(symbol-method) ${callable.qualifiedName}`,
      description: text,
      detail: `Line ${line}, profile ${report.profile}`,
      run: () => {
        moveTo(editor, line);
      },
    }));
}
