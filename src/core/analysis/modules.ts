import { access } from "node:fs/promises";
import { basename, dirname, extname, join } from "node:path";

/**
 * Dotted module names as scb-check derives them: a file belongs to the packages above it as far up as `__init__.py`
 * files reach, also beyond the analysed root.
 * @returns file → module name
 */
export async function moduleNames(files: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const packages = new Map<string, Promise<string[]>>();
  const names = await Promise.all(
    files.map(async (file) => {
      const folder = dirname(file);
      const parts = await packageOf(folder, packages);
      const stem = basename(file, extname(file));
      if (stem === "__init__") return [file, parts.join(".") || basename(folder)] as const;
      return [file, [...parts, stem].join(".")] as const;
    }),
  );
  return new Map(names);
}

function packageOf(folder: string, known: Map<string, Promise<string[]>>): Promise<string[]> {
  let parts = known.get(folder);
  if (parts === undefined) {
    parts = readPackage(folder, known);
    known.set(folder, parts);
  }
  return parts;
}

async function readPackage(folder: string, known: Map<string, Promise<string[]>>): Promise<string[]> {
  const parent = dirname(folder);
  if (parent === folder) return [];
  try {
    await access(join(folder, "__init__.py"));
  } catch {
    return [];
  }
  return [...(await packageOf(parent, known)), basename(folder)];
}
