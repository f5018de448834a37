import path from "node:path";
import * as vscode from "vscode";
import { SlopLensError } from "../../core/model/errors.js";
import { HIGH_CC } from "../../core/model/quality.js";
import type { ProblemRun } from "../../core/model/run.js";
import type { Turn } from "../../core/model/turn.js";
import { runLabel } from "../../core/report/run-label.js";
import { COMMANDS, CONTEXT_KEYS, INTERNAL_COMMANDS, VIEWS } from "../ids.js";
import { CallableHistories } from "../library/histories.js";
import { isFinished, turnOfFile, type LibraryState } from "../library/state.js";
import { snapshotFolder } from "../library/turn-files.js";
import type { Feature, Services } from "../services.js";
import { hotspotRowId, hotspotRows, hotspotTable, type PlacedHotspot } from "../tree/hotspot-rows.js";
import { fileHotspots, turnHotspots, unexplained } from "../tree/hotspots.js";
import { RowTree } from "../tree/view.js";
import { checkpointWords } from "../words.js";
import { registerCommands } from "./commands.js";
import { callableOf, type NamedCallable } from "./targets.js";

/** What the view shows, and the name of it. */
interface Scope {
  readonly words: string;
  readonly hotspots: readonly PlacedHotspot[];
}

/** The Hotspots view: the callables that hold the mass of the selected run, else of the files that are open. */
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
        library.select(undefined);
      },
      [INTERNAL_COMMANDS.showInHotspots]: async (uri, name) => {
        const callable = callableOf(uri, name);
        if (callable !== undefined) await view.show(callable);
      },
    }),
    { dispose: library.onDidChange(follow) },
    view.tree.view.onDidChangeVisibility(follow),
    vscode.workspace.onDidCloseTextDocument(follow),
    marks.onDidChange(follow),
  );
};

class HotspotsView implements vscode.Disposable {
  private scope: Scope = { words: "", hotspots: [] };
  readonly tree = new RowTree(VIEWS.hotspots, () => hotspotRows(this.scope.hotspots));
  private readonly histories: CallableHistories;
  private readonly end = new AbortController();
  private readonly explained = new WeakSet<Turn>();
  private untilMeasured: Promise<void> | undefined;

  constructor(private readonly services: Services) {
    this.histories = new CallableHistories(services.snapshots);
  }

  /** Shows what the selection, the measures and the open files now are. */
  follow(): void {
    const { library, measures } = this.services;
    const { tree } = this;
    const selected = selectedTurn(library.state);
    if (selected !== undefined && tree.view.visible) {
      measures.ask(selected.part.turns);
      this.explain(selected);
    }
    this.scope = selected === undefined ? filesScope(this.services) : turnScope(selected, this.histories);
    tree.view.description = this.scope.words;
    const isMeasuring = selected !== undefined && selected.turn.quality === undefined && measures.isBusy;
    tree.view.message = isMeasuring ? vscode.l10n.t("Measuring…") : "";
    if (isMeasuring) {
      this.untilMeasured ??= measures.settled().then(() => {
        this.untilMeasured = undefined;
        this.follow();
      });
    }
    tree.refresh();
    void vscode.commands.executeCommand("setContext", CONTEXT_KEYS.hotspotsOfRun, selected !== undefined);
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

  async copy(): Promise<void> {
    if (this.scope.hotspots.length === 0) {
      throw new SlopLensError(
        "bad-input",
        vscode.l10n.t("There are no hotspots to copy"),
        vscode.l10n.t("Open a file, or select a run whose code has a callable above CC {0}.", HIGH_CC),
      );
    }
    await vscode.env.clipboard.writeText(hotspotTable(this.scope.hotspots));
    vscode.window.setStatusBarMessage(vscode.l10n.t("Slop Lens: copied"), 2000);
  }

  /** Shows the view with the row of a callable selected, or says that it has none. */
  async show(callable: NamedCallable): Promise<void> {
    showScopeOf(this.services, vscode.Uri.parse(callable.file, true));
    await vscode.commands.executeCommand(`${VIEWS.hotspots}.focus`);
    if (await this.reveal(callable, true)) return;
    await this.services.measures.settled();
    if (await this.reveal(callable, false)) return;
    const text = vscode.l10n.t("Slop Lens: {0} is not among the heaviest callables", callable.qualifiedName);
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

interface Selected {
  readonly label: string;
  readonly part: ProblemRun;
  readonly turn: Turn;
}

/** The checkpoint that the user selected, or the last one of the selected run that was taken. */
function selectedTurn({ runs, selectedRun, selectedTurn: wanted }: LibraryState): Selected | undefined {
  const run = runs.find(({ folder }) => folder === selectedRun);
  const part = run?.problems.find(({ turns }) => turns.some(({ id }) => id === wanted)) ?? run?.problems[0];
  if (run === undefined || part === undefined) return undefined;
  const taken = part.turns.filter((turn) => isFinished(turn) || turn.quality !== undefined);
  const turn = taken.find(({ id }) => id === wanted) ?? taken.at(-1);
  return turn && { label: runLabel(run), part, turn };
}

function turnScope({ label, part, turn }: Selected, histories: CallableHistories): Scope {
  const folder = snapshotFolder(turn);
  const hotspots = turnHotspots(part, turn, histories.get(part, turn)).map((hotspot) => ({
    ...hotspot,
    uri: vscode.Uri.file(path.join(folder, hotspot.callable.path)).toString(),
  }));
  return { words: vscode.l10n.t("{0}, {1}", label, checkpointWords(turn.checkpoint)), hotspots };
}

function filesScope({ marks }: Services): Scope {
  const files = vscode.workspace.textDocuments.flatMap((document) => {
    const result = document.isClosed ? undefined : marks.result(document);
    return result === undefined ? [] : [{ uri: document.uri.toString(), report: result.report }];
  });
  const [only] = files;
  if (only === undefined) return { words: "", hotspots: [] };
  const name = path.posix.basename(vscode.Uri.parse(only.uri).path);
  const words = files.length === 1 ? name : vscode.l10n.t("{0} open files", files.length);
  return { words, hotspots: fileHotspots(files) };
}
