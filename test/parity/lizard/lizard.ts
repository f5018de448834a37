import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";

/** A function as lizard sees it. */
export interface LizardFunction {
  readonly name: string;
  readonly start: number;
  readonly end: number;
  readonly cc: number;
}

/** @returns file → its functions; files of which lizard says nothing are absent */
export async function runLizard(
  command: string,
  files: readonly string[],
): Promise<ReadonlyMap<string, readonly LizardFunction[]>> {
  const folder = await mkdtemp(join(tmpdir(), "slop-lens-lizard-"));
  try {
    const list = join(folder, "files");
    await writeFile(list, files.join("\n"));
    const { stdout } = await promisify(execFile)(command, ["--csv", "-f", list], { maxBuffer: 2 ** 28 });
    return readCsv(stdout);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Columns: NLOC, CCN, tokens, parameters, length, location, file, name, long name, first line, last line. */
function readCsv(text: string): Map<string, LizardFunction[]> {
  const functions = new Map<string, LizardFunction[]>();
  for (const record of records(text)) {
    const [, cc, , , , , file, name, , start, end] = record;
    if (file === undefined || name === undefined || !/^\d+$/.test(cc ?? "")) continue;
    const found = { name, cc: Number(cc), start: Number(start), end: Number(end) };
    const known = functions.get(file);
    if (known === undefined) functions.set(file, [found]);
    else known.push(found);
  }
  return functions;
}

function records(text: string): string[][] {
  const found: string[][] = [];
  let record: string[] = [];
  for (const [, quoted, plain, end] of text.matchAll(/(?:"((?:[^"]|"")*)"|([^",\n]*))(,|\r?\n|$)/g)) {
    record.push(quoted?.replaceAll('""', '"') ?? plain ?? "");
    if (end !== ",") {
      found.push(record);
      record = [];
    }
  }
  return found;
}
