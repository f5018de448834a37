import { readFile, rm, writeFile } from "node:fs/promises";
import path from "node:path";

import { listTree, type TreeEntry } from "../sandbox/archive/tree.js";
import { maskable, masked } from "./masking.js";

/** A larger file is not rewritten in memory; it goes as a whole when a secret stands in it. */
const LARGEST_TEXT = 32 * 1024 * 1024;

export interface MaskedFolder {
  /** POSIX paths of texts in which a secret was masked. */
  readonly masked: readonly string[];
  /** What had to go as a whole: no text, or a secret in its name or its link. Secrets in paths are masked here. */
  readonly dropped: readonly string[];
}

/**
 * Takes secrets out of a folder of ours that holds what an agent wrote. A text keeps its place with the secret masked;
 * of anything else a changed copy would be broken, so it goes.
 */
export async function maskFolder(
  folder: string,
  secrets: readonly string[],
  signal: AbortSignal,
): Promise<MaskedFolder> {
  const forms = maskable(secrets);
  const result = { masked: [] as string[], dropped: [] as string[] };
  if (forms.length === 0) return result;
  const { entries } = await listTree(folder, { keep: () => true, signal });
  for (const entry of entries) {
    const done = await maskEntry(folder, entry, forms);
    if (done !== undefined) result[done].push(masked(entry.path, forms));
  }
  return result;
}

async function maskEntry(
  folder: string,
  entry: TreeEntry,
  forms: readonly string[],
): Promise<keyof MaskedFolder | undefined> {
  const place = path.join(folder, entry.path);
  if (holdsAny(entry.path, forms) || holdsAny(entry.linkTarget ?? "", forms)) {
    await rm(place, { recursive: true, force: true });
    return "dropped";
  }
  if (entry.kind !== "file") return undefined;
  // Below a folder that has just gone there is nothing to read.
  const bytes = await readFile(place).catch(() => undefined);
  if (bytes === undefined || !forms.some((form) => bytes.includes(form))) return undefined;
  const text = bytes.length > LARGEST_TEXT || bytes.includes(0) ? undefined : textOf(bytes);
  if (text === undefined) {
    await rm(place);
    return "dropped";
  }
  await writeFile(place, masked(text, forms));
  return "masked";
}

function holdsAny(text: string, forms: readonly string[]): boolean {
  return forms.some((form) => text.includes(form));
}

function textOf(bytes: Buffer): string | undefined {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

/** What a user is told about a snapshot in which secrets were found; undefined when there were none. */
export function maskWarning({ masked: texts, dropped }: MaskedFolder): string | undefined {
  const parts = [
    texts.length === 0 ? undefined : `masked in ${texts.join(", ")}`,
    dropped.length === 0 ? undefined : `and so left out: ${dropped.join(", ")}`,
  ].filter((part) => part !== undefined);
  if (parts.length === 0) return undefined;
  return `The agent wrote a key that it was given into its workspace; ${parts.join("; ")}`;
}
