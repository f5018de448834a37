import * as vscode from "vscode";
import type { MarkController } from "./controller.js";
import { addressOf } from "./addresses.js";
import { problemEntries, type ProblemEntry } from "./problem-entries.js";

const SOURCE = "Slop Lens";

/** Keeps the Problems view as the marks are, where they are wanted there. */
export function problems(marks: MarkController): vscode.Disposable {
  const collection = vscode.languages.createDiagnosticCollection("slopLens");
  const told = new WeakMap<vscode.TextDocument, string>();
  const tell = (document: vscode.TextDocument): void => {
    const shown = document.isClosed ? undefined : marks.result(document)?.marks;
    const textOf = (line: number): string =>
      line <= document.lineCount ? document.lineAt(line - 1).text : "";
    const entries = shown === undefined ? [] : problemEntries(shown, textOf);
    const now = JSON.stringify(entries);
    if (now === (told.get(document) ?? "[]")) return;
    told.set(document, now);
    collection.set(
      document.uri,
      entries.map((entry) => toDiagnostic(document, entry)),
    );
  };
  return vscode.Disposable.from(collection, marks.onDidChange(tell));
}

function toDiagnostic(document: vscode.TextDocument, entry: ProblemEntry): vscode.Diagnostic {
  const { line, startColumn, endColumn, message, code, related } = entry;
  const range = new vscode.Range(line - 1, startColumn - 1, line - 1, endColumn - 1);
  const diagnostic = new vscode.Diagnostic(range, message, vscode.DiagnosticSeverity.Information);
  diagnostic.source = SOURCE;
  diagnostic.code = code;
  diagnostic.relatedInformation = related.map(({ place, message: told }) => {
    const lines = new vscode.Range(place.start - 1, 0, place.end - 1, Number.MAX_SAFE_INTEGER);
    return new vscode.DiagnosticRelatedInformation(
      new vscode.Location(addressOf(document, place.path), lines),
      told,
    );
  });
  return diagnostic;
}
