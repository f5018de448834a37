import { readdir, stat } from "node:fs/promises";
import path from "node:path";
import { SlopLensError } from "../core/model/errors.js";
import type { PackReading, Problem } from "../core/model/problem.js";
import { findPacks, readPack } from "../core/problem/pack.js";
import { nearestWord } from "../core/problem/suggest.js";
import { faultLine } from "./fault-line.js";
import { nearPath } from "./started-as.js";

/**
 * The problem that a user names: by the folder of its pack, by the `config.yaml` in it, or by its name when the pack
 * lies below `cwd`.
 * @throws SlopLensError bad-input when there is none, pack-invalid with its first fault
 */
export async function findProblem(nameOrFolder: string, cwd: string): Promise<Problem> {
  const folder = packFolder(nameOrFolder, cwd);
  if (await isFolder(folder)) {
    const reading = await readPack(folder);
    if (reading.problem === undefined) await refuseFolderOfPacks(folder, cwd);
    return problemOf(reading, cwd);
  }
  const packs = await findPacks(cwd);
  const [named, other] = packs.filter(({ name }) => name === nameOrFolder);
  if (named === undefined) throw await noSuchPack(nameOrFolder, packs, cwd);
  if (other !== undefined) {
    throw new SlopLensError(
      "bad-input",
      `Several packs are called ${nameOrFolder}`,
      `Give the folder: ${nearPath(named.folder, cwd)}, ${nearPath(other.folder, cwd)}.`,
    );
  }
  return problemOf(named, cwd);
}

/** @throws SlopLensError bad-input for a folder that is no pack: what it holds may be meant */
async function refuseFolderOfPacks(folder: string, cwd: string): Promise<void> {
  const packs = await findPacks(folder);
  if (packs.some((pack) => pack.folder === folder)) return;
  const held = packs.map((pack) => nearPath(pack.folder, cwd));
  throw new SlopLensError(
    "bad-input",
    `${nearPath(folder, cwd)} is no problem pack: it has no config.yaml that names checkpoints`,
    held.length === 0 ? "Give the folder that holds the pack's config.yaml." : `It holds ${held.join(", ")}.`,
  );
}

/** Says where was looked, and which pack may be meant: one that is called nearly so, or one of the name a level deeper. */
async function noSuchPack(name: string, packs: readonly PackReading[], cwd: string): Promise<SlopLensError> {
  const deeper = await packsBelow(cwd);
  const folders = [...packs, ...deeper].map(({ folder }) => nearPath(folder, cwd));
  const exact = folders.find((folder) => path.basename(folder) === path.basename(name));
  const near = nearestWord(
    path.basename(name),
    folders.map((folder) => path.basename(folder)),
  );
  const meant = exact ?? folders.find((folder) => path.basename(folder) === near);
  return new SlopLensError(
    "bad-input",
    `There is no problem pack ${name}${meant === undefined ? "" : `; did you mean "${meant}"?`}`,
    `A name is looked for in ${cwd} and its folder problems. Give the folder that holds the pack's config.yaml.`,
  );
}

/** Packs of the folders in a folder. */
export async function packsBelow(cwd: string): Promise<PackReading[]> {
  const entries = await readdir(cwd, { withFileTypes: true }).catch(() => []);
  const folders = entries.filter((entry) => entry.isDirectory() && !/^\.|^node_modules$/u.test(entry.name));
  const found = folders.map(({ name }) => findPacks(path.join(cwd, name)).catch(() => []));
  return (await Promise.all(found)).flat();
}

/** The folder that a user means, absolute; for a pack's `config.yaml` the folder that holds it. */
export function packFolder(folderOrFile: string, cwd: string): string {
  const absolute = path.resolve(cwd, folderOrFile);
  return path.basename(absolute) === "config.yaml" ? path.dirname(absolute) : absolute;
}

/**
 * The packs that `folder` is or holds, by name; those with errors are left out.
 * @throws SlopLensError bad-input when the folder cannot be read
 */
export async function problemsIn(folder: string): Promise<Map<string, Problem>> {
  const readings = await findPacks(folder);
  const problems = readings.flatMap(({ problem }) => (problem === undefined ? [] : [problem]));
  return new Map(problems.map((problem) => [problem.name, problem]));
}

function problemOf(reading: PackReading, cwd: string): Problem {
  if (reading.problem !== undefined) return reading.problem;
  const errors = reading.faults.filter(({ severity }) => severity === "error");
  const [first] = errors;
  const more = errors.length > 1 ? ` (and ${errors.length - 1} more; the command problems lists them)` : "";
  const what = first === undefined ? `${reading.folder} cannot be read` : faultLine(first, cwd);
  throw new SlopLensError("pack-invalid", `${what}${more}`);
}

async function isFolder(folder: string): Promise<boolean> {
  return stat(folder).then(
    (stats) => stats.isDirectory(),
    () => false,
  );
}
