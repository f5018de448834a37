import { readFileSync } from "node:fs";
import { codeOf } from "./discovery.js";

/** Bytes that are looked at to tell binary files. */
const SNIFFED_BYTES = 8192;

/**
 * Reads a file that is to be measured; trouble with the file itself is a reason to skip it, not an error. It waits for the
 * disk, since a thread that measures has nothing else to do, and a promised reading goes four ways between threads.
 */
export function readBytes(file: string): { readonly bytes: Uint8Array } | { readonly skipped: string } {
  let bytes: Uint8Array;
  try {
    bytes = readFileSync(file);
  } catch (error) {
    return { skipped: `unreadable (${codeOf(error)})` };
  }
  return bytes.subarray(0, SNIFFED_BYTES).includes(0) ? { skipped: "binary" } : { bytes };
}
