import { createReadStream } from "node:fs";
import { readdir, stat } from "node:fs/promises";
import path from "node:path";
import { pipeline } from "node:stream";
import { createGunzip } from "node:zlib";
import { extract, type Extract } from "tar-stream";
import { SlopLensError } from "../model/errors.js";
import { bytesOf, pour } from "../sandbox/archive/tar-streams.js";

/** A file that an agent left behind. */
export interface AgentFile {
  /** Relative to the agent's folder, POSIX. */
  readonly path: string;
  readonly bytes: number;
}

/** What an agent left behind, wherever it is kept. */
export interface AgentFiles {
  /** Where a file is, for messages. */
  placeOf(file: string): string;
  /** Regular files, by path. */
  list(signal: AbortSignal): Promise<readonly AgentFile[]>;
  /** @throws what reading throws */
  open(file: string, signal: AbortSignal): AsyncIterable<Uint8Array>;
}

const MOST_FILES = 5000;
const DEEPEST = 8;
/** An archive that unpacks to more than this is read no further. */
const MOST_UNPACKED = 4 * 1024 ** 3;

/** The files of a folder. Links are not followed: an agent may have made them. */
export function folderFiles(folder: string): AgentFiles {
  return {
    placeOf: (file) => path.join(folder, file),
    async list(signal) {
      const found: AgentFile[] = [];
      await walk(folder, "", DEEPEST, found, signal);
      return sorted(found);
    },
    open: (file, signal) => createReadStream(path.join(folder, file), { signal, highWaterMark: 256 * 1024 }),
  };
}

async function walk(
  folder: string,
  below: string,
  depth: number,
  found: AgentFile[],
  signal: AbortSignal,
): Promise<void> {
  signal.throwIfAborted();
  const entries = await readdir(path.join(folder, below), { withFileTypes: true });
  for (const entry of entries) {
    if (found.length >= MOST_FILES) return;
    const relative = path.posix.join(below, entry.name);
    if (entry.isFile()) {
      const { size } = await stat(path.join(folder, relative));
      found.push({ path: relative, bytes: size });
    } else if (entry.isDirectory() && depth > 0) await walk(folder, relative, depth - 1, found, signal);
  }
}

/** The files of an `agent.tar.gz`. It is streamed each time; nothing is unpacked to disk. */
export function archiveFiles(archive: string): AgentFiles {
  return {
    placeOf: (file) => `${archive}/${file}`,
    async list(signal) {
      const found: AgentFile[] = [];
      try {
        for await (const entry of entriesOf(archive, signal)) {
          if (isFile(entry)) found.push({ path: nameOf(entry), bytes: entry.header.size });
          if (found.length >= MOST_FILES) break;
          entry.resume();
        }
      } catch (error) {
        // What stands in front of the break can be read all the same.
        if (found.length === 0 || signal.aborted) throw error;
      }
      return sorted(found);
    },
    open: (file, signal) => entryOf(archive, file, signal),
  };
}

function sorted(files: AgentFile[]): AgentFile[] {
  return files.sort((left, right) => (left.path < right.path ? -1 : 1));
}

type Entry = Extract extends AsyncIterable<infer Source> ? Source : never;

async function* entryOf(archive: string, file: string, signal: AbortSignal): AsyncGenerator<Uint8Array> {
  for await (const entry of entriesOf(archive, signal)) {
    if (isFile(entry) && nameOf(entry) === file) {
      yield* bytesOf(entry);
      return;
    }
    entry.resume();
  }
}

async function* entriesOf(archive: string, signal: AbortSignal): AsyncGenerator<Entry> {
  const source = createReadStream(archive, { signal });
  const unzipped = createGunzip();
  const parser = extract();
  pipeline(source, unzipped, () => undefined);
  const feeding = pour(limited(unzipped), parser).catch((error: unknown) => {
    parser.destroy(error instanceof Error ? error : new Error(String(error)));
  });
  try {
    yield* parser;
  } finally {
    source.destroy();
    unzipped.destroy();
    parser.destroy();
    await feeding;
  }
}

async function* limited(chunks: AsyncIterable<unknown>): AsyncGenerator {
  let bytes = 0;
  for await (const chunk of chunks) {
    if (chunk instanceof Uint8Array) bytes += chunk.length;
    if (bytes > MOST_UNPACKED)
      throw new SlopLensError("run-folder", "The archive unpacks to more than 4 GiB");
    yield chunk;
  }
}

function isFile({ header }: Entry): boolean {
  return header.type === "file" || header.type === "contiguous-file";
}

/** SCB packs the folder with or without its own name in front. */
function nameOf({ header }: Entry): string {
  return path.posix
    .normalize(header.name)
    .replace(/^\/+/u, "")
    .replace(/^agent\//u, "");
}
