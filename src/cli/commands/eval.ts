import { stat } from "node:fs/promises";
import path from "node:path";
import { SlopLensError } from "../../core/model/errors.js";
import { folderTrouble } from "../../core/model/read-text.js";
import type { Problem } from "../../core/model/problem.js";
import type { ProblemRun, Run } from "../../core/model/run.js";
import type { Turn } from "../../core/model/turn.js";
import { type OutcomeDifference, outcomeDifferences } from "../../core/report/outcome-differences.js";
import { failedTestLines } from "../../core/report/failed-tests.js";
import { renderTable } from "../../core/report/text-table.js";
import { reasonLines, trajectoryTable } from "../../core/report/trajectory-table.js";
import { readRun } from "../../core/store/read-run.js";
import { readSetting } from "../../core/store/stored-setting.js";
import { EXIT } from "../exit.js";
import { evaluateSnapshot, type SnapshotEvaluation } from "../evaluate-snapshot.js";
import type { Installation } from "../installation.js";
import { type CliIo, printJson, printLine, warn } from "../io.js";
import { findProblem, packFolder, problemsIn } from "../packs.js";
import { choosePlace, type Place, type PlaceOptions } from "../place.js";
import { turnToJson } from "../turn-json.js";

export interface EvalOptions extends PlaceOptions {
  readonly problem: string | undefined;
  readonly checkpoint: string | undefined;
  readonly checkpoints: readonly string[] | undefined;
  readonly json: boolean;
}

/**
 * `slop-lens eval`: runs the hidden tests on one folder (with `--checkpoint`), or again on every snapshot of a run and
 * compares with what the run folder holds. Nothing in the run folder is written.
 */
export async function evalCommand(
  target: string,
  options: EvalOptions,
  io: CliIo,
  installation: Installation,
): Promise<number> {
  const folder = path.resolve(io.cwd, target);
  await checkFolder(folder);
  const { checkpoint } = options;
  const problem = options.problem ?? (checkpoint === undefined ? await ownPack(folder) : undefined);
  if (problem === undefined) {
    throw new SlopLensError(
      "bad-input",
      "eval needs to know whose hidden tests are run",
      "Give --problem with the pack, or for a run the folder of its packs.",
    );
  }
  return checkpoint === undefined
    ? evalRun(folder, problem, options, io, installation)
    : evalFolder(folder, checkpoint, problem, options, io, installation);
}

/** Where the pack of a run of ours is; undefined when it does not tell. */
async function ownPack(folder: string): Promise<string | undefined> {
  return readSetting(folder).then(
    ({ packFolder }) => packFolder,
    () => undefined,
  );
}

/** @throws SlopLensError bad-input when it is no folder */
async function checkFolder(folder: string): Promise<void> {
  const isFolder = await stat(folder).then(
    (stats) => stats.isDirectory(),
    (error: unknown) => {
      throw new SlopLensError(
        "bad-input",
        folderTrouble(folder, error),
        "Name a folder with a solution, or a run folder.",
      );
    },
  );
  if (isFolder) return;
  throw new SlopLensError(
    "bad-input",
    `${folder} is a file`,
    "Name the folder with the solution, or a run folder.",
  );
}

async function evalFolder(
  folder: string,
  checkpointName: string,
  problemName: string,
  options: EvalOptions,
  io: CliIo,
  installation: Installation,
): Promise<number> {
  const problem = await findProblem(problemName, io.cwd);
  const place = await choosePlace(options, io, installation);
  const evaluated = await evaluateSnapshot(
    { problem, checkpoint: checkpointName, snapshot: folder, quiet: options.json },
    place,
    io,
    installation,
  );
  if (options.json) printJson(io, turnToJson(evaluated.turn));
  else printTurns(problem.name, [evaluated], io);
  return exitCodeOf([evaluated]);
}

interface Compared extends SnapshotEvaluation {
  /** Undefined when the run folder holds no outcomes to compare with. */
  readonly differences: readonly OutcomeDifference[] | undefined;
}

