import { readFile } from "node:fs/promises";
import { codeOf } from "./discovery.js";

/** Bytes that are looked at to tell binary files. */
const SNIFFED_BYTES = 8192;

/** Reads a file that is to be measured; trouble with the file itself is a reason to skip it, not an error. */
export async function readBytes(
  file: string,
): Promise<{ readonly bytes: Uint8Array } | { readonly skipped: string }> {
  let bytes: Uint8Array;
  try {
    bytes = await readFile(file);
  } catch (error) {
    return { skipped: `unreadable (${codeOf(error)})` };
  }
  return bytes.subarray(0, SNIFFED_BYTES).includes(0) ? { skipped: "binary" } : { bytes };
}
