import { constants } from "node:fs";
import { mkdir, open, readdir, rename, rm, stat, writeFile } from "node:fs/promises";
import path from "node:path";

/** Unfinished files and folders carry such a name; readers pass over names that begin with a dot. */
export function draftName(name: string): string {
  return `.${name}.tmp`;
}

/**
 * Writes a file so that after a crash at any moment either its old or its new content is there, whole: temporary name,
 * fsync, rename, fsync of the folder. The folder must exist.
 */
export async function writeDurably(file: string, content: string | Uint8Array): Promise<void> {
  const draft = path.join(path.dirname(file), draftName(path.basename(file)));
  const handle = await open(draft, "w");
  try {
    await handle.writeFile(content);
    await handle.sync();
  } finally {
    await handle.close();
  }
  await renameDurably(draft, file);
}

/**
 * Writes a folder of files so that after a crash it is there with all of them, or as it was before, or (when it
 * replaces an older one) not at all.
 */
export async function writeFolderDurably(
  folder: string,
  files: Readonly<Record<string, string | Uint8Array>>,
): Promise<void> {
  const draft = path.join(path.dirname(folder), draftName(path.basename(folder)));
  await rm(draft, { recursive: true, force: true });
  await mkdir(draft);
  await Promise.all(
    Object.entries(files).map(([name, content]) =>
      writeFile(path.join(draft, name), content, { flush: true }),
    ),
  );
  await syncFolder(draft);
  await rm(folder, { recursive: true, force: true });
  await renameDurably(draft, folder);
}

/** Renames and makes the new name survive a crash. */
export async function renameDurably(from: string, to: string): Promise<void> {
  await rename(from, to);
  await syncFolder(path.dirname(to));
}

/**
 * Creates a folder with those above it. Step by step: the recursion of Node's own `mkdir` never ends where a file system
 * says of a new folder that it is not there, as /proc does.
 */
export async function makeFolder(folder: string): Promise<void> {
  if (await isFolder(folder)) return;
  const parent = path.dirname(folder);
  if (parent !== folder) await makeFolder(parent);
  await mkdir(folder).catch(async (error: unknown) => {
    // Somebody else may have made it meanwhile.
    if (!(await isFolder(folder))) throw error;
  });
  await syncFolder(parent);
}

function isFolder(place: string): Promise<boolean> {
  return stat(place).then(
    (stats) => stats.isDirectory(),
    () => false,
  );
}

/** Syncing more files than this one by one costs seconds; the snapshot's hash tells whether the rest arrived. */
const SYNCED_FILES = 2000;
const SYNCED_AT_ONCE = 8;

/** Brings the files of a folder to the disk, the first 2,000 of them. Links and special files have no data to sync. */
export async function syncTree(folder: string): Promise<void> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).slice(0, SYNCED_FILES);
  const pending = files.map((entry) => path.join(entry.parentPath, entry.name)).values();
  const worker = async (): Promise<void> => {
    for (const file of pending) await syncFile(file);
  };
  await Promise.all(Array.from({ length: SYNCED_AT_ONCE }, worker));
  await syncFolder(folder);
}

async function syncFile(file: string): Promise<void> {
  // A file without read permission, or whose name is not UTF-8, cannot be opened; it is on its way to the disk anyway.
  const handle = await open(file, constants.O_RDONLY | constants.O_NOFOLLOW).catch(() => undefined);
  if (handle === undefined) return;
  await handle.sync().catch(() => undefined);
  await handle.close();
}

/** Windows cannot open folders, and needs not: its renames are journaled. */
async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, constants.O_RDONLY).catch(() => undefined);
  if (handle === undefined) return;
  await handle.sync().catch(() => undefined);
  await handle.close();
}
