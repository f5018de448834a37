import * as vscode from "vscode";
import type { Turn } from "../../core/model/turn.js";
import { VIEWS } from "../ids.js";
import { runningCount, type LibraryState } from "../library/state.js";
import type { Feature } from "../services.js";
import type { Handle } from "../tree/forest.js";
import { problemRows } from "../tree/problem-rows.js";
import { RowTree } from "../tree/view.js";

/** The Problems view, the badge of the container, and rows that stay in place under a selection. */
export const problemsView: Feature = ({ library, runner, turnFiles, measures }) => {
  const measure = (turn: Turn): void => {
    measures.ask([turn]);
  };
  const tree = new RowTree(VIEWS.problems, () =>
    problemRows({ state: library.state, files: turnFiles, measure }),
  );
  const publish = (state: LibraryState): void => {
    tree.refresh();
    const count = runningCount(state);
    const tooltip = count === 1 ? "1 run in progress" : `${count} runs in progress`;
    tree.view.badge = count === 0 ? undefined : { value: count, tooltip };
  };
  runner.isWatched = () => tree.view.visible;
  const stop = library.onDidChange(publish);
  const selection = tree.view.onDidChangeSelection((event) => {
    library.freeze(frozenBy(event.selection[0]));
  });
  return vscode.Disposable.from(tree, selection, { dispose: stop });
};

/** The rows around a selected test keep their places. */
function frozenBy(handle: Handle | undefined): ReadonlyMap<string, readonly string[]> {
  if (handle?.node.contextValue.startsWith("test") !== true) return new Map();
  const above = handle.parent;
  const group = above?.node.contextValue === "group" ? above : above?.parent;
  if (group?.node.contextValue !== "group") return new Map();
  const rows = (group.children ?? []).flatMap((child) =>
    child.node.contextValue.startsWith("test") ? [child] : (child.children ?? []),
  );
  return new Map([[group.node.id, rows.map((row) => row.node.id)]]);
}
