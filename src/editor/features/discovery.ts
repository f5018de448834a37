import * as vscode from "vscode";
import { SlopLensError } from "../../core/model/errors.js";
import { pathBelow } from "../../core/model/paths.js";
import type { ErrorAction } from "../errors.js";
import { COMMANDS, CONTEXT_KEYS } from "../ids.js";
import type { FolderTrouble } from "../library/library.js";
import { bringing } from "../library/arrivals.js";
import { holdsKnown } from "../library/state.js";
import { Debounce } from "../marks/debounce.js";
import { readers, testFaults } from "../product.js";
import type { Feature, Services } from "../services.js";
import { registerCommands } from "./commands.js";

/**
 * Files whose coming, changing or going changes what packs and runs there are. VS Code's globs know no braces in
 * braces: with them the whole would match nothing.
 */
const TELLING =
  "**/{config.yaml,checkpoint_results.jsonl,slop-lens.json,evaluation.json,result.json,run_info.yaml,checkpoint_*.md,conftest.py,test_checkpoint_*.py}";

/** Of a folder that comes or goes with all that is in it, only the folder itself is told. */
const ANYTHING = "**/*";

/** Finds the packs and runs of the workspace, and reads those again whose files change. */
export const discovery: Feature = (services) => {
  const { library, errors } = services;
  const end = new AbortController();
  const changed = new Set<string>();
  const arrived = new Set<string>();
  const lookIntoTests = testsLook(services, end.signal);
  const tellTroubles = troubleTeller(services);
  const load = async (): Promise<void> => {
    changed.clear();
    const folders = rootFolders();
    const troubles = await errors.guard("Looking for packs and runs", () => library.load(folders));
    await vscode.commands.executeCommand("setContext", CONTEXT_KEYS.ready, true);
    await tellTroubles(troubles ?? []);
    await lookIntoTests();
  };
  const update = async (): Promise<void> => {
    const came = new Set(arrived);
    arrived.clear();
    const places = new Set([...changed, ...(await bringing(came, library.state, readers))]);
    if (places.size === 0) return;
    const folders = rootFolders();
    // A root that goes or comes takes all with it.
    const isRoot = (place: string): boolean =>
      folders.some((folder) => pathBelow(place, folder) !== undefined);
    if ([...places].some(isRoot)) return load();
    changed.clear();
    const before = library.state.packs;
    await errors.guard("Looking for packs and runs", () => library.update(places, folders));
    if (library.state.packs !== before) await lookIntoTests();
  };
  const soon = new Debounce(() => void update(), 400, 2000);
  const ask = (uri: vscode.Uri, places = changed): void => {
    if (uri.scheme !== "file") return;
    places.add(uri.fsPath);
    soon.ask();
  };
  void load();
  return vscode.Disposable.from(
    vscode.workspace.onDidChangeWorkspaceFolders(() => void load()),
    watchDisk({
      tell: ask,
      come: (uri) => {
        ask(uri, arrived);
      },
      go: (uri) => {
        if (holdsKnown(library.state, uri.fsPath)) ask(uri);
      },
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

/** Looks into the hidden tests of all packs for what is wrong in them. */
function testsLook({ library, errors, analyzer }: Services, signal: AbortSignal): () => Promise<void> {
  return async () => {
    const { packs } = library.state;
    if (packs.length === 0) return;
    await errors.guard("Looking into hidden tests", async () => {
      library.keepTestFaults(await testFaults(packs, await analyzer(), signal));
    });
  };
}

interface DiskListeners {
  /** A file came, changed or went that tells of a pack or a run. */
  readonly tell: (uri: vscode.Uri) => void;
  /** Anything came. */
  readonly come: (uri: vscode.Uri) => void;
  /** Anything went. */
  readonly go: (uri: vscode.Uri) => void;
}

function watchDisk({ tell, come, go }: DiskListeners): vscode.Disposable {
  const telling = vscode.workspace.createFileSystemWatcher(TELLING);
  const anything = vscode.workspace.createFileSystemWatcher(ANYTHING, false, true, false);
  return vscode.Disposable.from(
    ...[telling, telling.onDidChange(tell), telling.onDidCreate(tell), telling.onDidDelete(tell)],
    ...[anything, anything.onDidCreate(come), anything.onDidDelete(go)],
  );
}

/** The workspace's folders on a disk. */
function rootFolders(): string[] {
  return (vscode.workspace.workspaceFolders ?? [])
    .filter(({ uri }) => uri.scheme === "file")
    .map(({ uri }) => uri.fsPath);
}

/** Tells of each folder that cannot be looked into, once until it can. */
function troubleTeller({ errors }: Services): (troubles: readonly FolderTrouble[]) => Promise<void> {
  let told = new Set<string>();
  return async (troubles) => {
    const fresh = troubles.filter(({ folder }) => !told.has(folder));
    told = new Set(troubles.map(({ folder }) => folder));
    for (const { folder, error } of fresh) {
      const shown = (await readers.isThere(folder)) ? error : goneFolder(folder, error);
      void errors.show(shown, "Looking for packs", waysOn(folder));
    }
  };
}

function goneFolder(folder: string, cause: unknown): SlopLensError {
  return new SlopLensError(
    "bad-input",
    vscode.l10n.t("The folder {0} of this workspace is gone: it was moved, renamed or deleted", folder),
    vscode.l10n.t("Open it where it is now."),
    { cause },
  );
}

function waysOn(folder: string): ErrorAction[] {
  const open: ErrorAction = {
    title: vscode.l10n.t("Open Folder…"),
    run: () => vscode.commands.executeCommand("workbench.action.files.openFolder"),
  };
  const roots = vscode.workspace.workspaceFolders ?? [];
  const root = roots.find(({ uri }) => uri.fsPath === folder);
  // Without its last folder a window starts anew, empty.
  if (root === undefined || roots.length === 1) return [open];
  const remove: ErrorAction = {
    title: vscode.l10n.t("Remove From Workspace"),
    run: () => vscode.workspace.updateWorkspaceFolders(root.index, 1),
  };
  return [remove, open];
}
