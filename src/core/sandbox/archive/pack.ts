import type { FileHandle } from "node:fs/promises";
import { Readable } from "node:stream";

import { pack as tarPack, type Header, type Pack } from "tar-stream";

import { throwIfAborted } from "../deadline.js";
import { mapAhead } from "./ahead.js";
import { readContent, type FileContent } from "./open-file.js";
import type { PlannedEntry } from "./plan.js";
import { pour } from "./tar-streams.js";

type EntryHeader = Partial<Header> & Pick<Header, "name">;

/** Where the roots of a plan lie in the container and whom the files belong to. */
export interface ArchiveLayout {
  /** Absolute container paths. */
  readonly workspace: string;
  readonly harness: string;
  readonly home: string;
  readonly uid: number;
  readonly gid: number;
  /** Mode and owner of the workspace folder itself. */
  readonly workspaceMode: number;
  readonly workspaceOwner: "solution" | "harness";
}

/**
 * The plan as a tar stream for the container's `/`. Bytes are read while the stream is consumed; an error while
 * reading destroys the stream with it.
 */
export function packPlan(
  entries: readonly PlannedEntry[],
  layout: ArchiveLayout,
  signal: AbortSignal,
): Readable {
  const archive = tarPack();
  writeAll(archive, entries, layout, signal).then(
    () => {
      archive.finalize();
    },
    (error: unknown) => {
      archive.destroy(error instanceof Error ? error : new Error(String(error)));
    },
  );
  return Readable.from(archive, { objectMode: false });
}

async function writeAll(
  archive: Pack,
  entries: readonly PlannedEntry[],
  layout: ArchiveLayout,
  signal: AbortSignal,
): Promise<void> {
  await writeEntry(archive, {
    name: `${layout.workspace.slice(1)}/`,
    type: "directory",
    mode: layout.workspaceMode,
    ...ids(layout, layout.workspaceOwner),
  });
  for await (const [entry, content] of mapAhead(entries, contentOf, closeContent)) {
    if (content !== undefined && "handle" in content) {
      await writeLarge(archive, { ...headerOf(entry, layout), size: content.size }, content.handle, signal);
    } else {
      throwIfAborted(signal);
      await writeEntry(archive, headerOf(entry, layout), content?.bytes);
    }
  }
}

/** Small files are read before it is their turn; of a large one only the beginning is opened. */
async function contentOf(entry: PlannedEntry): Promise<FileContent | undefined> {
  if (entry.source === undefined) return undefined;
  return "bytes" in entry.source
    ? { bytes: Buffer.from(entry.source.bytes) }
    : readContent(entry.source.path);
}

function headerOf(entry: PlannedEntry, layout: ArchiveLayout): EntryHeader {
  const name = `${layout[entry.root].slice(1)}/${entry.path}`;
  const common = { mode: entry.mode, mtime: entry.modified, ...ids(layout, entry.owner) };
  if (entry.kind === "folder") return { ...common, name: `${name}/`, type: "directory" };
  if (entry.kind === "link") return { ...common, name, type: "symlink", linkname: entry.linkTarget ?? "" };
  return { ...common, name, type: "file" };
}

function ids(layout: ArchiveLayout, owner: PlannedEntry["owner"]): { uid: number; gid: number } {
  return owner === "solution" ? { uid: layout.uid, gid: layout.gid } : { uid: 0, gid: 0 };
}

function writeEntry(archive: Pack, header: EntryHeader, content: Buffer = Buffer.alloc(0)): Promise<void> {
  return new Promise((resolve, reject) => {
    archive.entry(header, content, (error) => {
      if (error instanceof Error) reject(error);
      else resolve();
    });
  });
}

async function closeContent(content: FileContent | undefined): Promise<void> {
  if (content !== undefined && "handle" in content) await content.handle.close();
}

async function writeLarge(
  archive: Pack,
  header: EntryHeader & { readonly size: number },
  handle: FileHandle,
  signal: AbortSignal,
): Promise<void> {
  try {
    throwIfAborted(signal);
    await new Promise<void>((resolve, reject) => {
      const sink = archive.entry(header, (error) => {
        if (error instanceof Error) reject(error);
        else resolve();
      });
      // A file that shrinks meanwhile makes the entry too short, which tar-stream reports through the callback.
      const stream = handle.createReadStream({ autoClose: false, end: header.size - 1 });
      pour(stream, sink).catch((error: unknown) => {
        sink.destroy(error instanceof Error ? error : new Error(String(error)));
      });
    });
  } finally {
    await handle.close();
  }
}
