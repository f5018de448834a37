import { createHash } from "node:crypto";
import { lstat, open, type FileHandle } from "node:fs/promises";
import { constants, type Stats } from "node:fs";
import path from "node:path";

import { throwIfAborted } from "./deadline.js";
import { listTree } from "./archive/tree.js";

/** What a solution asks for in its `requirements.txt`. */
export interface Requirements {
  readonly text: string;
  /** Folder that the text refers to by relative paths; undefined when it stands alone. */
  readonly source: string | undefined;
  /** Hash over all that the installation depends on. */
  readonly hash: string;
}

/** A larger `requirements.txt` is not read: nobody writes one by hand. */
const LARGEST = 1024 * 1024;

/**
 * Reads `requirements.txt` of a folder.
 * @returns undefined when there is none, or when it asks for nothing (empty, only comments)
 */
export async function readRequirements(
  folder: string | undefined,
  signal: AbortSignal,
): Promise<Requirements | undefined> {
  if (folder === undefined) return undefined;
  const text = await readPlainFile(path.join(folder, "requirements.txt"));
  if (text === undefined || !asksForSomething(text)) return undefined;
  const hash = createHash("sha256").update(text);
  if (!refersToFiles(text)) return { text, source: undefined, hash: hash.digest("hex") };
  hash.update(await hashTree(folder, signal));
  return { text, source: folder, hash: hash.digest("hex") };
}

/**
 * Why a `requirements.txt` that is there is passed over by {@link readRequirements}; undefined when it is not. The beginning
 * is that of what cannot be installed.
 */
export async function requirementsWarning(folder: string | undefined): Promise<string | undefined> {
  if (folder === undefined) return undefined;
  const stats = await lstat(path.join(folder, "requirements.txt")).catch(() => undefined);
  const why = stats === undefined ? undefined : reasonToPass(stats);
  return why === undefined ? undefined : `requirements.txt of the solution cannot be installed: ${why}`;
}

function reasonToPass(stats: Stats): string | undefined {
  if (stats.isSymbolicLink()) return "it is a link, which is not followed";
  if (!stats.isFile()) return "it is no plain file";
  if (stats.size <= LARGEST) return undefined;
  return `it has ${(stats.size / LARGEST).toFixed(2)} MiB, and at most 1 MiB is read`;
}

/** Whether any line is neither empty nor a comment. */
export function asksForSomething(text: string): boolean {
  return text.split("\n").some((line) => !/^\s*(#|$)/u.test(line.replace(/^\uFEFF/u, "")));
}

/** Whether the text names files beside it: `-r other.txt`, `-e .`, `./package`, `wheels/a.whl`, `a @ file:…`. */
export function refersToFiles(text: string): boolean {
  return text.split("\n").some((line) => {
    const bare = line.replace(/(^|\s)#.*$/u, "").trim();
    if (/^(-r|-c|-e|-f|--requirement|--constraint|--editable|--find-links)\b/u.test(bare)) return true;
    if (/^(\.|\/)|file:/u.test(bare)) return true;
    return (
      !bare.includes("://") && (/\.(whl|zip|tar\.gz|tar\.bz2)\b/u.test(bare) || /^[\w.-]+\//u.test(bare))
    );
  });
}

async function readPlainFile(file: string): Promise<string | undefined> {
  return withPlainFile(file, async (handle, size) =>
    size <= LARGEST ? await handle.readFile("utf8") : undefined,
  );
}

/**
 * Opens a plain file. A link is not followed: it may point out of the solution.
 * @param use gets the open file and its size in bytes
 * @returns undefined when there is no such file, or it cannot be opened
 */
async function withPlainFile<T>(
  file: string,
  use: (handle: FileHandle, size: number) => Promise<T>,
): Promise<T | undefined> {
  const handle = await open(file, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK).catch(
    () => undefined,
  );
  if (handle === undefined) return undefined;
  try {
    const stat = await handle.stat();
    return stat.isFile() ? await use(handle, stat.size) : undefined;
  } finally {
    await handle.close();
  }
}

async function hashTree(folder: string, signal: AbortSignal): Promise<string> {
  const hash = createHash("sha256");
  const tree = await listTree(folder, { keep: () => true, signal });
  for (const entry of tree.entries) {
    hash.update(`${entry.kind} ${entry.path}\0${entry.linkTarget ?? ""}\0`);
    if (entry.kind === "file") hash.update((await hashFile(path.join(folder, entry.path), signal)) ?? "");
  }
  return hash.digest("hex");
}

/** Hash over the bytes of a file of any size, in pieces; undefined when it cannot be opened. */
async function hashFile(file: string, signal: AbortSignal): Promise<string | undefined> {
  return withPlainFile(file, async (handle) => {
    const hash = createHash("sha256");
    const piece = Buffer.alloc(256 * 1024);
    for (;;) {
      throwIfAborted(signal);
      const { bytesRead } = await handle.read(piece, 0, piece.length);
      if (bytesRead === 0) return hash.digest("hex");
      hash.update(piece.subarray(0, bytesRead));
    }
  });
}
