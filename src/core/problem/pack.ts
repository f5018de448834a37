import { readdir, readFile } from "node:fs/promises";
import path from "node:path";
import { SlopLensError } from "../model/errors.js";
import type { Fault, PackReading } from "../model/problem.js";
import { looksLikePack, readPackConfig } from "./pack-config.js";
import { checkPackFiles } from "./pack-files.js";
import { YamlSource } from "./yaml-source.js";

const CONFIG = "config.yaml";

/**
 * Reads one problem pack by SCB's format and checks its files. Nothing in it is executed.
 * @param folder path of the pack; readings carry it absolute
 * @returns the problem, or the faults that keep it from being one; never rejects for what stands in the pack
 */
export async function readPack(folder: string): Promise<PackReading> {
  const absolute = path.resolve(folder);
  const text = await readConfig(absolute);
  if (text !== undefined) return readConfigText(absolute, text);
  const fault: Fault = {
    file: path.join(absolute, CONFIG),
    line: undefined,
    column: undefined,
    message: "This folder has no config.yaml that can be read",
    severity: "error",
  };
  return { folder: absolute, name: path.basename(absolute), problem: undefined, faults: [fault] };
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
    throw new SlopLensError("bad-input", `The folder ${absolute} cannot be read`, "Check the path.", {
      cause: error,
    });
  });
  const readings = await Promise.all([...children, ...nested].map(readIfPack));
  return readings.filter((reading) => reading !== undefined);
}

async function readIfPack(folder: string): Promise<PackReading | undefined> {
  const text = await readConfig(folder);
  if (text === undefined) return undefined;
  // A cheap look first: it also recognises a pack whose YAML is broken, so that its author sees the fault.
  const keys = [...text.matchAll(/^["']?(?<key>checkpoints|entry_file)["']?\s*:/gmu)];
  return looksLikePack(keys.map((match) => match.groups?.["key"] ?? ""))
    ? readConfigText(folder, text)
    : undefined;
}

async function readConfigText(folder: string, text: string): Promise<PackReading> {
  const file = path.join(folder, CONFIG);
  const source = new YamlSource(file, text);
  const root = source.root();
  const reading = { folder, name: root?.peek("name") ?? path.basename(folder) };
  if (root === undefined) {
    if (!source.hasErrors) source.fault("config.yaml must be a mapping", { line: 1, column: 1 });
    return { ...reading, problem: undefined, faults: source.faults };
  }
  const problem = readPackConfig(source, root, folder);
  if (problem === undefined) return { ...reading, problem, faults: source.faults };
  const faults = [...source.faults, ...(await checkPackFiles(problem, root, file))];
  const usable = faults.every((fault) => fault.severity !== "error");
  return { ...reading, problem: usable ? problem : undefined, faults };
}

async function readConfig(folder: string): Promise<string | undefined> {
  return readFile(path.join(folder, CONFIG), "utf8").catch(() => undefined);
}

async function childFolders(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true });
  return entries
    .filter((entry) => (entry.isDirectory() || entry.isSymbolicLink()) && !entry.name.startsWith("."))
    .map((entry) => path.join(folder, entry.name))
    .sort();
}
