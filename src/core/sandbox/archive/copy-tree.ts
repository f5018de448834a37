import path from "node:path";
import { Readable } from "node:stream";

import { throwIfAborted } from "../deadline.js";
import { Tasks } from "./ahead.js";
import { GuardedFolder, DEFAULT_CAPS, type CopyCaps } from "./guarded-folder.js";
import { readContent } from "./open-file.js";
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
  const tasks = new Tasks();
  try {
    for (const entry of tree.entries) {
      throwIfAborted(options.signal);
      if (entry.kind === "file") await tasks.add(() => copyFile(source, entry, folder));
      else if (entry.kind === "folder") await folder.addFolder(entry.path, entry.mode);
      else if (!(await folder.addLink(entry.path, entry.linkTarget ?? ""))) tree.leftOut.push(entry.path);
    }
  } finally {
    await tasks.finish();
    await folder.finish();
  }
  return tree.leftOut;
}

async function copyFile(source: string, entry: TreeEntry, folder: GuardedFolder): Promise<void> {
  const content = await readContent(path.join(source, entry.path));
  if ("bytes" in content) {
    await folder.addFile(entry.path, entry.mode, content.bytes.length, Readable.from([content.bytes]));
    return;
  }
  try {
    const stream = content.handle.createReadStream({ autoClose: false });
    await folder.addFile(entry.path, entry.mode, content.size, stream);
  } finally {
    await content.handle.close();
  }
}
