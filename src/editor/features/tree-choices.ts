import * as vscode from "vscode";
import { SlopLensError } from "../../core/model/errors.js";
import { COMMANDS, CONTEXT_KEYS, SETTINGS } from "../ids.js";
import type { Feature } from "../services.js";
import { isFiltering } from "../tree/view-options.js";
import { registerCommands } from "./commands.js";

/** Filter and order of the trees: their commands, and the context key that offers to clear the filter. */
export const treeChoices: Feature = ({ choices, errors, library }) => {
  /** A choice about rows does nothing that could be seen where there are none. */
  const choose = (choice: () => Promise<void>) => async (): Promise<void> => {
    if (library.state.packs.length + library.state.runs.length === 0) throw nothingOpen();
    await choice();
  };
  const publish = (): void => {
    void vscode.commands.executeCommand("setContext", CONTEXT_KEYS.filtered, isFiltering(choices.filter));
  };
  publish();
  const stop = choices.onDidChange(publish);
  const settings = vscode.workspace.onDidChangeConfiguration((event) => {
    if (event.affectsConfiguration(SETTINGS.hideTests)) choices.changed();
  });
  const commands = registerCommands(errors, {
    [COMMANDS.filterFailed]: choose(() => choices.toggle({ outcomes: "failed" })),
    [COMMANDS.filterRegressions]: choose(() => choices.toggle({ outcomes: "regressions" })),
    [COMMANDS.filterCore]: choose(() => choices.toggle({ group: "Core" })),
    [COMMANDS.filterFunctionality]: choose(() => choices.toggle({ group: "Functionality" })),
    [COMMANDS.filterError]: choose(() => choices.toggle({ group: "Error" })),
    [COMMANDS.filterRegression]: choose(() => choices.toggle({ group: "Regression" })),
    [COMMANDS.clearFilter]: () => choices.clear(),
    [COMMANDS.sortNewest]: choose(() => choices.sortBy("newest")),
    [COMMANDS.sortName]: choose(() => choices.sortBy("name")),
    [COMMANDS.sortErosion]: choose(() => choices.sortBy("erosion")),
  });
  return vscode.Disposable.from(commands, settings, { dispose: stop });
};

/** Why nothing can be searched, filtered or sorted. */
export function nothingOpen(): SlopLensError {
  return new SlopLensError(
    "bad-input",
    vscode.l10n.t("No problem and no run is open in this window"),
    vscode.l10n.t("Open a folder that holds some, or the sample."),
  );
}