async function evalRun(
  folder: string,
  packs: string,
  options: EvalOptions,
  io: CliIo,
  installation: Installation,
): Promise<number> {
  const run = await readTarget(folder);
  const problems = await problemsIn(packFolder(packs, io.cwd));
  const place = await choosePlace(options, io, installation);
  const all: Compared[] = [];
  for (const trajectory of run.problems) {
    const problem = problems.get(trajectory.problem);
    if (problem === undefined) {
      warn(io, `${trajectory.problem} is not among the packs of ${packs}, so it is passed over`);
      continue;
    }
    const compared = await evalTrajectory(trajectory, problem, options, place, io, installation);
    all.push(...compared);
    if (!options.json && compared.length > 0) printComparison(problem.name, compared, io);
  }
  if (all.length === 0) {
    throw new SlopLensError("bad-input", `${folder} holds no snapshot that can be evaluated`);
  }
  return exitCodeOf(all);
}

/** Reads a run, or a problem of one; who meant a folder with a solution is told what is missing. */
async function readTarget(folder: string): Promise<Run> {
  const above = await readRun(path.dirname(folder)).catch(() => undefined);
  const part = above?.problems.find((one) => one.folder === folder);
  if (above !== undefined && part !== undefined) return { ...above, problems: [part] };
  try {
    return await readRun(folder);
  } catch (error) {
    if (!SlopLensError.is(error, "run-folder")) throw error;
    const hint = `${error.hint} For a folder with a solution, name the checkpoint with --checkpoint.`;
    throw new SlopLensError(error.code, error.message, hint, { cause: error });
  }
}

async function evalTrajectory(
  trajectory: ProblemRun,
  problem: Problem,
  options: EvalOptions,
  place: Place,
  io: CliIo,
  installation: Installation,
): Promise<Compared[]> {
  const compared: Compared[] = [];
  for (const stored of trajectory.turns.filter((turn) => isWanted(turn, options))) {
    const snapshot = path.join(stored.folder, "snapshot");
    const request = { problem, checkpoint: stored.checkpoint, snapshot, quiet: options.json };
    const evaluated = await evaluateSnapshot(request, place, io, installation);
    const hasStored = stored.outcomes.length > 0;
    const differences = hasStored ? outcomeDifferences(stored.outcomes, evaluated.turn.outcomes) : undefined;
    compared.push({ ...evaluated, differences });
    if (options.json) printJson(io, comparisonToJson(stored, evaluated, differences));
  }
  return compared;
}

function isWanted(turn: Turn, { checkpoints }: EvalOptions): boolean {
  if (turn.verdict === "not-reached" || turn.verdict === "skipped") return false;
  return checkpoints === undefined || checkpoints.includes(turn.checkpoint);
}

function comparisonToJson(
  stored: Turn,
  { turn }: SnapshotEvaluation,
  differences: readonly OutcomeDifference[] | undefined,
): unknown {
  return {
    ...turnToJson(turn),
    stored: { verdict: stored.verdict ?? null, tests: stored.outcomes.length },
    differences: differences ?? null,
  };
}

function printComparison(problem: string, compared: readonly Compared[], io: CliIo): void {
  printTurns(problem, compared, io);
  printLine(io);
  for (const { turn, differences } of compared) {
    printLine(io, `${turn.checkpoint}: ${agreement(turn, differences)}`);
    for (const { checkpoint, id, stored, now } of differences ?? []) {
      printLine(io, `  ${checkpoint} ${id}: ${stored ?? "not there"} → ${now ?? "not there"}`);
    }
  }
  printLine(io);
}

function agreement(turn: Turn, differences: readonly OutcomeDifference[] | undefined): string {
  if (differences === undefined) return "the run folder holds no outcomes to compare with";
  if (differences.length === 0) return `all ${turn.outcomes.length} tests as stored`;
  return `${differences.length} of ${turn.outcomes.length} tests differ from the stored result`;
}

function printTurns(problem: string, evaluated: readonly SnapshotEvaluation[], io: CliIo): void {
  const turns = evaluated.map(({ turn }) => turn);
  printLine(io, problem);
  printLine(io);
  const trajectory = { problem, folder: "", turns };
  for (const line of renderTable(trajectoryTable(trajectory))) printLine(io, line);
  const below = [reasonLines(trajectory), ...turns.map((turn) => failedTestLines(turn))];
  for (const lines of below.filter(({ length }) => length > 0)) {
    printLine(io);
    for (const line of lines) printLine(io, line);
  }
}

function exitCodeOf(evaluated: readonly SnapshotEvaluation[]): number {
  return evaluated.some(({ turn }) => turn.verdict === "infrastructure") ? EXIT.trouble : EXIT.ok;
}
