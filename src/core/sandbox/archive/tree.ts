import type { Stats } from "node:fs";
import { lstat, readdir, readlink } from "node:fs/promises";
import path from "node:path";

import { throwIfAborted } from "../deadline.js";
import { mapAhead } from "./ahead.js";

/** One entry of a host folder, never followed. */
export interface TreeEntry {
  /** POSIX path relative to the folder. */
  readonly path: string;
  readonly kind: "folder" | "file" | "link";
  /** Permission bits. */
  readonly mode: number;
  readonly size: number;
  readonly linkTarget: string | undefined;
  readonly modified: Date;
}

export interface Tree {
  /** Parents before children. */
  readonly entries: TreeEntry[];
  /** Wanted, but not representable: sockets, pipes, devices, names that are not UTF-8, paths that are too long. */
  readonly leftOut: string[];
}

export interface TreeOptions {
  /** Asked for files, links and empty folders; a folder with something kept in it comes along. */
  readonly keep: (relativePath: string) => boolean;
  readonly signal: AbortSignal;
}

/** What Node puts in the place of bytes of a name that are not UTF-8. */
export const REPLACEMENT = "\uFFFD";

/** A longer path would not fit on every host: macOS ends at 1024 bytes, and the run folder's own path comes first. */
const LONGEST_PATH = 768;

/** Whether an entry can lie on any host under the same name. */
export function isRepresentable(relativePath: string): boolean {
  return !relativePath.includes(REPLACEMENT) && Buffer.byteLength(relativePath) <= LONGEST_PATH;
}

/** Lists a host folder without following links. */
export async function listTree(folder: string, options: TreeOptions): Promise<Tree> {
  const leftOut: string[] = [];
  const entries = await listFolder(folder, "", options, leftOut);
  return { entries, leftOut };
}

async function listFolder(
  root: string,
  relative: string,
  options: TreeOptions,
  leftOut: string[],
): Promise<TreeEntry[]> {
  throwIfAborted(options.signal);
  const found: TreeEntry[] = [];
  const names = await readdir(path.join(root, relative));
  const children = names.sort().map((name) => (relative === "" ? name : `${relative}/${name}`));
  const readable = children.filter(isRepresentable);
  for (const child of children) if (!isRepresentable(child) && options.keep(child)) leftOut.push(child);
  for await (const [child, stats] of mapAhead(readable, (child) => lstat(path.join(root, child)))) {
    for (const entry of await listEntry(root, child, stats, options, leftOut)) found.push(entry);
  }
  return found;
}

async function listEntry(
  root: string,
  relative: string,
  stats: Stats,
  options: TreeOptions,
  leftOut: string[],
): Promise<TreeEntry[]> {
  const about = { path: relative, mode: stats.mode & 0o777, modified: stats.mtime };
  if (stats.isDirectory()) {
    const folder: TreeEntry = { ...about, kind: "folder", size: 0, linkTarget: undefined };
    const inside = await listFolder(root, relative, options, leftOut);
    if (inside.length > 0) return [folder, ...inside];
    const empty = (await readdir(path.join(root, relative))).length === 0;
    return empty && options.keep(relative) ? [folder] : [];
  }
  if (!options.keep(relative)) return [];
  if (stats.isSymbolicLink()) {
    const linkTarget = await readlink(path.join(root, relative));
    return [{ ...about, kind: "link", size: 0, linkTarget }];
  }
  if (stats.isFile()) return [{ ...about, kind: "file", size: stats.size, linkTarget: undefined }];
  leftOut.push(relative);
  return [];
}
