import type { Readable } from "node:stream";

import { extract, type Extract, type Header } from "tar-stream";

import { SlopLensError } from "../../model/errors.js";
import { cancelled } from "../deadline.js";
import { GuardedFolder, DEFAULT_CAPS, type CopyCaps } from "./guarded-folder.js";
import { bytesOf, pour } from "./tar-streams.js";
import { isRepresentable, REPLACEMENT } from "./tree.js";

type Entry = Extract extends AsyncIterable<infer Source> ? Source : never;

export interface UnpackOptions {
  /** Asked for files, links and empty folders; a folder with something kept in it comes along. */
  readonly keep: (relativePath: string) => boolean;
  readonly signal: AbortSignal;
  readonly caps?: CopyCaps;
}

export interface Unpacked {
  readonly folder: GuardedFolder;
  /** Wanted, but not representable on the host. */
  readonly leftOut: string[];
  /** Hard links; their content has to be asked for by their own names. */
  readonly pending: string[];
}

/** A sandbox that streams more than this many times the cap, kept or not, is stopped. */
const STREAM_FACTOR = 16;

/**
 * Unpacks an archive whose entries all lie below one top folder into the empty host folder `target`.
 * @throws SlopLensError run-folder above a cap, engine-lost for an archive that ends early or leads outside,
 *   bad-input when `target` is not empty, cancelled
 */
export async function unpackInto(
  target: string,
  archive: Readable,
  options: UnpackOptions,
): Promise<Unpacked> {
  const caps = options.caps ?? DEFAULT_CAPS;
  const unpacker = new Unpacker(await GuardedFolder.create(target, caps), options, caps);
  const parser = extract();
  const stop = (): void => {
    archive.destroy(cancelled());
  };
  options.signal.addEventListener("abort", stop, { once: true });
  if (options.signal.aborted) stop();
  const feeding = pour(archive, parser).catch((error: unknown) => {
    parser.destroy(error instanceof Error ? error : new Error(String(error)));
  });
  try {
    for await (const entry of parser) await unpacker.take(entry);
    await feeding;
    await unpacker.finish();
    return unpacker.result;
  } catch (error) {
    await unpacker.result.folder.finish().catch(() => undefined);
    throw options.signal.aborted ? cancelled() : asArchiveError(error);
  } finally {
    options.signal.removeEventListener("abort", stop);
    archive.destroy();
  }
}

function asArchiveError(error: unknown): unknown {
  if (error instanceof SlopLensError) return error;
  // An error with a path, or of a full disk, is the host's own; everything else comes from the stream.
  if (error instanceof Error && ("path" in error || ("code" in error && error.code === "ENOSPC"))) {
    return SlopLensError.from(error);
  }
  return new SlopLensError("engine-lost", "The workspace could not be copied out of the sandbox", "", {
    cause: error,
  });
}

class Unpacker {
  readonly result: Unpacked;
  readonly #options: UnpackOptions;
  readonly #caps: CopyCaps;
  /** Folders that nothing was found in so far, with their modes. */
  readonly #maybeEmpty = new Map<string, number>();
  readonly #folderModes = new Map<string, number>();
  #streamed = 0;

  constructor(folder: GuardedFolder, options: UnpackOptions, caps: CopyCaps) {
    this.result = { folder, leftOut: [], pending: [] };
    this.#options = options;
    this.#caps = caps;
  }

  async take(entry: Entry): Promise<void> {
    this.#limit(entry.header.size);
    const relative = belowTop(entry.header.name);
    if (relative === undefined) {
      entry.resume();
      return;
    }
    this.#maybeEmpty.delete(parentOf(relative));
    if (entry.header.type === "directory") {
      this.#maybeEmpty.set(relative, entry.header.mode);
      this.#folderModes.set(relative, entry.header.mode);
      entry.resume();
    } else if (!this.#options.keep(relative)) entry.resume();
    else await this.#takeKept(entry, relative);
  }

  /** Makes the folders that are really empty, and sees everything written. */
  async finish(): Promise<void> {
    for (const [relative, mode] of this.#maybeEmpty) {
      if (this.#options.keep(relative) && this.#representable(relative)) {
        await this.#foldersAbove(relative);
        await this.result.folder.addFolder(relative, mode);
      }
    }
    await this.result.folder.finish();
  }

  async #takeKept(entry: Entry, relative: string): Promise<void> {
    const { header } = entry;
    if (!this.#representable(relative)) {
      entry.resume();
      return;
    }
    if (header.type === "file" || header.type === "contiguous-file") {
      await this.#foldersAbove(relative);
      await this.result.folder.addFile(relative, header.mode, header.size, bytesOf(entry));
      if (header.size === 0) entry.resume();
      return;
    }
    entry.resume();
    await this.#takeSpecial(relative, header.type, header.linkname);
  }

  async #takeSpecial(relative: string, type: Header["type"], linkname: string): Promise<void> {
    if (type === "symlink" && !linkname.includes(REPLACEMENT)) {
      await this.#foldersAbove(relative);
      if (!(await this.result.folder.addLink(relative, linkname))) this.result.leftOut.push(relative);
    } else if (type === "link") this.result.pending.push(relative);
    else this.result.leftOut.push(relative);
  }

  /** Makes the folders above a kept entry, with the modes they have in the sandbox. */
  async #foldersAbove(relative: string): Promise<void> {
    const parent = parentOf(relative);
    const mode = this.#folderModes.get(parent);
    if (parent === "" || mode === undefined) return;
    this.#folderModes.delete(parent);
    await this.#foldersAbove(parent);
    await this.result.folder.addFolder(parent, mode);
  }

  #representable(relative: string): boolean {
    if (isRepresentable(relative)) return true;
    this.result.leftOut.push(relative);
    return false;
  }

  #limit(size: number): void {
    this.#streamed += size;
    if (this.#streamed <= this.#caps.bytes * STREAM_FACTOR) return;
    throw new SlopLensError("run-folder", "The sandbox's workspace is far too large to be copied", "");
  }
}

function parentOf(relative: string): string {
  return relative.slice(0, Math.max(0, relative.lastIndexOf("/")));
}

/** The path without the archive's top folder; undefined for the top folder itself. */
function belowTop(name: string): string | undefined {
  const bare = name.replace(/^(\.\/)+/u, "").replace(/\/+$/u, "");
  const slash = bare.indexOf("/");
  return slash < 0 ? undefined : bare.slice(slash + 1);
}
