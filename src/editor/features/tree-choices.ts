import * as vscode from "vscode";
import { COMMANDS, CONTEXT_KEYS, SETTINGS } from "../ids.js";
import type { Feature } from "../services.js";
import { isFiltering } from "../tree/view-options.js";
import { registerCommands } from "./commands.js";

/** Filter and order of the trees: their commands, and the context key that offers to clear the filter. */
export const treeChoices: Feature = ({ choices, errors }) => {
  const publish = (): void => {
    void vscode.commands.executeCommand("setContext", CONTEXT_KEYS.filtered, isFiltering(choices.filter));
  };
  publish();
  const stop = choices.onDidChange(publish);
  const settings = vscode.workspace.onDidChangeConfiguration((event) => {
    if (event.affectsConfiguration(SETTINGS.hideTests)) choices.changed();
  });
  const commands = registerCommands(errors, {
    [COMMANDS.filterFailed]: () => choices.toggle({ outcomes: "failed" }),
    [COMMANDS.filterRegressions]: () => choices.toggle({ outcomes: "regressions" }),
    [COMMANDS.filterCore]: () => choices.toggle({ group: "Core" }),
    [COMMANDS.filterFunctionality]: () => choices.toggle({ group: "Functionality" }),
    [COMMANDS.filterError]: () => choices.toggle({ group: "Error" }),
    [COMMANDS.filterRegression]: () => choices.toggle({ group: "Regression" }),
    [COMMANDS.clearFilter]: () => choices.clear(),
    [COMMANDS.sortNewest]: () => choices.sortBy("newest"),
    [COMMANDS.sortName]: () => choices.sortBy("name"),
    [COMMANDS.sortErosion]: () => choices.sortBy("erosion"),
  });
  return vscode.Disposable.from(commands, settings, { dispose: stop });
};
