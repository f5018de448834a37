import { chmod, lstat, mkdir, readdir, rm, symlink, utimes, writeFile } from "node:fs/promises";
import { createWriteStream } from "node:fs";
import path from "node:path";
import { pipeline } from "node:stream/promises";

import { Tasks } from "../archive/ahead.js";
import { readContent } from "../archive/open-file.js";
import type { PlannedEntry } from "../archive/plan.js";
import { throwIfAborted } from "../deadline.js";

/** Lays a plan's entries below empty host folders. Folders get their modes last, when all is in them. */
export async function layFiles(
  entries: readonly PlannedEntry[],
  roots: { readonly workspace: string; readonly harness: string; readonly home: string },
  signal: AbortSignal,
): Promise<void> {
  const tasks = new Tasks();
  try {
    for (const entry of entries) {
      throwIfAborted(signal);
      const place = path.join(roots[entry.root], ...entry.path.split("/"));
      if (entry.kind === "folder") await mkdir(place, { mode: 0o700 });
      else await tasks.add(() => layEntry(entry, place));
    }
  } finally {
    await tasks.finish();
  }
  for (const entry of [...entries].reverse()) {
    if (entry.kind === "folder")
      await chmod(path.join(roots[entry.root], ...entry.path.split("/")), entry.mode);
  }
}

/** Removes a folder whatever the modes inside say. */
export async function removeFolder(folder: string): Promise<void> {
  try {
    await rm(folder, { recursive: true, force: true });
  } catch {
    await openUp(folder);
    await rm(folder, { recursive: true, force: true, maxRetries: 3 });
  }
}

/** Lets us read everything in a folder of ours, and remove it, whatever modes it was given. */
export async function openUp(folder: string): Promise<void> {
  await allow(folder, 0o700);
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    const place = path.join(folder, entry.name);
    if (entry.isDirectory()) await openUp(place);
    else if (entry.isFile()) await allow(place, 0o400);
  }
}

async function allow(place: string, bits: number): Promise<void> {
  const { mode } = await lstat(place);
  if ((mode & bits) !== bits) await chmod(place, (mode & 0o777) | bits);
}

async function layEntry(entry: PlannedEntry, place: string): Promise<void> {
  if (entry.kind === "link") {
    await symlink(entry.linkTarget ?? "", place);
    return;
  }
  if (entry.source === undefined) return;
  if ("bytes" in entry.source) await writeFile(place, entry.source.bytes, { flag: "wx" });
  else await copyFile(entry.source.path, place);
  await utimes(place, entry.modified, entry.modified);
  await chmod(place, entry.mode);
}

async function copyFile(source: string, place: string): Promise<void> {
  const content = await readContent(source);
  if ("bytes" in content) {
    await writeFile(place, content.bytes, { flag: "wx" });
    return;
  }
  try {
    const stream = content.handle.createReadStream({ autoClose: false });
    await pipeline(stream, createWriteStream(place, { flags: "wx" }));
  } finally {
    await content.handle.close();
  }
}
