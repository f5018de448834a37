import { constants } from "node:fs";
import { chmod, copyFile, lstat, mkdir, readdir, readlink, symlink } from "node:fs/promises";
import path from "node:path";

/**
 * Which entries of a tree are wanted, by POSIX path relative to its root; a path that ends in `/` is a folder. What is
 * below an unwanted folder is unwanted.
 */
export type Keep = (relativePath: string) => boolean;

const MODE_BITS = 0o777;

/**
 * Copies the content of one folder into another. Links stay links, modes are kept, folders appear only where they
 * hold something kept or were empty before. Sockets, pipes and devices are left out.
 * @param target created when missing; what it already holds stays unless the same path is copied over it
 * @returns relative paths of wanted entries that are neither file, link nor folder
 */
export async function copyTree(
  source: string,
  target: string,
  keep: Keep,
  signal: AbortSignal,
): Promise<string[]> {
  await mkdir(target, { recursive: true });
  const leftOut: string[] = [];
  await copyFolder({ source, target, keep, signal, leftOut }, "");
  return leftOut.sort();
}

interface Copying {
  readonly source: string;
  readonly target: string;
  readonly keep: Keep;
  readonly signal: AbortSignal;
  readonly leftOut: string[];
}

async function copyFolder(copying: Copying, folder: string): Promise<void> {
  copying.signal.throwIfAborted();
  const entries = await readdir(path.join(copying.source, folder), { withFileTypes: true });
  if (entries.length === 0) {
    await mkdir(path.join(copying.target, folder), { recursive: true });
  }
  for (const entry of entries) {
    const relative = folder === "" ? entry.name : `${folder}/${entry.name}`;
    if (entry.isDirectory()) {
      if (copying.keep(`${relative}/`)) await copyFolder(copying, relative);
    } else if (copying.keep(relative))
      await copyEntry(copying, relative, entry.isSymbolicLink(), entry.isFile());
  }
}

async function copyEntry(
  copying: Copying,
  relative: string,
  isLink: boolean,
  isFile: boolean,
): Promise<void> {
  if (!isLink && !isFile) {
    copying.leftOut.push(relative);
    return;
  }
  const from = path.join(copying.source, relative);
  const to = path.join(copying.target, relative);
  await mkdir(path.dirname(to), { recursive: true });
  if (isLink) {
    await symlink(await readlink(from), to);
    return;
  }
  await copyFile(from, to, constants.COPYFILE_FICLONE);
  await chmod(to, (await lstat(from)).mode & MODE_BITS);
}
