import { readdir, readFile, writeFile } from "node:fs/promises";
import path from "node:path";

import { formatStamp, isDead, ownStamp, parseStamp } from "../process-stamp.js";
import { removeFolder } from "./lay-files.js";
import { killTree } from "./process-tree.js";

export const FOLDER_PREFIX = "slop-lens-session-";
const STAMP = "owner";

/** Notes in a session's folder which process it belongs to. */
export async function stampFolder(folder: string): Promise<void> {
  await writeFile(path.join(folder, STAMP), formatStamp(ownStamp()));
}

/**
 * Ends processes and removes folders of sessions whose process has ended without doing so.
 * @param place folder that holds the sessions' folders
 * @returns how many sessions were removed
 */
export async function removeLocalOrphans(place: string): Promise<number> {
  const names = (await readdir(place)).filter((name) => name.startsWith(FOLDER_PREFIX));
  let removed = 0;
  for (const name of names) {
    const folder = path.join(place, name);
    const stamp = parseStamp(await readFile(path.join(folder, STAMP), "utf8").catch(() => undefined));
    if (stamp === undefined || !isDead(stamp)) continue;
    await killTree(undefined, folder);
    await removeFolder(folder);
    removed += 1;
  }
  return removed;
}
