import { stat } from "node:fs/promises";
import path from "node:path";
import { blankTurn, NO_USAGE } from "../core/model/blank-turn.js";
import type { Evaluation } from "../core/evaluation/evaluation.js";
import { evaluate } from "../core/evaluation/evaluate.js";
import { SlopLensError } from "../core/model/errors.js";
import type { Checkpoint, Problem } from "../core/model/problem.js";
import { suggestion } from "../core/problem/suggest.js";
import type { Turn } from "../core/model/turn.js";
import { LiveTurn } from "../core/trajectory/live-turn.js";
import { judgeTurn } from "../core/trajectory/verdict.js";
import type { Installation } from "./installation.js";
import { type CliIo, warn } from "./io.js";
import type { Place } from "./place.js";
import { ProgressLine } from "./progress.js";

export interface SnapshotRequest {
  readonly problem: Problem;
  /** A checkpoint's name, or its number. */
  readonly checkpoint: string;
  /** Absolute path of the folder to evaluate; never written. */
  readonly snapshot: string;
  /** No progress where nobody watches. */
  readonly quiet: boolean;
}

export interface SnapshotEvaluation {
  readonly turn: Turn;
  readonly evaluation: Evaluation;
}

/**
 * Runs a checkpoint's hidden tests on a folder, outside of any run.
 * @throws SlopLensError bad-input when there is no such checkpoint or folder, and what the evaluation throws
 */
export async function evaluateSnapshot(
  request: SnapshotRequest,
  place: Place,
  io: CliIo,
  installation: Installation,
): Promise<SnapshotEvaluation> {
  const checkpoint = findCheckpoint(request);
  await requireFolder(request.snapshot);
  const progress = new ProgressLine(io, request.quiet);
  const live = new LiveTurn(beginTurn(request, checkpoint), (turn, step) => {
    progress.listen({ type: "turn-progress", folder: request.snapshot, turn, progress: step });
  });
  live.enter("testing");
  try {
    const evaluation = await evaluate(
      {
        problem: request.problem,
        checkpoint,
        environment: place.environment,
        sandbox: place.sandbox,
        snapshot: request.snapshot,
        owner: { run: request.snapshot, turn: live.current.id },
      },
      live,
      installation.files,
      io.signal,
    );
    live.update(outcomeOf(evaluation));
    const { seconds } = evaluation;
    progress.listen({ type: "turn-finished", folder: request.snapshot, turn: live.current, seconds });
    for (const warning of evaluation.warnings) warn(io, warning);
    return { turn: live.current, evaluation };
  } finally {
    progress.clear();
  }
}

function findCheckpoint({ problem, checkpoint }: SnapshotRequest): Checkpoint {
  const found = problem.checkpoints.find(
    ({ name }) => name === checkpoint || name === `checkpoint_${checkpoint}`,
  );
  if (found !== undefined) return found;
  const names = problem.checkpoints.map(({ name }) => name);
  throw new SlopLensError(
    "bad-input",
    `${problem.name} has no checkpoint ${checkpoint}${suggestion(checkpoint, names)}`,
    `It has ${names.join(", ")}.`,
  );
}

async function requireFolder(folder: string): Promise<void> {
  const isFolder = await stat(folder).then(
    (stats) => stats.isDirectory(),
    () => false,
  );
  if (!isFolder) throw new SlopLensError("bad-input", `${folder} is not a folder`, "Name a snapshot.");
}

function beginTurn({ problem, snapshot }: SnapshotRequest, checkpoint: Checkpoint): Turn {
  return blankTurn(problem.name, checkpoint, "import", path.resolve(snapshot));
}

function outcomeOf(evaluation: Evaluation): Partial<Turn> {
  return {
    ...judgeTurn({ status: "done", reason: undefined }, evaluation),
    outcomes: evaluation.outcomes,
    counts: evaluation.counts,
    usage: { ...NO_USAGE, testSeconds: evaluation.seconds },
  };
}
