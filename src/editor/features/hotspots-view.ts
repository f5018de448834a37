import * as vscode from "vscode";
import { SlopLensError } from "../../core/model/errors.js";
import { HIGH_CC } from "../../core/model/quality.js";
import type { Turn } from "../../core/model/turn.js";
import { COMMANDS, CONTEXT_KEYS, INTERNAL_COMMANDS, SETTINGS, VIEWS } from "../ids.js";
import { CallableHistories } from "../library/histories.js";
import { turnOfFile, type LibraryState } from "../library/state.js";
import type { Feature, Services } from "../services.js";
import { hotspotRowId, hotspotRows, hotspotTable } from "../tree/hotspot-rows.js";
import { unexplained } from "../tree/hotspots.js";
import { RowTree } from "../tree/view.js";
import { registerCommands } from "./commands.js";
import { filesScope, selectedTurn, turnScope, type Scope, type Selected } from "./hotspots-scope.js";
import { callableOf, type NamedCallable } from "./targets.js";
import { WorkspaceReading } from "./workspace-reading.js";

/** The Hotspots view: the callables that hold the mass of the selected run, the workspace, or the files that are open. */
export const hotspotsView: Feature = (services) => {
  const { library, marks, errors } = services;
  const view = new HotspotsView(services);
  const follow = (): void => {
    view.follow();
  };
  follow();
  return vscode.Disposable.from(
    view,
    registerCommands(errors, {
      [COMMANDS.copyHotspots]: () => view.copy(),
      [COMMANDS.hotspotsOfFiles]: () => {
        view.showFiles();
      },
      [COMMANDS.hotspotsOfWorkspace]: () => view.showWorkspace(),
      [COMMANDS.stopHotspots]: () => {
        view.showFiles();
      },
      [INTERNAL_COMMANDS.showInHotspots]: async (uri, name) => {
        const callable = callableOf(uri, name);
        if (callable !== undefined) await view.show(callable);
      },
    }),
    { dispose: library.onDidChange(follow) },
    view.tree.view.onDidChangeVisibility(follow),
    vscode.workspace.onDidCloseTextDocument(follow),
    vscode.workspace.onDidSaveTextDocument((document) => {
      view.workspace.note(document);
      follow();
    }),
    vscode.workspace.onDidChangeWorkspaceFolders(() => {
      view.workspace.forget();
      follow();
    }),
    vscode.workspace.onDidChangeConfiguration((event) => {
      if (!event.affectsConfiguration(SETTINGS.profile)) return;
      view.workspace.forget();
      follow();
    }),
    // Of an editor without marks nothing is measured, so that marks do not tell of it.
    vscode.window.onDidChangeVisibleTextEditors(follow),
    vscode.window.tabGroups.onDidChangeTabs(follow),
    marks.onDidChange(follow),
  );
};

class HotspotsView implements vscode.Disposable {
  private scope: Scope = { words: "", hotspots: [] };
  readonly tree = new RowTree(VIEWS.hotspots, () => hotspotRows(this.scope.hotspots, this.scope.unread));
  readonly workspace: WorkspaceReading;
  private readonly histories: CallableHistories;
  private readonly end = new AbortController();
  private readonly explained = new WeakSet<Turn>();
  private untilMeasured: Promise<void> | undefined;
  private isReady = false;

  constructor(private readonly services: Services) {
    this.histories = new CallableHistories(services.snapshots);
    this.workspace = new WorkspaceReading(services, () => {
      if (!this.end.signal.aborted) this.follow();
    });
    void services.library.settled.then(() => {
      this.isReady = true;
      if (!this.end.signal.aborted) this.follow();
    });
  }

  /** Shows what the selection, the measures and the open files now are. */
  follow(): void {
    const { library } = this.services;
    const { tree } = this;
    const selected = selectedTurn(library.state);
    // Who selects a run wants to see its hotspots.
    if (library.state.selectedRun !== undefined) this.workspace.leave();
    if (tree.view.visible) this.measure(selected);
    this.scope = this.scopeOf(selected);
    const { words, empty } = this.scope;
    tree.view.description = words;
    tree.view.message = typeof empty === "object" ? empty.message : "";
    tree.refresh();
    const set = (key: string, value: unknown): void => {
      void vscode.commands.executeCommand("setContext", key, value);
    };
    set(CONTEXT_KEYS.hotspotsOfRun, selected !== undefined);
    set(CONTEXT_KEYS.workspaceHotspots, this.workspace.state);
    set(CONTEXT_KEYS.hotspotsOfNothing, empty === "nothing");
  }

