import { createHash } from "node:crypto";
import type { Hash } from "node:crypto";
import { createReadStream } from "node:fs";
import { lstat, readdir, readlink } from "node:fs/promises";
import path from "node:path";

/** The owner's execute bit is the only mode that survives archives, umasks and file systems, so it is the one that counts. */
const EXECUTABLE = 0o100;

/** Tells of a POSIX path, relative to the folder, whether it counts; not asked for what lies below one that does not. */
type Keep = (relativePath: string) => boolean;

/**
 * SHA-256 over everything in a folder, or what of it is kept: relative paths, kinds, the execute bit, link targets, contents. The same tree
 * gives the same hash on any machine, whatever the order of its entries on disk. Links are never followed.
 * @throws NodeJS.ErrnoException when something cannot be read
 */
export async function snapshotHash(folder: string, keep: Keep = () => true): Promise<string> {
  const hash = createHash("sha256");
  await addFolder(hash, Buffer.from(path.resolve(folder)), Buffer.alloc(0), keep);
  return hash.digest("hex");
}

/** Works on bytes, because file names need not be UTF-8. */
async function addFolder(hash: Hash, folder: Buffer, prefix: Buffer, keep: Keep): Promise<void> {
  const names = await readdir(folder, { encoding: "buffer" });
  names.sort((left, right) => left.compare(right));
  for (const name of names) {
    const target = Buffer.concat([folder, Buffer.from(path.sep), name]);
    const relative = prefix.length === 0 ? name : Buffer.concat([prefix, Buffer.from("/"), name]);
    if (keep(relative.toString())) await addEntry(hash, target, relative, keep);
  }
}

async function addEntry(hash: Hash, target: Buffer, relative: Buffer, keep: Keep): Promise<void> {
  const stats = await lstat(target);
  if (stats.isDirectory()) {
    addRecord(hash, "folder", relative, 0);
    await addFolder(hash, target, relative, keep);
  } else if (stats.isSymbolicLink()) {
    const link = await readlink(target, { encoding: "buffer" });
    addRecord(hash, "link", relative, link.length);
    hash.update(link);
  } else if (stats.isFile()) {
    const kind = (stats.mode & EXECUTABLE) === 0 ? "file" : "program";
    addRecord(hash, kind, relative, stats.size);
    for await (const chunk of createReadStream(target)) hash.update(chunk as Buffer);
  }
}

/** Lengths come first, so that no content can pass for another entry. */
function addRecord(hash: Hash, kind: string, relative: Buffer, size: number): void {
  hash.update(`${kind} ${relative.length} ${size}\n`);
  hash.update(relative);
}
