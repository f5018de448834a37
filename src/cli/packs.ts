import { stat } from "node:fs/promises";
import path from "node:path";
import { SlopLensError } from "../core/model/errors.js";
import type { PackReading, Problem } from "../core/model/problem.js";
import { findPacks, readPack } from "../core/problem/pack.js";
import { faultLine } from "./fault-line.js";

/**
 * The problem that a user names: by the folder of its pack, by the `config.yaml` in it, or by its name when the pack
 * lies below `cwd`.
 * @throws SlopLensError bad-input when there is none, pack-invalid with its first fault
 */
export async function findProblem(nameOrFolder: string, cwd: string): Promise<Problem> {
  const folder = packFolder(nameOrFolder, cwd);
  if (await isFolder(folder)) return problemOf(await readPack(folder), cwd);
  const named = (await findPacks(cwd)).find(({ name }) => name === nameOrFolder);
  if (named === undefined) {
    throw new SlopLensError(
      "bad-input",
      `There is no problem pack ${nameOrFolder}`,
      "Give the folder that holds its config.yaml.",
    );
  }
  return problemOf(named, cwd);
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
  const more = errors.length > 1 ? ` (and ${errors.length - 1} more; slop-lens problems lists them)` : "";
  const what = first === undefined ? `${reading.folder} cannot be read` : faultLine(first, cwd);
  throw new SlopLensError("pack-invalid", `${what}${more}`);
}

async function isFolder(folder: string): Promise<boolean> {
  return stat(folder).then(
    (stats) => stats.isDirectory(),
    () => false,
  );
}