  /** Has measured what is missing of what is chosen. */
  private measure(selected: Selected | undefined): void {
    if (selected === undefined) {
      this.workspace.catchUp();
      return;
    }
    this.services.measures.ask(selected.part.turns);
    this.explain(selected);
  }

  private scopeOf(selected: Selected | undefined): Scope {
    const { measures } = this.services;
    if (selected === undefined) return this.workspace.scope ?? filesScope(this.services, this.isReady);
    if (selected.turn.quality === undefined && measures.isBusy) {
      this.untilMeasured ??= measures.settled().then(() => {
        this.untilMeasured = undefined;
        this.follow();
      });
    }
    return turnScope(selected, this.services, this.histories, measures.isBusy, this.end.signal);
  }

  /** Reads the snapshots once where a callable may have had another name. */
  private explain({ part, turn }: Selected): void {
    const callables = this.explained.has(turn) ? [] : unexplained(part, turn);
    if (callables.length === 0) return;
    this.explained.add(turn);
    const { signal } = this.end;
    const done = (): void => {
      this.follow();
    };
    this.histories.learn(part, turn, callables, signal).then(done, (error: unknown) => {
      if (!signal.aborted) this.services.errors.note(error, `Following the callables of ${turn.id}`);
    });
  }

  /** Shows the open files, in place of a run or the workspace. */
  showFiles(): void {
    this.workspace.leave();
    this.services.library.select(undefined);
    this.follow();
  }

  /** Has the workspace measured and shows it. */
  async showWorkspace(): Promise<void> {
    this.services.library.select(undefined);
    const done = this.workspace.read();
    this.follow();
    await Promise.all([done, vscode.commands.executeCommand(`${VIEWS.hotspots}.focus`)]);
  }

  async copy(): Promise<void> {
    const { hotspots, unread } = this.scope;
    if (hotspots.length === 0) {
      throw new SlopLensError(
        "bad-input",
        vscode.l10n.t("There are no hotspots to copy"),
        vscode.l10n.t("Open a file, or select a run whose code has a callable above CC {0}.", HIGH_CC),
      );
    }
    await vscode.env.clipboard.writeText(hotspotTable((await unread?.read()) ?? hotspots));
    vscode.window.setStatusBarMessage(vscode.l10n.t("Slop Lens: copied"), 2000);
  }

  /** Shows the view with the row of a callable selected, or says that it has none. */
  async show(callable: NamedCallable): Promise<void> {
    showScopeOf(this.services, vscode.Uri.parse(callable.file, true));
    await vscode.commands.executeCommand(`${VIEWS.hotspots}.focus`);
    if (await this.reveal(callable, true)) return;
    await this.services.measures.settled();
    await this.scope.unread?.read();
    if (await this.reveal(callable, false)) return;
    if (this.workspace.scope !== undefined) {
      this.showFiles();
      if (await this.reveal(callable, false)) return;
    }
    const text = vscode.l10n.t("Slop Lens: {0} is not among the hotspots", callable.qualifiedName);
    vscode.window.setStatusBarMessage(text, 4000);
  }

  private async reveal({ file, qualifiedName }: NamedCallable, focus: boolean): Promise<boolean> {
    this.follow();
    await this.tree.update();
    const path = pathInTurn(this.services.library.state, file);
    const found = this.scope.hotspots.find(
      ({ uri, callable }) =>
        (uri === file || callable.path === path) && callable.qualifiedName === qualifiedName,
    );
    return found !== undefined && this.tree.reveal([hotspotRowId(found)], focus);
  }

  dispose(): void {
    this.end.abort();
    this.workspace.dispose();
    this.tree.dispose();
  }
}

/** Selects the run that a file belongs to, or none. */
function showScopeOf({ library }: Services, uri: vscode.Uri): void {
  const found = uri.scheme === "file" ? turnOfFile(library.state, uri.fsPath) : undefined;
  library.select(found?.run.folder, found?.turn.id);
}

/** The path that reports on a snapshot have of a file in it; undefined outside of all snapshots. */
function pathInTurn(state: LibraryState, file: string): string | undefined {
  const uri = vscode.Uri.parse(file, true);
  return uri.scheme === "file" ? turnOfFile(state, uri.fsPath)?.path : undefined;
}
