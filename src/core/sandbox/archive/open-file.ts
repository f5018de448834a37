import { constants } from "node:fs";
import { open, type FileHandle } from "node:fs/promises";

import { SlopLensError } from "../../model/errors.js";

/**
 * Opens a plain file of the host for reading, without following a link at its end and without waiting on a pipe.
 * @throws SlopLensError run-folder when it is not a plain file or cannot be read
 */
async function openPlainFile(file: string): Promise<{ handle: FileHandle; size: number }> {
  const flags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;
  const handle = await open(file, flags).catch((error: unknown) => {
    throw new SlopLensError("run-folder", `${file} cannot be read`, "", { cause: error });
  });
  const stats = await handle.stat();
  if (stats.isFile()) return { handle, size: stats.size };
  await handle.close();
  throw new SlopLensError("run-folder", `${file} is not a plain file any more`);
}

/** Files up to this size are handled whole; larger ones are streamed. */
export const WHOLE = 1024 * 1024;

/** A plain file's bytes, or a handle for those that are too large to be held; the caller closes it. */
export type FileContent = { readonly bytes: Buffer } | { readonly handle: FileHandle; readonly size: number };

/** @throws SlopLensError run-folder when it is not a plain file or cannot be read */
export async function readContent(file: string): Promise<FileContent> {
  const { handle, size } = await openPlainFile(file);
  if (size > WHOLE) return { handle, size };
  try {
    return { bytes: await handle.readFile() };
  } finally {
    await handle.close();
  }
}
