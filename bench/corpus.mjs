/** The files that all programs of the bench get. */
import { cp, mkdir, readdir, readFile, stat } from "node:fs/promises";
import path from "node:path";
import { made } from "./made.mjs";

/** What Slop Lens and scb-check pass over. */
const { EXCLUDED_FOLDERS } = await made("src/core/analysis/excluded-folders.ts");
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
      if (entry.isDirectory() && !EXCLUDED_FOLDERS.has(entry.name)) open.push(place);
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
