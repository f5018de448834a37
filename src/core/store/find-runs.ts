import { readdir } from "node:fs/promises";
import path from "node:path";

export interface SearchLimits {
  /** How many levels below the folder are looked at. */
  readonly depth: number;
  /** How many folders are looked at. */
  readonly folders: number;
}

export interface FoundRuns {
  /** Absolute paths of run folders, sorted. */
  readonly runs: readonly string[];
  /** False when a limit ended the search. */
  readonly complete: boolean;
}

export const DEFAULT_LIMITS: SearchLimits = { depth: 6, folders: 5000 };

/** Folders that hold files of other tools, often many, and never runs. */
const PASSED_OVER = new Set(["node_modules", "snapshot", "agent", "evaluation", "venv", "__pycache__"]);
const AT_ONCE = 16;

/**
 * Finds run folders at or below a folder, nearest first. Nothing is looked for inside a run, and links are not followed.
 */
export async function findRuns(
  folder: string,
  limits: SearchLimits = DEFAULT_LIMITS,
  signal?: AbortSignal,
): Promise<FoundRuns> {
  const runs: string[] = [];
  let level = [path.resolve(folder)];
  let seen = 0;
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth > limits.depth) return { runs: runs.sort(), complete: false };
    const next: string[] = [];
    for (let at = 0; at < level.length; at += AT_ONCE) {
      signal?.throwIfAborted();
      if (seen >= limits.folders) return { runs: runs.sort(), complete: false };
      const batch = level.slice(at, at + AT_ONCE);
      seen += batch.length;
      for (const looked of await Promise.all(batch.map(look))) {
        if (looked.isRun) runs.push(looked.folder);
        else next.push(...looked.children);
      }
    }
    level = next;
  }
  return { runs: runs.sort(), complete: true };
}

interface Looked {
  readonly folder: string;
  readonly isRun: boolean;
  readonly children: readonly string[];
}

async function look(folder: string): Promise<Looked> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  const names = new Set(entries.map(({ name }) => name));
  const children = entries
    .filter((entry) => entry.isDirectory() && !entry.name.startsWith(".") && !PASSED_OVER.has(entry.name))
    .map(({ name }) => path.join(folder, name));
  const marked =
    names.has("checkpoint_results.jsonl") || (names.has("config.yaml") && names.has("environment.yaml"));
  // A problem's folder and a checkpoint's have such files too, but they only come into sight below an unmarked run.
  const isRun = marked || (await anyProblemFolder(children));
  return { folder, isRun, children };
}

/** A run that lost its own files is still known by its problems. */
async function anyProblemFolder(children: readonly string[]): Promise<boolean> {
  for (const child of children) {
    const names: readonly string[] = await readdir(child).catch(() => []);
    const begun = names.some((name) => /^checkpoint_\d+$/u.test(name)) || names.includes("run_info.yaml");
    if (names.includes("problem.yaml") && begun) return true;
  }
  return false;
}
