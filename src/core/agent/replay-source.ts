import { readdir, stat } from "node:fs/promises";
import path from "node:path";
import { SlopLensError } from "../model/errors.js";
import type { Checkpoint, Problem } from "../model/problem.js";

/** What a replay takes its workspaces from. */
export type ReplaySource =
  /** The pack's own reference solutions. */
  | { readonly kind: "solutions" }
  /** Any folder with `checkpoint_k` folders, an earlier run, or a problem's folder inside one. */
  | { readonly kind: "folder"; readonly folder: string };

/** Folder with the workspace of each checkpoint that the source has, by checkpoint name. */
export type ReplayFolders = ReadonlyMap<string, string>;

/** A checkpoint's folder in a run holds some of these beside `snapshot`; a recorded solution holds none. */
const RUN_FILES = new Set([
  "prompt.txt",
  "inference_result.json",
  "evaluation.json",
  "checkpoint.yaml",
  "diff.json",
  "slop-lens.json",
  "quality_analysis",
  "evaluation",
]);

/**
 * Finds the workspace of every checkpoint of `problem` in `source`.
 * @returns only checkpoints that the source has
 * @throws SlopLensError agent-invalid when the source itself is not a folder
 */
export async function findReplayFolders(source: ReplaySource, problem: Problem): Promise<ReplayFolders> {
  const bases = await basesOf(source, problem);
  const found = new Map<string, string>();
  for (const checkpoint of problem.checkpoints) {
    const folder = await workspaceIn(bases, checkpoint);
    if (folder !== undefined) found.set(checkpoint.name, folder);
  }
  return found;
}

async function basesOf(source: ReplaySource, problem: Problem): Promise<string[]> {
  if (source.kind === "solutions") return [path.join(problem.folder, "solutions")];
  if (!(await isFolder(source.folder))) {
    throw new SlopLensError(
      "agent-invalid",
      `${source.folder} is not a folder, so nothing can be replayed from it`,
      "Name a folder with checkpoint_1, checkpoint_2, …, or an earlier run folder.",
    );
  }
  const { folder } = source;
  return [path.join(folder, problem.name), folder, path.join(folder, "solutions")];
}

async function workspaceIn(bases: readonly string[], checkpoint: Checkpoint): Promise<string | undefined> {
  for (const base of bases) {
    const folder = path.join(base, checkpoint.name);
    if (!(await isFolder(folder))) continue;
    const snapshot = path.join(folder, "snapshot");
    const isRun = await isRunCheckpoint(folder);
    if (!isRun) return folder;
    if (await isFolder(snapshot)) return snapshot;
  }
  return undefined;
}

async function isRunCheckpoint(folder: string): Promise<boolean> {
  const names = await readdir(folder);
  return names.some((name) => RUN_FILES.has(name)) || (names.length === 1 && names[0] === "snapshot");
}

async function isFolder(folder: string): Promise<boolean> {
  try {
    return (await stat(folder)).isDirectory();
  } catch {
    return false;
  }
}
