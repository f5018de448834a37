import { readdir } from "node:fs/promises";
import path from "node:path";
import { SlopLensError } from "../../core/model/errors.js";
import type { PackReading } from "../../core/model/problem.js";
import { testFaults, withTestFaults } from "../../core/evaluation/check-tests.js";
import { findPacks, readPack } from "../../core/problem/pack.js";
import { renderTable, type TableColumn, type TextTable } from "../../core/report/text-table.js";
import { EXIT } from "../exit.js";
import { faultLine } from "../fault-line.js";
import type { Installation } from "../installation.js";
import { type CliIo, printJson, printLine } from "../io.js";
import { packFolder, packsBelow } from "../packs.js";
import { nearPath } from "../started-as.js";

export interface ProblemsOptions {
  readonly json: boolean;
}

/**
 * `slop-lens problems`: lists the packs of a folder with what is wrong in them.
 * @returns exit code: 1 when a pack has an error, whatever warnings there are
 */
export async function problemsCommand(
  folder: string,
  options: ProblemsOptions,
  io: CliIo,
  installation: Installation,
): Promise<number> {
  const found = await packsOf(packFolder(folder, io.cwd));
  await using analyzer = installation.createAnalyzer(false);
  const inTests = await testFaults(found, analyzer, io.signal);
  const readings = found.map((reading) => withTestFaults(reading, inTests));
  if (readings.length === 0) {
    throw new SlopLensError(
      "bad-input",
      `There is no problem pack in ${path.resolve(io.cwd, folder)}`,
      "A pack is a folder with a config.yaml that names an entry file and checkpoints; two levels below were looked at.",
    );
  }
  if (options.json) {
    for (const reading of readings) printJson(io, toJson(reading));
  } else printPacks(readings, io);
  const faults = readings.flatMap((reading) => reading.faults);
  return faults.some(({ severity }) => severity === "error") ? EXIT.faults : EXIT.ok;
}

/** Those of a folder, else those one level deeper, else what is begun as one. */
async function packsOf(folder: string): Promise<PackReading[]> {
  const found = await findPacks(folder);
  if (found.length > 0) return found;
  const deeper = await packsBelow(folder);
  if (deeper.length > 0) return deeper;
  const names = await readdir(folder);
  return names.includes("config.yaml") && !names.includes("environment.yaml") ? [await readPack(folder)] : [];
}

function printPacks(readings: readonly PackReading[], io: CliIo): void {
  for (const line of renderTable(toTable(readings, io.cwd))) printLine(io, line);
  const faults = readings.flatMap((reading) => reading.faults);
  if (faults.length > 0) printLine(io);
  for (const fault of faults) printLine(io, `${fault.severity}: ${faultLine(fault, io.cwd)}`);
}

function toJson({ name, folder, problem, faults }: PackReading): unknown {
  return {
    name,
    folder,
    valid: faults.every(({ severity }) => severity !== "error"),
    checkpoints: problem?.checkpoints.map((checkpoint) => checkpoint.name) ?? [],
    difficulty: problem?.difficulty,
    category: problem?.category,
    faults: faults.map(({ file, line, column, message, severity }) => ({
      file,
      line,
      column,
      severity,
      message,
    })),
  };
}

/** Folders are told where a name alone would not say which pack is meant. */
function toTable(readings: readonly PackReading[], cwd: string): TextTable {
  const isAmbiguous = new Set(readings.map(({ name }) => name)).size < readings.length;
  const titled = (title: string): TableColumn => ({ title, align: "left" });
  return {
    columns: [
      titled("problem"),
      ...(isAmbiguous ? [titled("folder")] : []),
      { title: "checkpoints", align: "right" },
      { title: "difficulty", align: "left" },
      { title: "category", align: "left" },
      { title: "faults", align: "left" },
    ],
    rows: readings.map(({ name, folder, problem, faults }) => [
      name,
      ...(isAmbiguous ? [nearPath(folder, cwd)] : []),
      problem === undefined ? "–" : String(problem.checkpoints.length),
      problem?.difficulty ?? "–",
      problem?.category ?? "–",
      countFaults(faults),
    ]),
  };
}

function countFaults(faults: PackReading["faults"]): string {
  const count = (severity: "error" | "warning"): string => {
    const found = faults.filter((fault) => fault.severity === severity).length;
    return found === 0 ? "" : `${found} ${severity}${found === 1 ? "" : "s"}`;
  };
  const parts = [count("error"), count("warning")].filter((part) => part !== "");
  return parts.length === 0 ? "–" : parts.join(", ");
}
