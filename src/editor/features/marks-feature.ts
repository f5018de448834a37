import * as vscode from "vscode";
import { COMMANDS, INTERNAL_COMMANDS, LANGUAGES } from "../ids.js";
import type { MarkController } from "../marks/controller.js";
import { MarkHovers } from "../marks/hover-provider.js";
import { complexityLenses } from "../marks/lenses.js";
import type { Marks } from "../marks/marks.js";
import { editorFor, moveTo } from "../marks/move.js";
import { nextLine, previousLine } from "../marks/navigate.js";
import { problems } from "../marks/problems.js";
import { marksStatus } from "../marks/status-item.js";
import type { Feature } from "../services.js";
import { markLanguage, toggleMarks } from "../settings.js";
import { chooseMarks } from "./choose-marks.js";
import { registerCommands } from "./commands.js";
import { howIsThisCounted } from "./how-is-this-counted.js";
import { marksMenu } from "./marks-menu.js";
import { say, sayWhyNot, whyNot } from "./say-why-not.js";

/** What surrounds the marks: hovers, lenses, problems, status item, and the commands that go from mark to mark. */
export const marksFeature: Feature = (services) => {
  const { marks, library, errors, documents } = services;
  return vscode.Disposable.from(
    marksStatus(marks),
    complexityLenses(marks),
    problems(marks),
    vscode.languages.registerHoverProvider([...LANGUAGES], new MarkHovers(marks, library)),
    registerCommands(errors, {
      [COMMANDS.toggleMarks]: async () => {
        await toggle(marks);
      },
      [COMMANDS.nextComplexFunction]: () => {
        go(marks, functionLines, nextLine, vscode.l10n.t("Slop Lens: no complex function in this file"));
      },
      [COMMANDS.previousComplexFunction]: () => {
        go(marks, functionLines, previousLine, vscode.l10n.t("Slop Lens: no complex function in this file"));
      },
      [COMMANDS.nextClone]: () => {
        go(marks, cloneLines, nextLine, vscode.l10n.t("Slop Lens: no clone in this file"));
      },
      [COMMANDS.marksMenu]: () => marksMenu(services),
      [INTERNAL_COMMANDS.chooseMarks]: chooseMarks,
      [INTERNAL_COMMANDS.explainFunction]: explainFunction,
      [INTERNAL_COMMANDS.howIsThisCounted]: () => howIsThisCounted(documents),
    }),
  );
};

type LinesOf = (marks: Marks) => readonly number[];

const functionLines: LinesOf = (marks) => marks.functions.map(({ line }) => line);
const cloneLines: LinesOf = (marks) => marks.clones.map(({ start }) => start);

function go(
  marks: MarkController,
  linesOf: LinesOf,
  step: (lines: readonly number[], from: number) => number | undefined,
  none: string,
): void {
  const editor = vscode.window.activeTextEditor;
  const result = editor === undefined ? undefined : marks.result(editor.document);
  const isMarked = editor !== undefined && result !== undefined && marks.standing(editor).kind === "done";
  if (!isMarked) {
    sayWhyNot(marks, editor);
    return;
  }
  const line = step(linesOf(result.marks), editor.selection.active.line + 1);
  if (line === undefined) say(none);
  else moveTo(editor, line);
}

/** Turns marks on or off. Where nothing of it is to be seen, it is told why. */
async function toggle(marks: MarkController): Promise<void> {
  const on = await toggleMarks();
  const told = on ? vscode.l10n.t("Slop Lens: marks on") : vscode.l10n.t("Slop Lens: marks off");
  vscode.window.setStatusBarMessage(told, 3000);
  const editor = vscode.window.activeTextEditor;
  const standing = editor && marks.standing(editor).kind;
  if (editor !== undefined && standing === "off") {
    if (on) await offerLanguage(editor.document);
  } else if (standing !== "done" && standing !== "analysing") {
    const why = whyNot(marks, editor);
    say(on ? vscode.l10n.t("Marks are on now. {0}", why) : vscode.l10n.t("Marks are off now. {0}", why));
  }
}

/** Marks are on, but for the language of a document. */
async function offerLanguage({ languageId }: vscode.TextDocument): Promise<void> {
  const turnOn = vscode.l10n.t("Turn Marks On for {0}", languageId);
  const message = vscode.l10n.t("Marks are on now, but off for {0}.", languageId);
  const chosen = await vscode.window.showInformationMessage(message, turnOn);
  if (chosen === turnOn) await markLanguage(languageId, true);
}

/** Shows the hover of a function's signature, as the keyboard would. */
async function explainFunction(uri: unknown, line: unknown): Promise<void> {
  if (typeof uri !== "string" || typeof line !== "number") return;
  moveTo(await editorFor(vscode.Uri.parse(uri, true)), line);
  await vscode.commands.executeCommand("editor.action.showHover");
}
