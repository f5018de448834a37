import * as vscode from "vscode";
import { COMMANDS, INTERNAL_COMMANDS } from "../ids.js";
import type { Feature, Services } from "../services.js";
import { filterWords, isFiltering } from "../tree/view-options.js";
import { findEntries, searchEntries, type SearchEntry } from "../tree/search-index.js";
import { registerCommands } from "./commands.js";
import { nothingOpen } from "./tree-choices.js";

const MOST_SHOWN = 200;

const ICONS: Readonly<Record<SearchEntry["kind"], string>> = {
  problem: "package",
  run: "graph-line",
  checkpoint: "milestone",
  test: "beaker",
};

interface Item extends vscode.QuickPickItem {
  readonly entry: SearchEntry;
}

/** Search: a quick pick over problems, runs, checkpoints and tests that shows the row of what was chosen. */
export const search: Feature = (services) =>
  registerCommands(services.errors, { [COMMANDS.search]: () => openSearch(services) });

async function openSearch(services: Services): Promise<void> {
  const { choices, library } = services;
  const entries = searchEntries(library.state);
  if (entries.length === 0) throw nothingOpen();
  const entry = await choose(entries);
  if (entry === undefined || (await reveal(entry))) return;
  // What a filter hides is shown all the same when it was asked for.
  const hidden = choices.filter;
  await choices.clear();
  if (!(await reveal(entry)) || !isFiltering(hidden)) return;
  const again = vscode.l10n.t("Filter Again");
  const text = vscode.l10n.t("The filter ({0}) hid {1} and was cleared.", filterWords(hidden), entry.label);
  void vscode.window.showInformationMessage(text, again).then(async (chosen) => {
    if (chosen === again) await choices.filterBy(hidden);
  });
}

async function reveal({ view, path }: SearchEntry): Promise<boolean> {
  const command = view === "problems" ? INTERNAL_COMMANDS.revealInProblems : INTERNAL_COMMANDS.revealInRuns;
  return (await vscode.commands.executeCommand<boolean | undefined>(command, path())) === true;
}

function choose(entries: readonly SearchEntry[]): Promise<SearchEntry | undefined> {
  const pick = vscode.window.createQuickPick<Item>();
  pick.title = vscode.l10n.t("Search");
  pick.placeholder = vscode.l10n.t("Problem, run, checkpoint or test");
  // Sorting and filtering are done here: VS Code would have to be given all entries for them.
  const show = (query: string): void => {
    pick.items = findEntries(entries, query, MOST_SHOWN).map((entry) => ({
      label: `$(${ICONS[entry.kind]}) ${entry.label}`,
      description: entry.description,
      alwaysShow: true,
      entry,
    }));
  };
  show("");
  pick.onDidChangeValue(show);
  return new Promise((resolve) => {
    pick.onDidAccept(() => {
      resolve(pick.selectedItems[0]?.entry);
      pick.hide();
    });
    pick.onDidHide(() => {
      resolve(undefined);
      pick.dispose();
    });
    pick.show();
  });
}
