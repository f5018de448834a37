import path from "node:path";
import * as vscode from "vscode";
import type { LibraryState } from "../library/state.js";
import { programFolder } from "./clone-root.js";

/** The code that a file is a part of. */
export interface CodeScope {
  readonly name: string;
  /** Absolute path of the folder to be measured. */
  readonly root: string;
  /** Folders below it that are not. */
  readonly without: readonly string[];
  /** It is one program: a snapshot, or a checkpoint's solution. */
  readonly isProgram: boolean;
}

/** Which runs a window knows. */
export interface KnownRuns {
  readonly state: Pick<LibraryState, "runs">;
  /** Resolves when the runs of the workspace have been looked for. */
  readonly settled: Promise<void>;
}

/**
 * The program or else the workspace folder that a document belongs to, without the runs in it: their snapshots hold the
 * same code again and again.
 */
export async function scopeOf(
  { uri }: vscode.TextDocument,
  library: KnownRuns,
): Promise<CodeScope | undefined> {
  if (uri.scheme !== "file") return undefined;
  const program = programFolder(uri.fsPath);
  if (program !== undefined) {
    return { name: path.basename(program), root: program, without: [], isProgram: true };
  }
  const folder = vscode.workspace.getWorkspaceFolder(uri);
  return folder && folderScope(folder, library);
}

/** A workspace folder without the runs in it. @param folder on the disk */
export async function folderScope(folder: vscode.WorkspaceFolder, library: KnownRuns): Promise<CodeScope> {
  await library.settled;
  const without = library.state.runs.map((run) => run.folder);
  return { name: folder.name, root: folder.uri.fsPath, without, isProgram: false };
}
