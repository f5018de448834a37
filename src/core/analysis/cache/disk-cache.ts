import {
  closeSync,
  fstatSync,
  futimesSync,
  mkdirSync,
  openSync,
  readdirSync,
  readSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import process from "node:process";
import { threadId } from "node:worker_threads";
import { crc32 } from "node:zlib";
import { codeOf } from "../discovery.js";

/** Bytes that all entries together may take; about what 30 million lines of code need. */
const DEFAULT_LIMIT = 512 * 1024 * 1024;
/** Entries lie in so many folders by the start of their key, and each folder may take its share of the limit. */
const FOLDERS = 256;
/** One write in so many looks whether its folder takes too much. */
const LOOKED_AFTER = 16;
/** A folder that takes too much is emptied down to this part of its share. */
const KEPT_SHARE = 0.75;
/** A disk gives space in blocks, in bytes. */
const BLOCK = 4096;
/** The time of an entry's use is noted once in such a time, in milliseconds. */
const USE_NOTED = 24 * 60 * 60 * 1000;
/** A half-written file of this age has nobody who writes it, in milliseconds. */
const ABANDONED = 60 * 60 * 1000;

const MAGIC = 0x534c4331;
const HEADER = 8;
const KEY = /^[0-9a-f]{64}$/;
const MISSING = new Set(["ENOENT", "ENOTDIR"]);

export interface DiskCacheOptions {
  /** Bytes that all entries together may take. */
  readonly limit?: number;
}

/**
 * Values by key in a folder, one file each. Any number of threads and processes may share the folder: a value appears
 * whole or not at all, since it is renamed into place, and one that is damaged all the same is not found. Trouble with
 * the disk is never an error: what cannot be read is missing, what cannot be written is not kept.
 */
export class DiskCache {
  readonly #share: number;
  #isWritable = true;
  #written = 0;

  /** @param folder absolute; made when the first value is kept, readable for its owner only */
  constructor(
    private readonly folder: string,
    { limit = DEFAULT_LIMIT }: DiskCacheOptions = {},
  ) {
    this.#share = limit / FOLDERS;
  }

  /** @param key 64 hexadecimal digits, evenly spread, such as a SHA-256 */
  read(key: string): Uint8Array | undefined {
    try {
      return payload(readAndNoteUse(this.#place(key).file));
    } catch {
      return undefined;
    }
  }

  write(key: string, value: Uint8Array): void {
    if (!this.#isWritable) return;
    const { folder, file } = this.#place(key);
    const draft = `${file}.${process.pid}-${threadId}-${++this.#written}`;
    try {
      writeMakingFolder(folder, draft, entryOf(value));
      renameSync(draft, file);
    } catch (error) {
      remove(draft);
      // Another process may hold the entry open; that says nothing about the next one.
      if (codeOf(error) !== "EPERM" && codeOf(error) !== "EACCES") this.#isWritable = false;
      return;
    }
    if (parseInt(key.slice(-2), 16) % LOOKED_AFTER === 0) this.#bound(folder);
  }

  #place(key: string): { folder: string; file: string } {
    if (!KEY.test(key)) throw new RangeError(`${key} is no key`);
    const folder = join(this.folder, key.slice(0, 2));
    return { folder, file: join(folder, key.slice(2)) };
  }

  /** Removes what was not used for longest until a folder is well below its share of the limit. */
  #bound(folder: string): void {
    try {
      const entries = entriesOf(folder);
      let size = entries.reduce((sum, entry) => sum + entry.size, 0);
      if (size <= this.#share) return;
      for (const entry of entries.sort((a, b) => a.used - b.used)) {
        if (size <= this.#share * KEPT_SHARE) break;
        remove(entry.file);
        size -= entry.size;
      }
    } catch {
      // Whoever comes next tries again.
    }
  }
}

/** What cannot be removed now is removed by whoever looks after the folder next. */
function remove(file: string): void {
  try {
    rmSync(file, { force: true });
  } catch {
    // Left as it is.
  }
}

interface Entry {
  readonly file: string;
  readonly size: number;
  /** When it was last used, in milliseconds; drafts that nobody writes any more go first. */
  readonly used: number;
}

function entriesOf(folder: string): Entry[] {
  const entries: Entry[] = [];
  for (const name of readdirSync(folder)) {
    const file = join(folder, name);
    const stats = statSync(file, { throwIfNoEntry: false });
    if (stats === undefined) continue;
    const isDraft = name.includes(".");
    if (isDraft && Date.now() - stats.mtimeMs < ABANDONED) continue;
    const size = Math.ceil(stats.size / BLOCK) * BLOCK;
    entries.push({ file, size, used: isDraft ? 0 : stats.mtimeMs });
  }
  return entries;
}

function writeMakingFolder(folder: string, file: string, bytes: Uint8Array): void {
  try {
    writeFileSync(file, bytes, { flag: "wx", mode: 0o600 });
  } catch (error) {
    if (!MISSING.has(codeOf(error))) throw error;
    makeFolder(folder);
    writeFileSync(file, bytes, { flag: "wx", mode: 0o600 });
  }
}

/** Step by step: Node's own recursion never ends where a new folder is said not to be there, as below /proc. */
function makeFolder(folder: string): void {
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory() === true) return;
  const parent = dirname(folder);
  if (parent !== folder) makeFolder(parent);
  try {
    mkdirSync(folder, { mode: 0o700 });
  } catch (error) {
    // Another process may have made it meanwhile.
    if (codeOf(error) !== "EEXIST") throw error;
  }
}

function readAndNoteUse(file: string): Uint8Array {
  const descriptor = openSync(file, "r");
  try {
    const { size, mtimeMs } = fstatSync(descriptor);
    const bytes = new Uint8Array(size);
    const length = readSync(descriptor, bytes);
    const now = Date.now();
    if (now - mtimeMs > USE_NOTED) noteUse(file, now);
    return bytes.subarray(0, length);
  } finally {
    closeSync(descriptor);
  }
}

function noteUse(file: string, now: number): void {
  try {
    const descriptor = openSync(file, "r+");
    try {
      futimesSync(descriptor, now / 1000, now / 1000);
    } finally {
      closeSync(descriptor);
    }
  } catch {
    // On a disk that is only read nothing is removed either.
  }
}

function entryOf(value: Uint8Array): Uint8Array {
  const bytes = new Uint8Array(HEADER + value.length);
  const view = new DataView(bytes.buffer);
  view.setUint32(0, MAGIC);
  view.setUint32(4, crc32(value));
  bytes.set(value, HEADER);
  return bytes;
}

function payload(entry: Uint8Array): Uint8Array | undefined {
  if (entry.length < HEADER) return undefined;
  const view = new DataView(entry.buffer, entry.byteOffset, entry.byteLength);
  const value = entry.subarray(HEADER);
  return view.getUint32(0) === MAGIC && view.getUint32(4) === crc32(value) ? value : undefined;
}
