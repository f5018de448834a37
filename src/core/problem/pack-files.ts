import { readdir, realpath, stat } from "node:fs/promises";
import path from "node:path";
import { pathBelow } from "../model/paths.js";
import type { Checkpoint, Fault, Problem, StaticAsset } from "../model/problem.js";
import { readingTrouble, readText } from "../model/read-text.js";
import { conftestFaults } from "./conftest.js";
import { importsOfSolution } from "./imported-solution.js";
import { suggestion } from "./suggest.js";
import { NO_PLACE } from "./yaml-source.js";
import type { Place, YamlMap } from "./yaml-source.js";

const PLACEHOLDER = /%%%ENTRYPOINT:(?<name>[^%\n]*)%%%/gu;
const PLACEHOLDER_NAMES = ["entry_file", "entry_command"];

type Report = (message: string, place: Place, severity?: Fault["severity"], file?: string) => void;

/**
 * Checks that the files a pack's configuration speaks of are there and fit.
 * @param problem what could be read of the configuration: a name may be empty, checkpoints may lack
 */
export async function checkPackFiles(problem: Problem, root: YamlMap, file: string): Promise<Fault[]> {
  const faults: Fault[] = [];
  const report: Report = (message, place, severity = "error", where = file) => {
    faults.push({ file: where, line: place.line, column: place.column, message, severity });
  };
  const checkpoints = root.map("checkpoints", "checkpoints");
  const placeOf = (checkpoint: Checkpoint): Place => checkpoints?.placeOf(checkpoint.name) ?? NO_PLACE;

  if (problem.name !== "" && problem.name !== path.basename(problem.folder)) {
    report(`The pack is called "${problem.name}" but its folder is not`, root.placeOf("name"), "warning");
  }
  for (const checkpoint of problem.checkpoints) await checkSpec(checkpoint, placeOf(checkpoint), report);
  const assets = root.map("static_assets", "static_assets");
  for (const asset of problem.staticAssets) {
    const trouble = await assetTrouble(problem.folder, asset);
    if (trouble !== undefined) {
      report(`Static asset "${asset.name}" ${trouble}`, assets?.placeOf(asset.name) ?? NO_PLACE);
    }
  }
  await checkTests(problem, placeOf, report);
  await checkSolutions(problem, placeOf, report);
  return faults;
}

/** A pack without any solution is whole, too; where there are some, one that is missing stops their replay. */
async function checkSolutions(
  { folder, checkpoints }: Problem,
  placeOf: (checkpoint: Checkpoint) => Place,
  report: Report,
): Promise<void> {
  const entries = await readdir(path.join(folder, "solutions"), { withFileTypes: true }).catch(() => []);
  const there = entries.filter((entry) => !entry.isFile()).map(({ name }) => name);
  const missing = checkpoints.filter(({ name }) => !there.includes(name));
  if (missing.length === checkpoints.length) return;
  const strangers = there.filter((name) => checkpoints.every((one) => one.name !== name));
  for (const checkpoint of missing) {
    const message = `The reference solution of this checkpoint is missing: solutions/${checkpoint.name}`;
    report(`${message}${suggestion(checkpoint.name, strangers)}`, placeOf(checkpoint), "warning");
  }
}

async function checkSpec(checkpoint: Checkpoint, place: Place, report: Report): Promise<void> {
  const { specPath } = checkpoint;
  const text = await readText(specPath).catch((error: unknown) => {
    report(`The spec ${path.basename(specPath)} of this checkpoint ${readingTrouble(error)}`, place);
    return "";
  });
  for (const match of text.matchAll(PLACEHOLDER)) {
    const name = match.groups?.["name"] ?? "";
    if (PLACEHOLDER_NAMES.includes(name)) continue;
    const before = text.slice(0, match.index).split("\n");
    report(
      `"${name}" is not a placeholder; known are ${PLACEHOLDER_NAMES.join(" and ")}`,
      { line: before.length, column: (before.at(-1)?.length ?? 0) + 1 },
      "warning",
      specPath,
    );
  }
}

async function checkTests(
  problem: Problem,
  placeOf: (checkpoint: Checkpoint) => Place,
  report: Report,
): Promise<void> {
  const folder = path.join(problem.folder, "tests");
  const names = await readdir(folder).catch(() => undefined);
  if (names === undefined) {
    report("The pack has no hidden tests: the folder tests is missing", NO_PLACE);
    return;
  }
  const imports = problem.entryFile === "" ? [] : await importsOfSolution(folder, problem.entryFile);
  for (const { file, ...place } of imports) {
    const message =
      "These tests import the solution, which then can make up their results; start it as a program instead";
    report(message, place, "warning", file);
  }
  for (const fault of await conftestFaults(folder, names)) {
    report(fault.message, NO_PLACE, fault.severity, fault.file);
  }
  const expected = new Map(problem.checkpoints.map((one) => [`test_${one.name}.py`, one]));
  for (const [name, checkpoint] of expected) {
    if (names.includes(name)) continue;
    const severity = checkpoint.state === "Draft" ? "warning" : "error";
    report(`This checkpoint has no hidden tests: tests/${name} is missing`, placeOf(checkpoint), severity);
  }
  if (expected.size === 0) return;
  for (const name of names.filter((one) => /^test_.*\.py$/u.test(one) && !expected.has(one))) {
    const message = "No checkpoint has this name, so these tests never run";
    report(message, NO_PLACE, "warning", path.join(folder, name));
  }
}

/** Why an asset cannot be given to an agent. A link is followed when it is copied, so it must stay in the pack. */
async function assetTrouble(folder: string, { source }: StaticAsset): Promise<string | undefined> {
  try {
    const place = await realpath(source);
    if (pathBelow(await realpath(folder), place) === undefined) {
      return `is a link that leads out of the pack: ${source}`;
    }
    const stats = await stat(place);
    return stats.isFile() || stats.isDirectory() ? undefined : `is neither file nor folder: ${source}`;
  } catch {
    return `is missing: ${source}`;
  }
}
