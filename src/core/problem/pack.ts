import { readdir } from "node:fs/promises";
import path from "node:path";
import { SlopLensError } from "../model/errors.js";
import type { Fault, PackReading } from "../model/problem.js";
import { folderTrouble, MISSING, readingTrouble, readText } from "../model/read-text.js";
import { looksLikePack, readPackConfig } from "./pack-config.js";
import { checkPackFiles } from "./pack-files.js";
import { YamlSource } from "./yaml-source.js";
import { roughText } from "./yaml-text.js";

const CONFIG = "config.yaml";

/**
 * Reads one problem pack by SCB's format and checks its files. Nothing in it is executed.
 * @param folder path of the pack; readings carry it absolute
 * @returns the problem, or the faults that keep it from being one; never rejects for what stands in the pack
 */
export async function readPack(folder: string): Promise<PackReading> {
  const absolute = path.resolve(folder);
  const config = await readConfig(absolute);
  return "text" in config ? readConfigText(absolute, config.text) : unreadable(absolute, config.trouble);
}

function unreadable(folder: string, trouble: string): PackReading {
  const fault: Fault = {
    file: path.join(folder, CONFIG),
    line: undefined,
    column: undefined,
    message: `The config.yaml of this pack ${trouble}`,
    severity: "error",
  };
  return { folder, name: path.basename(folder), problem: undefined, markers: [], faults: [fault] };
}

/**
 * Finds the packs of a folder: the folder itself, or its children, or those of `problems/` in it.
 * A `config.yaml` that is not a pack's (a run folder's, for example) is passed over.
 * @returns readings sorted by folder
 * @throws SlopLensError bad-input when the folder cannot be read
 */
export async function findPacks(folder: string): Promise<PackReading[]> {
  const absolute = path.resolve(folder);
  const itself = await readIfPack(absolute);
  if (itself !== undefined) return [itself];
  const nested = await childFolders(path.join(absolute, "problems")).catch(() => []);
  const children = await childFolders(absolute).catch((error: unknown) => {
    throw new SlopLensError(
      "bad-input",
      folderTrouble(absolute, error),
      "Name a pack, or a folder of packs.",
      {
        cause: error,
      },
    );
  });
  const readings = await Promise.all([...children, ...nested].map(readIfPack));
  return readings.filter((reading) => reading !== undefined);
}

async function readIfPack(folder: string): Promise<PackReading | undefined> {
  const config = await readConfig(folder);
  if (!("text" in config)) {
    const isPack = config.trouble !== MISSING && (await holdsSpec(folder));
    return isPack ? unreadable(folder, config.trouble) : undefined;
  }
  const { text } = config;
  // A cheap look first: it also recognises a pack whose YAML is broken, so that its author sees the fault.
  const keys = [...roughText(text).matchAll(/^["']?(?<key>checkpoints|entry_file)["']?\s*:/gmu)];
  return looksLikePack(keys.map((match) => match.groups?.["key"] ?? ""))
    ? readConfigText(folder, text)
    : undefined;
}

async function holdsSpec(folder: string): Promise<boolean> {
  const names = await readdir(folder).catch(() => []);
  return names.some((name) => /^checkpoint_\d+\.md$/u.test(name));
}

async function readConfigText(folder: string, text: string): Promise<PackReading> {
  const file = path.join(folder, CONFIG);
  const source = new YamlSource(file, text);
  const root = source.root();
  const reading = { folder, name: root?.peek("name") ?? path.basename(folder) };
  if (root === undefined) {
    if (!source.hasErrors) source.fault("config.yaml must be a mapping", { line: 1, column: 1 });
    return { ...reading, problem: undefined, markers: [], faults: source.faults };
  }
  // All that is wrong is told at once, so the files of a pack with a faulty configuration are looked at too.
  const problem = readPackConfig(root, folder);
  const inFiles = source.isWellFormed ? await checkPackFiles(problem, root, file) : [];
  const faults = [...source.faults, ...inFiles];
  const usable = faults.every((fault) => fault.severity !== "error");
  return { ...reading, problem: usable ? problem : undefined, markers: problem.markers, faults };
}

async function readConfig(folder: string): Promise<{ readonly text: string } | { readonly trouble: string }> {
  try {
    return { text: await readText(path.join(folder, CONFIG)) };
  } catch (error) {
    return { trouble: readingTrouble(error) };
  }
}

async function childFolders(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true });
  return entries
    .filter((entry) => (entry.isDirectory() || entry.isSymbolicLink()) && !entry.name.startsWith("."))
    .map((entry) => path.join(folder, entry.name))
    .sort();
}
