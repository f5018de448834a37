import { readdir } from "node:fs/promises";
import path from "node:path";
import * as vscode from "vscode";
import type { LibraryState } from "../library/state.js";
import { programFolder } from "./clone-root.js";

/** The code that a file is a part of. */
export interface CodeScope {
  readonly name: string;
  /** Absolute paths to be measured together. */
  readonly paths: readonly string[];
}

/**
 * The program or else the workspace folder that a document belongs to, without the snapshots of runs: those hold the
 * same code again and again.
 */
export async function scopeOf(
  { uri }: vscode.TextDocument,
  { runs }: Pick<LibraryState, "runs">,
): Promise<CodeScope | undefined> {
  if (uri.scheme !== "file") return undefined;
  const program = programFolder(uri.fsPath);
  if (program !== undefined) return { name: path.basename(program), paths: [program] };
  const folder = vscode.workspace.getWorkspaceFolder(uri);
  if (folder === undefined) return undefined;
  const { name } = folder;
  const root = folder.uri.fsPath;
  const inside = runs.map((run) => run.folder).filter((run) => isWithin(run, root));
  if (inside.length === 0) return { name, paths: [root] };
  const entries = await readdir(root, { withFileTypes: true });
  const paths = entries
    .filter((entry) => entry.isDirectory())
    .map((entry) => path.join(root, entry.name))
    .filter((place) => !inside.some((run) => isWithin(run, place)));
  return paths.length === 0 ? undefined : { name, paths };
}

function isWithin(place: string, folder: string): boolean {
  const below = path.relative(folder, place);
  return !below.startsWith("..") && !path.isAbsolute(below);
}
