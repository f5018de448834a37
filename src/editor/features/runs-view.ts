import path from "node:path";
import * as vscode from "vscode";
import { SlopLensError } from "../../core/model/errors.js";
import type { ProblemRun, Run } from "../../core/model/run.js";
import type { Turn } from "../../core/model/turn.js";
import { COMMANDS, INTERNAL_COMMANDS, VIEWS } from "../ids.js";
import { hasSnapshot, isFinished } from "../library/state.js";
import type { Feature, Services } from "../services.js";
import type { CheckpointTarget, TreeNode } from "../tree/node.js";
import { keptQueueRows, queueRows } from "../tree/queue-rows.js";
import { problemRowId, runRowId, runRows } from "../tree/run-rows.js";
import {
  filterMessage,
  filterWords,
  isFiltering,
  sortWords,
  type ViewOptions,
} from "../tree/view-options.js";
import { RowTree } from "../tree/view.js";
import { attemptLabel } from "../../core/report/run-label.js";
import { registerCommands } from "./commands.js";
import { checkpointOf, folderOf, rowIds, targetOf } from "./targets.js";

/** The Runs view; the run that is selected in it is the one whose outcomes the Problems view shows. */
export const runsView: Feature = (services) => {
  const { library, errors, turnFiles, measures, checks, choices, runner, keptQueues } = services;
  const measure = (turns: readonly Turn[]): void => {
    measures.ask(turns);
  };
  const rows = (): TreeNode[] => [
    ...queueRows(runner.several),
    ...keptQueueRows(keptQueues.queues),
    ...runRows({
      state: library.state,
      files: turnFiles,
      measure,
      check: checks.once,
      options: choices.options,
    }),
  ];
  const tree = new RowTree(VIEWS.runs, rows);
  const publish = (): void => {
    tree.refresh();
    describe(tree, choices.options, rows);
  };
  const stops = [
    library.onDidChange(publish),
    choices.onDidChange(publish),
    ...[runner, keptQueues].map((source) =>
      source.onDidChange(() => {
        tree.refresh();
      }),
    ),
  ];
  publish();
  const selection = tree.view.onDidChangeSelection((event) => {
    const target = event.selection[0]?.node.target;
    if (target?.kind === "run") library.select(target.run.folder, lastTurn(target.part));
    if (target?.kind === "checkpoint") library.select(target.run?.folder, target.turn?.id);
  });
  const commands = registerCommands(errors, {
    [COMMANDS.revealFolder]: (value) => revealFolder(folderOf(targetOf(value))),
    [COMMANDS.copyPath]: async (value) => {
      const folder = folderOf(targetOf(value));
      if (folder !== undefined) await vscode.env.clipboard.writeText(folder);
    },
    [COMMANDS.deleteRun]: (value) => deleteRun(services, value),
    [COMMANDS.openRunFolder]: () => openRunFolder(services),
    [INTERNAL_COMMANDS.openCheckpoint]: async (value) => {
      const target = checkpointOf(value);
      if (target !== undefined) await openCheckpoint(tree, target);
    },
    [INTERNAL_COMMANDS.revealInRuns]: (ids, where) => {
      const isQuiet = where === "where-visible";
      return (!isQuiet || tree.view.visible) && tree.reveal(rowIds(ids), !isQuiet, !isQuiet);
    },
  });
  return vscode.Disposable.from(tree, selection, commands, {
    dispose: () => {
      for (const stop of stops) stop();
    },
  });
};

/** Says above the rows how they are chosen and ordered. */
function describe({ view }: RowTree, { filter, sort }: ViewOptions, rows: () => readonly TreeNode[]): void {
  view.message = filterMessage(filter, isFiltering(filter) && rows().length > 0);
  view.description = [filterWords(filter), sortWords(sort)].filter((part) => part !== "").join(" · ");
}

/** A run can have several problems; its last turn says which of them is meant. */
function lastTurn({ turns }: ProblemRun): string | undefined {
  return turns.findLast(isFinished)?.id;
}

/** Shows a checkpoint's row, and its snapshot in the editor. */
async function openCheckpoint(tree: RowTree, target: CheckpointTarget): Promise<void> {
  const { run, turn } = target;
  const part = run?.problems.find(({ problem }) => problem === turn?.problem);
  if (run === undefined || turn === undefined || part === undefined) return;
  const id = runRowId(run, part);
  await tree.reveal([problemRowId(part.problem), id, `${id}/${turn.checkpoint}`]);
  if (hasSnapshot(turn)) await vscode.commands.executeCommand(COMMANDS.openSnapshot, target);
}

/** In the Explorer when the folder is part of the workspace, else in the file manager of the system. */
async function revealFolder(folder: string | undefined): Promise<void> {
  if (folder === undefined) return;
  const uri = vscode.Uri.file(folder);
  const inside = vscode.workspace.getWorkspaceFolder(uri) !== undefined;
  await vscode.commands.executeCommand(inside ? "revealInExplorer" : "revealFileInOS", uri);
}

async function deleteRun({ library }: Services, value: unknown): Promise<void> {
  const target = targetOf(value);
  const folder = target?.kind === "run" || target?.kind === "folder" ? folderOf(target) : undefined;
  if (folder === undefined) return;
  refuseLive(library.state.runs.find((run) => run.folder === folder));
  const name = target?.kind === "run" ? attemptLabel(target.run) : path.basename(folder);
  const remove = vscode.l10n.t("Move to Trash");
  const chosen = await vscode.window.showWarningMessage(
    vscode.l10n.t("Delete the run {0}?", name),
    { modal: true, detail: folder },
    remove,
  );
  if (chosen !== remove) return;
  await deleteFolder(vscode.Uri.file(folder));
  library.forget(folder);
}

function refuseLive(run: Run | undefined): void {
  if (run?.state !== "running") return;
  throw new SlopLensError(
    "bad-input",
    vscode.l10n.t("A run in progress cannot be deleted"),
    vscode.l10n.t("Cancel it first."),
  );
}

/** Remote machines often have no trash; then the user is asked once more. */
async function deleteFolder(uri: vscode.Uri): Promise<void> {
  try {
    await vscode.workspace.fs.delete(uri, { recursive: true, useTrash: true });
  } catch {
    const remove = vscode.l10n.t("Delete Permanently");
    const chosen = await vscode.window.showWarningMessage(
      vscode.l10n.t("This machine has no trash."),
      { modal: true, detail: vscode.l10n.t("Delete {0} for good?", uri.fsPath) },
      remove,
    );
    if (chosen !== remove) throw new SlopLensError("cancelled", vscode.l10n.t("Cancelled"));
    await vscode.workspace.fs.delete(uri, { recursive: true, useTrash: false });
  }
}

async function openRunFolder({ library }: Services): Promise<void> {
  const chosen = await vscode.window.showOpenDialog({
    canSelectFiles: false,
    canSelectFolders: true,
    openLabel: vscode.l10n.t("Open Run Folder"),
  });
  const folder = chosen?.[0]?.fsPath;
  if (folder === undefined) return;
  const run = await library.open(folder);
  if (run.problems.length === 0) {
    throw new SlopLensError(
      "run-folder",
      vscode.l10n.t("The run {0} holds no checkpoint", folder),
      vscode.l10n.t(
        "It has the files of a run, but no folder of a problem with checkpoint_1, checkpoint_2 and so on in it.",
      ),
    );
  }
}
