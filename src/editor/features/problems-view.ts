import * as vscode from "vscode";
import type { Turn } from "../../core/model/turn.js";
import { INTERNAL_COMMANDS, VIEWS } from "../ids.js";
import { runningCount, type LibraryState } from "../library/state.js";
import type { Feature } from "../services.js";
import type { Handle } from "../tree/forest.js";
import { problemRows } from "../tree/problem-rows.js";
import { filterMessage, filterWords, isFiltering } from "../tree/view-options.js";
import { RowTree } from "../tree/view.js";
import { registerCommands } from "./commands.js";
import { rowIds } from "./targets.js";

/** The Problems view, the badge of the container, and rows that stay in place under a selection. */
export const problemsView: Feature = ({ library, runner, turnFiles, measures, checks, choices, errors }) => {
  const measure = (turns: readonly Turn[]): void => {
    measures.ask(turns);
  };
  const rows = () =>
    problemRows({
      state: library.state,
      files: turnFiles,
      measure,
      check: checks.once,
      options: choices.options,
    });
  const tree = new RowTree(VIEWS.problems, rows, true);
  const publish = (state: LibraryState): void => {
    tree.refresh();
    const found = state.packs.length === 0 ? "" : String(state.packs.length);
    tree.view.description = filterWords(choices.filter) || found;
    tree.view.message = filterMessage(choices.filter, isFiltering(choices.filter) && rows().length > 0);
    const count = runningCount(state);
    const tooltip =
      count === 1 ? vscode.l10n.t("1 run in progress") : vscode.l10n.t("{0} runs in progress", count);
    tree.view.badge = count === 0 ? undefined : { value: count, tooltip };
  };
  runner.isWatched = () => tree.view.visible;
  const stops = [
    library.onDidChange(publish),
    choices.onDidChange(() => {
      publish(library.state);
    }),
  ];
  publish(library.state);
  const selection = tree.view.onDidChangeSelection((event) => {
    const [selected] = event.selection;
    library.freeze(frozenBy(selected));
    const target = selected?.node.target;
    if (target?.kind === "checkpoint" && target.turn !== undefined && target.run !== undefined) {
      library.select(target.run.folder, target.turn.id);
    }
  });
  const commands = registerCommands(errors, {
    [INTERNAL_COMMANDS.revealInProblems]: (ids) => tree.reveal(rowIds(ids), true),
  });
  return vscode.Disposable.from(tree, selection, commands, {
    dispose: () => {
      for (const stop of stops) stop();
    },
  });
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
