import path from "node:path";
import type { Environment } from "../model/environment.js";
import type { Problem } from "../model/problem.js";
import { fnmatch } from "./fnmatch.js";

/**
 * What SCB leaves out of snapshots when an environment says nothing (release of May 2026), and `__pycache__` below
 * the top, which SCB's own pattern does not reach.
 */
export const DEFAULT_IGNORE_GLOBS: readonly string[] = [
  ...["*.pyc", "venv/*", ".venv/*", ".evaluation_tests/*", "__pycache__/*", "*/__pycache__/*"],
  ...[".ruff_cache/*", ".pytest_cache/*", ".mypy_cache/*", ".opencode/*", ".claude/*", "node_modules/*"],
];

/**
 * Which workspace paths belong to a snapshot, by SCB's rules: a path is left out when it or a folder above it matches
 * an ignore pattern; patterns are Python's `fnmatch`, in which `*` also crosses `/`.
 * @returns a test for POSIX paths relative to the workspace. A path that ends in `/` is a folder: `keep_globs` name
 *   files, so a folder passes them
 */
export function snapshotFilter(
  environment: Environment,
  problem: Problem,
): (relativePath: string) => boolean {
  const { keepGlobs, ignoreGlobs } = environment.snapshot;
  const assets = problem.staticAssets.flatMap(({ savePath }) => [savePath, `${savePath}/*`]);
  const ignored = [...ignoreGlobs, "tests/assets", "tests/assets/*", ...assets].map(fnmatch);
  const kept = keepGlobs === undefined || keepGlobs.length === 0 ? undefined : keepGlobs.map(fnmatch);
  const matches = (patterns: readonly RegExp[], name: string): boolean =>
    patterns.some((pattern) => pattern.test(name) || pattern.test(`./${name}`));

  const ignoredFolders = new Map<string, boolean>();
  const isIgnoredFolder = (folder: string): boolean => {
    if (folder === "." || folder === "") return false;
    const known = ignoredFolders.get(folder);
    if (known !== undefined) return known;
    const result =
      isIgnoredFolder(path.posix.dirname(folder)) ||
      matches(ignored, folder) ||
      matches(ignored, `${folder}/`);
    ignoredFolders.set(folder, result);
    return result;
  };

  return (relativePath) => {
    const name = path.posix.normalize(relativePath).replace(/\/$/u, "");
    if (isIgnoredFolder(path.posix.dirname(name))) return false;
    if (matches(ignored, name) || matches(ignored, `${name}/`)) return false;
    return relativePath.endsWith("/") || kept === undefined || matches(kept, name);
  };
}
