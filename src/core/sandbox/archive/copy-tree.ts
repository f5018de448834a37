import path from "node:path";

import { throwIfAborted } from "../deadline.js";
import { GuardedFolder, DEFAULT_CAPS, type CopyCaps } from "./guarded-folder.js";
import { openPlainFile } from "./open-file.js";
import { listTree, type TreeEntry } from "./tree.js";

/**
 * Copies a host folder to the empty folder `target`, links as links.
 * @returns what was wanted but is not representable
 * @throws SlopLensError run-folder above a cap, bad-input when `target` is not empty, cancelled
 */
export async function copyTree(
  source: string,
  target: string,
  options: { keep: (relativePath: string) => boolean; signal: AbortSignal; caps?: CopyCaps },
): Promise<string[]> {
  const folder = await GuardedFolder.create(target, options.caps ?? DEFAULT_CAPS);
  const tree = await listTree(source, options);
  for (const entry of tree.entries) {
    throwIfAborted(options.signal);
    if (!(await copyEntry(source, entry, folder))) tree.leftOut.push(entry.path);
  }
  return tree.leftOut;
}

async function copyEntry(source: string, entry: TreeEntry, folder: GuardedFolder): Promise<boolean> {
  if (entry.kind === "link") return folder.addLink(entry.path, entry.linkTarget ?? "");
  if (entry.kind === "folder") await folder.addFolder(entry.path, entry.mode);
  else {
    const { handle, size } = await openPlainFile(path.join(source, entry.path));
    try {
      await folder.addFile(entry.path, entry.mode, size, handle.createReadStream({ autoClose: false }));
    } finally {
      await handle.close();
    }
  }
  return true;
}
