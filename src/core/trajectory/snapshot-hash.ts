import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { lstat, readdir, readlink } from "node:fs/promises";
import path from "node:path";
import { pipeline } from "node:stream/promises";

const EXECUTABLE = 0o100;

/**
 * Hashes a snapshot over the paths, kinds and contents of its files, links and folders. Of the mode only the owner's
 * executable bit counts (as in Git), so that the same code has the same hash whatever umask it was collected under.
 * @returns `sha256:` and 64 hex digits
 */
export async function snapshotHash(folder: string, signal: AbortSignal): Promise<string> {
  const hash = createHash("sha256");
  for (const relative of (await listTree(folder, "")).sort()) {
    signal.throwIfAborted();
    hash.update(`${await describe(path.join(folder, relative), signal)}\0${relative}\0`);
  }
  return `sha256:${hash.digest("hex")}`;
}

async function listTree(root: string, folder: string): Promise<string[]> {
  const entries = await readdir(path.join(root, folder), { withFileTypes: true });
  const nested = entries.map(async (entry) => {
    const relative = folder === "" ? entry.name : `${folder}/${entry.name}`;
    return entry.isDirectory() ? [relative, ...(await listTree(root, relative))] : [relative];
  });
  return (await Promise.all(nested)).flat();
}

async function describe(file: string, signal: AbortSignal): Promise<string> {
  const stats = await lstat(file);
  if (stats.isSymbolicLink()) return `link ${await readlink(file)}`;
  if (!stats.isFile()) return stats.isDirectory() ? "folder" : "other";
  const content = createHash("sha256");
  await pipeline(createReadStream(file), content, { signal });
  return `${(stats.mode & EXECUTABLE) === 0 ? "file" : "executable"} ${content.digest("hex")}`;
}
