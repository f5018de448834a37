import { chmod, lstat, mkdir, readdir, symlink, writeFile } from "node:fs/promises";
import { createWriteStream } from "node:fs";
import path from "node:path";
import { pipeline } from "node:stream/promises";

import { SlopLensError } from "../../model/errors.js";
import { Tasks } from "./ahead.js";
import { WHOLE } from "./open-file.js";

/** How much may be copied out of a sandbox. */
export interface CopyCaps {
  readonly bytes: number;
  readonly entries: number;
}

export const DEFAULT_CAPS: CopyCaps = { bytes: 1024 ** 3, entries: 200_000 };

/**
 * An empty host folder that is filled from an untrusted source. Every path is made step by step and no link is ever
 * followed, so nothing can be written outside, whatever the source says.
 */
export class GuardedFolder {
  readonly #folders = new Set<string>([""]);
  readonly #tasks = new Tasks();
  #bytes = 0;
  #entries = 0;

  private constructor(
    readonly root: string,
    private readonly caps: CopyCaps,
  ) {}

  /**
   * @param root created when missing
   * @throws SlopLensError bad-input when it is not empty
   */
  static async create(root: string, caps: CopyCaps): Promise<GuardedFolder> {
    await mkdir(root, { recursive: true });
    if ((await readdir(root)).length > 0) throw new SlopLensError("bad-input", `${root} is not empty`);
    return new GuardedFolder(root, caps);
  }

  async addFolder(relative: string, mode: number): Promise<void> {
    this.#count(relative, 0);
    await this.#makeFolders(relative);
    await chmod(this.#place(relative), (mode & 0o777) | 0o700);
  }

  /** The file is readable and writable for its owner here, so that it can be read and removed again. */
  async addFile(
    relative: string,
    mode: number,
    size: number,
    content: AsyncIterable<Uint8Array>,
  ): Promise<void> {
    this.#count(relative, size);
    await this.#makeParents(relative);
    const place = this.#place(relative);
    const bits = (mode & 0o777) | 0o600;
    if (size > WHOLE) {
      await pipeline(content, createWriteStream(place, { flags: "wx", mode: bits }));
      await chmod(place, bits);
      return;
    }
    const bytes = await whole(content);
    await this.#tasks.add(async () => {
      await writeFile(place, bytes, { flag: "wx", mode: bits });
      await chmod(place, bits);
    });
  }

  /** Small files are written in the background; all are there when this resolves. Throws what went wrong with them. */
  finish(): Promise<void> {
    return this.#tasks.finish();
  }

  /** @returns false where the host cannot make links */
  async addLink(relative: string, linkTarget: string): Promise<boolean> {
    this.#count(relative, 0);
    await this.#makeParents(relative);
    try {
      await symlink(linkTarget, this.#place(relative));
      return true;
    } catch (error) {
      if (error instanceof Error && "code" in error && error.code === "EPERM") return false;
      throw error;
    }
  }

  /** Refuses what leads outside or is too much, before anything is made for it. */
  #count(relative: string, bytes: number): void {
    this.#place(relative);
    this.#bytes += bytes;
    this.#entries += 1;
    if (this.#bytes > this.caps.bytes) throw tooMuch(`${Math.round(this.caps.bytes / 1024 ** 2)} MiB`);
    if (this.#entries > this.caps.entries) throw tooMuch(`${this.caps.entries} files`);
  }

  #place(relative: string): string {
    const parts = relative.split("/");
    if (parts.some((part) => part === "" || part === "." || part === ".." || part.includes("\0"))) {
      throw new SlopLensError("engine-lost", `The sandbox names a path outside its workspace: ${relative}`);
    }
    return path.join(this.root, ...parts);
  }

  #makeParents(relative: string): Promise<void> {
    const slash = relative.lastIndexOf("/");
    return slash < 0 ? Promise.resolve() : this.#makeFolders(relative.slice(0, slash));
  }

  async #makeFolders(relative: string): Promise<void> {
    if (this.#folders.has(relative)) return;
    await this.#makeParents(relative);
    const place = this.#place(relative);
    await mkdir(place).catch(async (error: unknown) => {
      if (!(await lstat(place).catch(() => undefined))?.isDirectory()) throw error;
    });
    this.#folders.add(relative);
  }
}

async function whole(content: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of content) chunks.push(chunk);
  return Buffer.concat(chunks);
}

function tooMuch(limit: string): SlopLensError {
  return new SlopLensError(
    "run-folder",
    `The workspace is larger than ${limit}`,
    "Exclude generated folders with `snapshot.ignore_globs` of the environment.",
  );
}
