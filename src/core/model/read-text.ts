import { constants } from "node:fs";
import { open } from "node:fs/promises";

/**
 * Reads a text file as UTF-8. Links are followed; what is no plain file (a pipe, a device, a folder) is refused at once,
 * where reading it might wait for ever.
 * @throws Error with the code `ENOTFILE` for what is no plain file, else what opening throws
 */
export async function readText(file: string): Promise<string> {
  return (await readBytes(file)).toString("utf8");
}

/**
 * As {@link readText}, undecoded.
 * @param largest in bytes; a larger file is refused with the code `EFBIG`
 */
export async function readBytes(file: string, largest = Infinity): Promise<Buffer> {
  const handle = await open(file, constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    const stats = await handle.stat();
    if (stats.isFile()) {
      if (stats.size <= largest) return await handle.readFile();
      throw Object.assign(new Error(tooLarge(stats.size, largest)), { code: "EFBIG" });
    }
  } finally {
    await handle.close();
  }
  throw Object.assign(new Error(`not a plain file: ${file}`), { code: "ENOTFILE" });
}

function tooLarge(size: number, largest: number): string {
  const mebi = (bytes: number): string => String(Math.ceil(bytes / (1024 * 1024)));
  return `it is too large: ${mebi(size)} MiB, and at most ${mebi(largest)} MiB are read`;
}

/** Why a folder could not be read, as a sentence that names it. */
export function folderTrouble(folder: string, error: unknown): string {
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  if (code === "ENOENT") return `${folder} does not exist`;
  if (code === "ENOTDIR") return `${folder} is a file, not a folder`;
  return `${folder} cannot be read${code === "" ? "" : ` (${code})`}`;
}

export const MISSING = "is missing";

/** Why a file could not be read, as the end of a sentence: `is missing`, `is not a plain file`, `cannot be read (EACCES)`. */
export function readingTrouble(error: unknown): string {
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  switch (code) {
    case "ENOENT":
    case "ENOTDIR":
      return MISSING;
    case "ENOTFILE":
    case "EISDIR":
    case "ENXIO":
      return "is not a plain file";
    default:
      return code === "" ? "cannot be read" : `cannot be read (${code})`;
  }
}
