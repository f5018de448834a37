import { readdir, readFile, realpath, stat } from "node:fs/promises";
import path from "node:path";
import type { Checkpoint, Fault, Problem, StaticAsset } from "../model/problem.js";
import { importsOfSolution } from "./imported-solution.js";
import { NO_PLACE } from "./yaml-source.js";
import type { Place, YamlMap } from "./yaml-source.js";

const PLACEHOLDER = /%%%ENTRYPOINT:(?<name>[^%\n]*)%%%/gu;
const PLACEHOLDER_NAMES = ["entry_file", "entry_command"];
/** Options that SCB's runner passes to pytest; pytest refuses to start when no conftest knows them. */
const CONFTEST_OPTIONS = ["--entrypoint", "--checkpoint"];

type Report = (message: string, place: Place, severity?: Fault["severity"], file?: string) => void;

/** Checks that the files a pack's configuration speaks of are there and fit. */
export async function checkPackFiles(problem: Problem, root: YamlMap, file: string): Promise<Fault[]> {
  const faults: Fault[] = [];
  const report: Report = (message, place, severity = "error", where = file) => {
    faults.push({ file: where, line: place.line, column: place.column, message, severity });
  };
  const checkpoints = root.map("checkpoints", "checkpoints");
  const placeOf = (checkpoint: Checkpoint): Place => checkpoints?.placeOf(checkpoint.name) ?? NO_PLACE;

  if (problem.name !== path.basename(problem.folder)) {
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
  return faults;
}

async function checkSpec(checkpoint: Checkpoint, place: Place, report: Report): Promise<void> {
  const text = await readFile(checkpoint.specPath, "utf8").catch(() => undefined);
  if (text === undefined) {
    report(`The spec ${path.basename(checkpoint.specPath)} of this checkpoint is missing`, place);
    return;
  }
  for (const match of text.matchAll(PLACEHOLDER)) {
    const name = match.groups?.["name"] ?? "";
    if (PLACEHOLDER_NAMES.includes(name)) continue;
    const before = text.slice(0, match.index).split("\n");
    report(
      `"${name}" is not a placeholder; known are ${PLACEHOLDER_NAMES.join(" and ")}`,
      { line: before.length, column: (before.at(-1)?.length ?? 0) + 1 },
      "warning",
      checkpoint.specPath,
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
  for (const { file, ...place } of await importsOfSolution(folder, problem.entryFile)) {
    const message =
      "These tests import the solution, which then can make up their results; start it as a program instead";
    report(message, place, "warning", file);
  }
  await checkConftest(path.join(folder, "conftest.py"), names.includes("conftest.py"), report);
  const expected = new Map(problem.checkpoints.map((one) => [`test_${one.name}.py`, one]));
  for (const [name, checkpoint] of expected) {
    if (names.includes(name)) continue;
    const severity = checkpoint.state === "Draft" ? "warning" : "error";
    report(`This checkpoint has no hidden tests: tests/${name} is missing`, placeOf(checkpoint), severity);
  }
  for (const name of names.filter((one) => /^test_.*\.py$/u.test(one) && !expected.has(one))) {
    const message = "No checkpoint has this name, so these tests never run";
    report(message, NO_PLACE, "warning", path.join(folder, name));
  }
}

async function checkConftest(file: string, present: boolean, report: Report): Promise<void> {
  if (!present) {
    const options = CONFTEST_OPTIONS.join(" and ");
    report(`tests/conftest.py is missing; it has to add the options ${options}`, NO_PLACE);
    return;
  }
  const text = await readFile(file, "utf8").catch(() => "");
  for (const option of CONFTEST_OPTIONS) {
    // A text search proves nothing where the option comes from an imported helper, hence a warning.
    if (!text.includes(option)) {
      report(
        `conftest.py does not add the option ${option}, without which pytest stops`,
        NO_PLACE,
        "warning",
        file,
      );
    }
  }
}

/** Why an asset cannot be given to an agent. A link is followed when it is copied, so it must stay in the pack. */
async function assetTrouble(folder: string, { source }: StaticAsset): Promise<string | undefined> {
  try {
    const place = await realpath(source);
    const fromPack = path.relative(await realpath(folder), place);
    if (fromPack === ".." || fromPack.startsWith(`..${path.sep}`) || path.isAbsolute(fromPack)) {
      return `is a link that leads out of the pack: ${source}`;
    }
    const stats = await stat(place);
    return stats.isFile() || stats.isDirectory() ? undefined : `is neither file nor folder: ${source}`;
  } catch {
    return `is missing: ${source}`;
  }
}
