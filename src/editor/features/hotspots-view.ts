import path from "node:path";
import * as vscode from "vscode";
import type { ProblemRun } from "../../core/model/run.js";
import type { Turn } from "../../core/model/turn.js";
import { runLabel } from "../../core/report/run-label.js";
import { COMMANDS, CONTEXT_KEYS, INTERNAL_COMMANDS, VIEWS } from "../ids.js";
import { isFinished, turnOfFile, type LibraryState } from "../library/state.js";
import { snapshotFolder } from "../library/turn-files.js";
import type { Feature, Services } from "../services.js";
import { hotspotRowId, hotspotRows, hotspotTable, type PlacedHotspot } from "../tree/hotspot-rows.js";
import { fileHotspots, turnHotspots } from "../tree/hotspots.js";
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
  const { library, marks, measures, errors } = services;
  let scope: Scope = { words: "", hotspots: [] };
  const tree = new RowTree(VIEWS.hotspots, () => hotspotRows(scope.hotspots));
  let untilMeasured: Promise<void> | undefined;
  const measured = (): void => {
    untilMeasured = undefined;
    follow();
  };
  const follow = (): void => {
    const selected = selectedTurn(library.state);
    if (selected !== undefined && tree.view.visible) measures.ask(selected.part.turns);
    scope = selected === undefined ? filesScope(services) : turnScope(selected);
    tree.view.description = scope.words;
    const isMeasuring = selected !== undefined && selected.turn.quality === undefined && measures.isBusy;
    tree.view.message = isMeasuring ? vscode.l10n.t("Measuring…") : "";
    if (isMeasuring) untilMeasured ??= measures.settled().then(measured);
    tree.refresh();
    void vscode.commands.executeCommand("setContext", CONTEXT_KEYS.hotspotsOfRun, selected !== undefined);
  };
  follow();
  const reveal = async ({ file, qualifiedName }: NamedCallable, focus: boolean): Promise<boolean> => {
    follow();
    await tree.update();
    const found = scope.hotspots.find(
      ({ uri, callable }) => uri === file && callable.qualifiedName === qualifiedName,
    );
    return found !== undefined && tree.reveal([hotspotRowId(found)], focus);
  };
  const commands = registerCommands(errors, {
    [COMMANDS.copyHotspots]: async () => {
      await vscode.env.clipboard.writeText(hotspotTable(scope.hotspots));
      vscode.window.setStatusBarMessage(vscode.l10n.t("Slop Lens: copied"), 2000);
    },
    [COMMANDS.hotspotsOfFiles]: () => {
      library.select(undefined);
    },
    [INTERNAL_COMMANDS.showInHotspots]: async (uri, name) => {
      const callable = callableOf(uri, name);
      if (callable === undefined) return;
      showScopeOf(services, vscode.Uri.parse(callable.file, true));
      await vscode.commands.executeCommand(`${VIEWS.hotspots}.focus`);
      if (await reveal(callable, true)) return;
      await measures.settled();
      await reveal(callable, false);
    },
  });
  return vscode.Disposable.from(
    tree,
    commands,
    { dispose: library.onDidChange(follow) },
    tree.view.onDidChangeVisibility(follow),
    vscode.workspace.onDidCloseTextDocument(follow),
    marks.onDidChange(follow),
  );
};

/** Selects the run that a file belongs to, or none. */
function showScopeOf({ library }: Services, uri: vscode.Uri): void {
  const found = uri.scheme === "file" ? turnOfFile(library.state, uri.fsPath) : undefined;
  library.select(found?.run.folder, found?.turn.id);
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

function turnScope({ label, part, turn }: Selected): Scope {
  const folder = snapshotFolder(turn);
  const hotspots = turnHotspots(part, turn).map((hotspot) => ({
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
