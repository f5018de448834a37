/** The files that all programs of the bench get. */
import { cp, mkdir, readdir, readFile, stat } from "node:fs/promises";
import path from "node:path";

/** Folders that Slop Lens and scb-check pass over. */
const EXCLUDED = new Set([
  ".git",
  ".venv",
  "venv",
  "env",
  ".env",
  "__pycache__",
  "build",
  "dist",
  "node_modules",
  "site-packages",
  ".mypy_cache",
  ".pytest_cache",
  ".ruff_cache",
  ".tox",
]);
const MAX_BYTES = 5 * 1024 * 1024;

/**
 * Copies the Python files of a folder, so that no program is given more or fewer than another.
 * @param {string} from a folder; one that is excluded by its name is not when it is named itself
 * @param {string} to a folder that does not exist
 */
export async function layCorpus(from, to) {
  const counts = { folder: to, files: 0, lines: 0 };
  const open = [from];
  for (let folder = open.pop(); folder !== undefined; folder = open.pop()) {
    for (const entry of await readdir(folder, { withFileTypes: true })) {
      const place = path.join(folder, entry.name);
      if (entry.isDirectory() && !EXCLUDED.has(entry.name)) open.push(place);
      if (!entry.isFile() || !entry.name.endsWith(".py") || (await stat(place)).size > MAX_BYTES) continue;
      const copy = path.join(to, path.relative(from, place));
      await mkdir(path.dirname(copy), { recursive: true });
      await cp(place, copy);
      counts.files++;
      counts.lines += (await readFile(place)).reduce((sum, byte) => (byte === 10 ? sum + 1 : sum), 0);
    }
  }
  return counts;
}
