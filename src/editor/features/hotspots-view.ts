import path from "node:path";
import * as vscode from "vscode";
import { VIEWS } from "../ids.js";
import type { Feature } from "../services.js";
import { hotspotRows } from "../tree/hotspot-rows.js";
import { RowTree } from "../tree/view.js";

/** The Hotspots view: the callables that hold most of the active file's mass. */
export const hotspotsView: Feature = ({ marks }) => {
  let shown: vscode.TextDocument | undefined;
  const tree = new RowTree(VIEWS.hotspots, () =>
    shown === undefined ? [] : hotspotRows(marks.result(shown)?.report, shown.uri.toString()),
  );
  const follow = (): void => {
    const editor = vscode.window.activeTextEditor;
    if (editor !== undefined && marks.standing(editor).kind !== "not-here") shown = editor.document;
    if (shown?.isClosed === true) shown = undefined;
    const rows = shown === undefined ? undefined : marks.result(shown);
    tree.view.description = shown === undefined || rows === undefined ? "" : path.basename(shown.uri.path);
    tree.refresh();
  };
  follow();
  return vscode.Disposable.from(
    tree,
    vscode.window.onDidChangeActiveTextEditor(follow),
    vscode.workspace.onDidCloseTextDocument(follow),
    marks.onDidChange((document) => {
      if (document === shown || document === vscode.window.activeTextEditor?.document) follow();
    }),
  );
};
