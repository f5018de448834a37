import { structuredPatch } from "diff";
import { lstat, readdir, readFile } from "node:fs/promises";
import path from "node:path";

/** A comparison that needs more edits than this is told as one whole replacement, which costs no time. */
const MOST_EDITS = 2000;
/** Larger files are taken for data and left out, as binary files are. */
const LARGEST_FILE = 1_000_000;
const MOST_FILES = 5000;

interface FileDiff {
  readonly path: string;
  readonly change_type: "created" | "deleted" | "modified";
  readonly is_binary: false;
  readonly diff_text: string;
  readonly lines_added: number;
  readonly lines_removed: number;
  readonly old_size: number | null;
  readonly new_size: number | null;
}

export interface SnapshotDiff {
  readonly files: readonly FileDiff[];
  readonly linesAdded: number;
  readonly linesRemoved: number;
}

/**
 * Compares two snapshots file by file; text files only, links never followed.
 * @param before folder of the parent's snapshot; undefined for an empty start
 */
export async function diffSnapshots(before: string | undefined, after: string): Promise<SnapshotDiff> {
  const old = before === undefined ? [] : await listFiles(before);
  const now = await listFiles(after);
  const files: FileDiff[] = [];
  for (const name of [...new Set([...old, ...now])].sort().slice(0, MOST_FILES)) {
    const file = diffFile(
      name,
      before === undefined ? undefined : await readText(path.join(before, name)),
      await readText(path.join(after, name)),
    );
    if (file !== undefined) files.push(file);
  }
  return {
    files,
    linesAdded: files.reduce((sum, file) => sum + file.lines_added, 0),
    linesRemoved: files.reduce((sum, file) => sum + file.lines_removed, 0),
  };
}

/** SCB's `diff.json`. Its checksums are of archives that are not made here. */
export function diffDocument(diff: SnapshotDiff, from: Date, to: Date): Readonly<Record<string, unknown>> {
  return {
    from_checksum: "",
    to_checksum: "",
    from_timestamp: from.toISOString(),
    to_timestamp: to.toISOString(),
    file_diffs: Object.fromEntries(diff.files.map((file) => [file.path, file])),
  };
}

function diffFile(name: string, before: string | undefined, after: string | undefined): FileDiff | undefined {
  if (before === after) return undefined;
  const { text, added, removed } = unifiedDiff(name, before ?? "", after ?? "");
  return {
    path: name,
    change_type: before === undefined ? "created" : after === undefined ? "deleted" : "modified",
    is_binary: false,
    diff_text: text,
    lines_added: added,
    lines_removed: removed,
    old_size: before === undefined ? null : Buffer.byteLength(before),
    new_size: after === undefined ? null : Buffer.byteLength(after),
  };
}

interface UnifiedDiff {
  readonly text: string;
  readonly added: number;
  readonly removed: number;
}

/** Content lines keep their line break and are joined by another, the form in which SCB writes and reads them. */
function unifiedDiff(name: string, before: string, after: string): UnifiedDiff {
  const patch = structuredPatch(name, name, before, after, "", "", { context: 3, maxEditLength: MOST_EDITS });
  const hunks = patch?.hunks ?? [replacement(before, after)];
  const lines = hunks.flatMap((hunk) => hunk.lines.filter((line) => !line.startsWith("\\")));
  const bodies = hunks.flatMap((hunk) => [
    `@@ -${range(hunk.oldStart, hunk.oldLines)} +${range(hunk.newStart, hunk.newLines)} @@`,
    ...hunk.lines.filter((line) => !line.startsWith("\\")).map((line) => `${line}\n`),
  ]);
  return {
    text: bodies.length === 0 ? "" : [`--- ${name}`, `+++ ${name}`, ...bodies].join("\n"),
    added: lines.filter((line) => line.startsWith("+")).length,
    removed: lines.filter((line) => line.startsWith("-")).length,
  };
}

interface Hunk {
  readonly oldStart: number;
  readonly oldLines: number;
  readonly newStart: number;
  readonly newLines: number;
  readonly lines: readonly string[];
}

function replacement(before: string, after: string): Hunk {
  const [old, now] = [splitLines(before), splitLines(after)];
  const lines = [...old.map((line) => `-${line}`), ...now.map((line) => `+${line}`)];
  const start = (count: number): number => (count === 0 ? 0 : 1);
  return {
    oldStart: start(old.length),
    oldLines: old.length,
    newStart: start(now.length),
    newLines: now.length,
    lines,
  };
}

function splitLines(text: string): string[] {
  const lines = text.split("\n");
  if (lines.at(-1) === "") lines.pop();
  return lines;
}

function range(start: number, lines: number): string {
  return lines === 1 ? String(start) : `${start},${lines}`;
}

async function listFiles(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(folder, path.join(entry.parentPath, entry.name)).split(path.sep).join("/"));
}

/** Undefined for what is absent, too large, or not text. */
async function readText(file: string): Promise<string | undefined> {
  const stats = await lstat(file).catch(() => undefined);
  if (stats?.isFile() !== true || stats.size > LARGEST_FILE) return undefined;
  const bytes = await readFile(file).catch(() => undefined);
  if (bytes === undefined || bytes.includes(0)) return undefined;
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}
