import { stat } from "node:fs/promises";
import path from "node:path";
import { findReplayFolders } from "../agent/replay-source.js";
import { SlopLensError } from "../model/errors.js";
import type { SnapshotStart } from "../model/policy.js";
import type { Checkpoint, Problem } from "../model/problem.js";
import type { Turn } from "../model/turn.js";
import { SESSION } from "../store/turn-folder-writer.js";

/** What a turn begins from: the edge to its parent, and what lies at the other end. */
export interface Beginning extends Pick<Turn, "parent" | "parentIn"> {
  /** Absolute path of the parent's snapshot; undefined for an empty workspace. */
  readonly snapshot: string | undefined;
  /** Folder with the parent's conversation; it need not be there. */
  readonly session: string | undefined;
}

/** Nothing but the problem's static assets. */
export const FROM_NOTHING: Beginning = {
  parent: null,
  parentIn: undefined,
  snapshot: undefined,
  session: undefined,
};

/** Going on from a turn of the same run. A try is named by its number, because its checkpoint has several. */
export function fromTurn({ id, folder, candidate }: Turn, snapshot: string | undefined): Beginning {
  return {
    parent: candidate === undefined ? id : `${id}#${candidate.index}`,
    parentIn: undefined,
    snapshot,
    session: path.join(folder, SESSION),
  };
}

/**
 * Going on from the pack's own solution of the checkpoint before, in a conversation of its own.
 * @throws SlopLensError agent-invalid when the pack has none
 */
export async function fromReference(problem: Problem, checkpoint: Checkpoint): Promise<Beginning> {
  const before = problem.checkpoints[problem.checkpoints.indexOf(checkpoint) - 1];
  if (before === undefined) return FROM_NOTHING;
  const snapshot = (await findReplayFolders({ kind: "solutions" }, problem)).get(before.name);
  if (snapshot === undefined) {
    throw new SlopLensError(
      "agent-invalid",
      `${problem.name} has no reference solution of ${before.name} to begin ${checkpoint.name} from`,
      "Begin from an empty workspace, or add the solution to the pack.",
    );
  }
  const parent = `${problem.name}/${before.name}`;
  return { parent, parentIn: "reference", snapshot, session: undefined };
}

/**
 * Going on from a turn of another run.
 * @throws SlopLensError bad-input when there is no snapshot
 */
export async function fromSnapshot({ run, turn }: SnapshotStart): Promise<Beginning> {
  const folder = path.join(run, ...turn.split("/"));
  const snapshot = path.join(folder, "snapshot");
  if ((await stat(snapshot).catch(() => undefined))?.isDirectory() !== true) {
    throw new SlopLensError(
      "bad-input",
      `There is no snapshot to begin from in ${folder}`,
      "Name a turn as RUN/PROBLEM/CHECKPOINT.",
    );
  }
  return { parent: turn, parentIn: { run }, snapshot, session: path.join(folder, SESSION) };
}
