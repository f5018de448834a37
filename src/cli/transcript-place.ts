import { readdir, stat } from "node:fs/promises";
import path from "node:path";
import { SlopLensError } from "../core/model/errors.js";
import { findRuns } from "../core/store/find-runs.js";
import { nearPath } from "./started-as.js";

const WHERE = "Name a run folder, a problem or a checkpoint in it, or an agent's own file.";
const NONE_KEPT = "Replays have none, and runs can be kept without it.";
/** Runs lie near where somebody looks for them. */
const NEAR = { depth: 3, folders: 500 };

/**
 * Looks at a place that is to be read as one agent's, before files far below it are taken for that.
 * @param place absolute
 * @throws SlopLensError bad-input when nothing is there, or what is there holds no transcript of its own
 */
export async function checkTranscriptPlace(place: string, cwd: string): Promise<void> {
  const found = await stat(place).catch(() => undefined);
  const shown = nearPath(place, cwd);
  if (found === undefined) throw refusal(`${shown} does not exist`, WHERE);
  if (!found.isDirectory()) {
    if (found.isFile()) return;
    throw refusal(`${shown} is neither file nor folder`, WHERE);
  }
  const names = await readdir(place);
  if (names.length === 0) throw refusal(`${shown} is empty`, WHERE);
  if (names.includes("config.yaml") && names.includes("tests")) {
    throw refusal(`${shown} is a problem pack, and only runs have transcripts`, WHERE);
  }
  if (isCheckpoint(names)) return;
  const { runs } = await findRuns(place, NEAR);
  const [run] = runs.filter((one) => one !== place);
  if (run === undefined) return;
  const which = nearPath(run, cwd);
  throw refusal(
    `${shown} holds ${runs.length === 1 ? "a run" : `${runs.length} runs or more`} and is none itself`,
    `Name one: ${which}`,
  );
}

/**
 * Why a place has no transcript, told by what the place is.
 * @param place absolute
 */
export async function noTranscript(place: string, cwd: string): Promise<SlopLensError> {
  const shown = nearPath(place, cwd);
  const names = await readdir(place).catch(() => undefined);
  if (names === undefined) {
    return refusal(`${shown} is no transcript in any form that is known`, WHERE);
  }
  if (isCheckpoint(names))
    return refusal(`The checkpoint ${shown} has no transcript of its agent`, NONE_KEPT);
  const isAbove = (await checkpointsBelow(place)) > 0;
  return isAbove
    ? refusal(`No checkpoint in ${shown} has a transcript of its agent`, NONE_KEPT)
    : refusal(`There is no transcript in ${shown}`, WHERE);
}

function refusal(message: string, hint: string): SlopLensError {
  return new SlopLensError("bad-input", message, hint);
}

/** What a turn leaves in its folder, beside what its agent does. */
function isCheckpoint(names: readonly string[]): boolean {
  const left = [
    "prompt.txt",
    "inference_result.json",
    "evaluation.json",
    "checkpoint.yaml",
    "slop-lens.json",
  ];
  return left.filter((name) => names.includes(name)).length > 1;
}

/** How many checkpoints a run folder, or a problem's in it, seems to hold. */
async function checkpointsBelow(folder: string): Promise<number> {
  const entries = await readdir(folder, { withFileTypes: true, recursive: false });
  const folders = entries.filter((entry) => entry.isDirectory()).map(({ name }) => name);
  const below = await Promise.all(
    folders.map((name) => readdir(path.join(folder, name)).catch((): string[] => [])),
  );
  return [...folders, ...below.flat()].filter((name) => /^checkpoint_\d+$/u.test(name)).length;
}
