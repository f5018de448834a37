import * as vscode from "vscode";
import { COMMANDS, CONTEXT_KEYS } from "../ids.js";
import { holdsKnown } from "../library/state.js";
import { Debounce } from "../marks/debounce.js";
import { testFaults } from "../product.js";
import type { Feature } from "../services.js";
import { registerCommands } from "./commands.js";

/**
 * Files whose coming, changing or going changes what packs and runs there are. VS Code's globs know no braces in
 * braces: with them the whole would match nothing.
 */
const TELLING =
  "**/{config.yaml,checkpoint_results.jsonl,slop-lens.json,evaluation.json,checkpoint_*.md,conftest.py,test_checkpoint_*.py}";

/** Of a folder that goes with all that is in it, only the folder itself is told. */
const ANYTHING = "**/*";

/** Finds the packs and runs of the workspace, and looks again when their files change. */
export const discovery: Feature = ({ library, errors, analyzer }) => {
  const end = new AbortController();
  const lookIntoTests = async (): Promise<void> => {
    library.keepTestFaults(await testFaults(library.state.packs, await analyzer(), end.signal));
  };
  const load = async (): Promise<void> => {
    const folders = (vscode.workspace.workspaceFolders ?? [])
      .filter(({ uri }) => uri.scheme === "file")
      .map(({ uri }) => uri.fsPath);
    await errors.guard("Looking for packs and runs", () => library.load(folders));
    await vscode.commands.executeCommand("setContext", CONTEXT_KEYS.ready, true);
    if (library.state.packs.length > 0) await errors.guard("Looking into hidden tests", lookIntoTests);
  };
  const soon = new Debounce(() => void load(), 400, 2000);
  const watcher = vscode.workspace.createFileSystemWatcher(TELLING);
  const goings = vscode.workspace.createFileSystemWatcher(ANYTHING, true, true, false);
  const ask = (): void => {
    soon.ask();
  };
  void load();
  return vscode.Disposable.from(
    watcher,
    watcher.onDidChange(ask),
    watcher.onDidCreate(ask),
    watcher.onDidDelete(ask),
    vscode.workspace.onDidChangeWorkspaceFolders(ask),
    goings,
    goings.onDidDelete((uri) => {
      if (uri.scheme === "file" && holdsKnown(library.state, uri.fsPath)) ask();
    }),
    registerCommands(errors, { [COMMANDS.refresh]: load }),
    {
      dispose: () => {
        soon.cancel();
        end.abort();
      },
    },
  );
};
