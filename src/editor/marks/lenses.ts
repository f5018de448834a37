import * as vscode from "vscode";
import { INTERNAL_COMMANDS, LANGUAGES } from "../ids.js";
import type { MarkController } from "./controller.js";

/** The figures of complex functions as CodeLenses, where they are wanted in place of the ends of lines. */
export function complexityLenses(marks: MarkController): vscode.Disposable {
  const changes = new vscode.EventEmitter<void>();
  const told = new WeakMap<vscode.TextDocument, string>();
  // VS Code asks again after each edit; besides that it is told only what differs, so that lenses do not blink.
  const tell = (document: vscode.TextDocument): void => {
    const now = JSON.stringify(lensesOf(marks, document).map(({ line, text }) => [line, text]));
    if (now === (told.get(document) ?? "[]")) return;
    told.set(document, now);
    changes.fire();
  };
  const provider: vscode.CodeLensProvider = {
    onDidChangeCodeLenses: changes.event,
    provideCodeLenses: (document) =>
      lensesOf(marks, document)
        .filter(({ line }) => line <= document.lineCount)
        .map(
          ({ line, text }) =>
            new vscode.CodeLens(new vscode.Range(line - 1, 0, line - 1, 0), {
              title: text,
              command: INTERNAL_COMMANDS.explainFunction,
              arguments: [document.uri.toString(), line],
            }),
        ),
  };
  return vscode.Disposable.from(
    changes,
    vscode.languages.registerCodeLensProvider([...LANGUAGES], provider),
    marks.onDidChange(tell),
  );
}

function lensesOf(
  marks: MarkController,
  document: vscode.TextDocument,
): readonly { readonly line: number; readonly text: string }[] {
  const result = marks.result(document);
  return result?.marks.asLenses === true ? result.marks.functions : [];
}
