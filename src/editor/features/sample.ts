import { cp, mkdir, stat } from "node:fs/promises";
import path from "node:path";
import * as vscode from "vscode";
import { COMMANDS } from "../ids.js";
import type { Feature, Services } from "../services.js";
import { registerCommands } from "./commands.js";

const FOLDER = "slop-lens-sample";

interface Place extends vscode.QuickPickItem {
  readonly folder: () => Promise<string | undefined>;
}

/** Code of the sample that has marks of every kind. */
const MARKED_FILE = "shelf-recordings/rotting/checkpoint_6/shelf.py";
/** Milliseconds until the first function is shown although its marks are not there. */
const PATIENCE = 10_000;

/**
 * Open the Sample: copies the shipped problem with its recordings to where the user may write, and opens it.
 * Show Marks in the Sample: opens its worst file where it lies.
 */
export const sample: Feature = (services) =>
  registerCommands(services.errors, {
    [COMMANDS.openSample]: () => openSample(services),
    [COMMANDS.showMarks]: () => showMarks(services),
  });

async function showMarks({ files, marks }: Services): Promise<void> {
  const { document } = await vscode.window.showTextDocument(
    vscode.Uri.file(path.join(files.examples, MARKED_FILE)),
  );
  await marked(marks, document);
  await vscode.commands.executeCommand(COMMANDS.nextComplexFunction);
}

async function marked(marks: Services["marks"], document: vscode.TextDocument): Promise<void> {
  if (marks.result(document) !== undefined) return;
  await new Promise<void>((resolve) => {
    const done = (): void => {
      clearTimeout(timer);
      listener.dispose();
      resolve();
    };
    const timer = setTimeout(done, PATIENCE);
    const listener = marks.onDidChange(() => {
      if (marks.result(document) !== undefined) done();
    });
  });
}

async function openSample({ context, files }: Services): Promise<void> {
  const storage = context.globalStorageUri.fsPath;
  const places: Place[] = [
    {
      label: `$(home) ${vscode.l10n.t("Keep it with the extension's data")}`,
      description: vscode.l10n.t("the quickest way"),
      folder: () => Promise.resolve(storage),
    },
    { label: `$(folder-opened) ${vscode.l10n.t("Choose a folder…")}`, folder: chooseFolder },
  ];
  const place = await vscode.window.showQuickPick(places, {
    title: vscode.l10n.t("Open the Sample"),
    placeHolder: vscode.l10n.t("Where shall the sample be copied to?"),
  });
  const base = await place?.folder();
  if (base === undefined) return;
  const target = path.join(base, FOLDER);
  if (!(await exists(target))) {
    await mkdir(base, { recursive: true });
    await cp(files.examples, target, { recursive: true });
  }
  const hasFolder = (vscode.workspace.workspaceFolders?.length ?? 0) > 0;
  await vscode.commands.executeCommand("vscode.openFolder", vscode.Uri.file(target), {
    forceNewWindow: hasFolder,
  });
}

async function chooseFolder(): Promise<string | undefined> {
  const chosen = await vscode.window.showOpenDialog({
    canSelectFiles: false,
    canSelectFolders: true,
    openLabel: vscode.l10n.t("Copy the Sample Here"),
  });
  return chosen?.[0]?.fsPath;
}

async function exists(file: string): Promise<boolean> {
  return (await stat(file).catch(() => undefined)) !== undefined;
}
