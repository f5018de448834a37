import { readFile } from "node:fs/promises";
import path from "node:path";
import * as vscode from "vscode";
import { SlopLensError } from "../../core/model/errors.js";
import { openChanges } from "../earlier-document.js";
import { COMMANDS, EARLIER_SCHEME, INTERNAL_COMMANDS } from "../ids.js";
import { hasSnapshot } from "../library/state.js";
import { listFiles, promptFile, snapshotFolder } from "../library/turn-files.js";
import { editorFor } from "../marks/move.js";
import type { Feature, Services } from "../services.js";
import { openSpecAs } from "../settings.js";
import type { CheckpointTarget } from "../tree/node.js";
import { checkpointLabel } from "../words.js";
import { registerCommands } from "./commands.js";
import { checkpointOf } from "./targets.js";

/** Opens what lies in a checkpoint: spec, prompt, snapshot, and what changed since the one before. */
export const checkpointCommands: Feature = (services) =>
  vscode.Disposable.from(
    vscode.workspace.registerTextDocumentContentProvider(EARLIER_SCHEME, {
      provideTextDocumentContent: ({ query }) => readFile(query, "utf8"),
    }),
    registerCommands(services.errors, {
      [COMMANDS.openSpec]: (value) => openSpec(checkpointOf(value)),
      [COMMANDS.openPrompt]: (value) => openPrompt(checkpointOf(value)),
      [COMMANDS.openSnapshot]: (value) => openSnapshot(services, checkpointOf(value)),
      [COMMANDS.compareSpecs]: (value) => compareSpecs(checkpointOf(value)),
      [COMMANDS.compareWithPrevious]: (value) => compareWithPrevious(services, checkpointOf(value)),
      [INTERNAL_COMMANDS.openFault]: openFault,
      [INTERNAL_COMMANDS.revealLines]: revealLines,
    }),
  );

async function openSpec(target: CheckpointTarget | undefined): Promise<void> {
  const spec = target?.checkpoint?.specPath;
  if (spec === undefined) return;
  const uri = vscode.Uri.file(spec);
  if (openSpecAs() === "source") await vscode.window.showTextDocument(uri, { preview: true });
  else await vscode.commands.executeCommand("markdown.showPreview", uri);
}

async function openPrompt(target: CheckpointTarget | undefined): Promise<void> {
  if (target?.turn === undefined) return;
  await vscode.window.showTextDocument(vscode.Uri.file(promptFile(target.turn)), { preview: true });
}

/** Opens what a spec says anew: on the left that of the checkpoint before. */
async function compareSpecs(target: CheckpointTarget | undefined): Promise<void> {
  const { problem, checkpoint } = target ?? {};
  if (problem === undefined || checkpoint === undefined) return;
  const before = problem.checkpoints[problem.checkpoints.indexOf(checkpoint) - 1];
  if (before === undefined) return;
  const [from, to] = [checkpointLabel(before.name), checkpointLabel(checkpoint.name)];
  const title = vscode.l10n.t("{0}: spec of {1} → {2}", problem.name, from, to);
  const [left, right] = [before, checkpoint].map(({ specPath }) => vscode.Uri.file(specPath));
  await vscode.commands.executeCommand("vscode.diff", left, right, title);
}

/** Opens the entry file, or else lets the user choose among the snapshot's files. */
async function openSnapshot({ checks }: Services, target: CheckpointTarget | undefined): Promise<void> {
  if (target?.turn === undefined) return;
  void checks.look(target.turn);
  const folder = snapshotFolder(target.turn);
  const files = await listFiles(folder);
  const entry = target.problem === undefined ? undefined : `${target.problem.entryFile}.py`;
  const file = files.find((name) => name === entry) ?? (await chooseFile(files));
  if (file === undefined) return;
  await vscode.window.showTextDocument(vscode.Uri.file(path.join(folder, file)), { preview: true });
}

async function chooseFile(files: readonly string[]): Promise<string | undefined> {
  if (files.length === 0) {
    throw new SlopLensError("run-folder", vscode.l10n.t("This checkpoint has no snapshot"));
  }
  const title = vscode.l10n.t("Open Snapshot");
  return files.length === 1 ? files[0] : vscode.window.showQuickPick(files, { title });
}

/** Opens what changed: on the left the checkpoint before, on the right this one. */
async function compareWithPrevious(
  { turnFiles, checks }: Services,
  target: CheckpointTarget | undefined,
): Promise<void> {
  const { turn, previous } = target ?? {};
  if (turn === undefined || previous === undefined || !hasSnapshot(turn)) return;
  for (const side of [previous, turn]) void checks.look(side);
  const [from, to] = [checkpointLabel(previous.checkpoint), checkpointLabel(turn.checkpoint)];
  await openChanges(turnFiles, previous, turn, `${turn.problem}: ${from} → ${to}`);
}

async function openFault(file: unknown, line: unknown, column: unknown): Promise<void> {
  if (typeof file !== "string") return;
  const at = new vscode.Position(zeroBased(line), zeroBased(column));
  await vscode.window.showTextDocument(vscode.Uri.file(file), { selection: new vscode.Range(at, at) });
}

async function revealLines(address: unknown, start: unknown, end: unknown): Promise<void> {
  if (typeof address !== "string") return;
  const editor = await editorFor(vscode.Uri.parse(address, true));
  const first = editor.document.validatePosition(new vscode.Position(zeroBased(start), 0));
  editor.selection = new vscode.Selection(first, first);
  const range = new vscode.Range(first, new vscode.Position(zeroBased(end ?? start), 0));
  editor.revealRange(range, vscode.TextEditorRevealType.InCenterIfOutsideViewport);
}

function zeroBased(value: unknown): number {
  return typeof value === "number" && value > 0 ? value - 1 : 0;
}
