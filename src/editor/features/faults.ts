import * as vscode from "vscode";
import type { Fault } from "../../core/model/problem.js";
import type { LibraryState } from "../library/state.js";
import type { Feature } from "../services.js";

/** Entries of VS Code's Problems panel for what is wrong in packs and run folders. */
export const faults: Feature = ({ library }) => {
  const collection = vscode.languages.createDiagnosticCollection("slop-lens");
  let shown = "";
  const publish = (state: LibraryState): void => {
    const all = [...state.packs, ...state.runs].flatMap((entry) => entry.faults);
    const signature = JSON.stringify(all);
    if (signature === shown) return;
    shown = signature;
    collection.clear();
    for (const file of new Set(all.map((fault) => fault.file))) {
      const here = all.filter((fault) => fault.file === file);
      collection.set(vscode.Uri.file(file), here.map(toDiagnostic));
    }
  };
  const stop = library.onDidChange(publish);
  return vscode.Disposable.from(collection, { dispose: stop });
};

function toDiagnostic({ line = 1, column = 1, message, severity }: Fault): vscode.Diagnostic {
  const diagnostic = new vscode.Diagnostic(
    new vscode.Range(line - 1, column - 1, line - 1, column - 1),
    message,
    severity === "error" ? vscode.DiagnosticSeverity.Error : vscode.DiagnosticSeverity.Warning,
  );
  diagnostic.source = "Slop Lens";
  return diagnostic;
}
