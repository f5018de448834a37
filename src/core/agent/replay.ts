import { NO_USAGE } from "../model/blank-turn.js";
import { SlopLensError } from "../model/errors.js";
import type { Problem } from "../model/problem.js";
import { snapshotHash } from "../problem/snapshot-hash.js";
import { copyTree } from "../sandbox/archive/copy-tree.js";
import type { Agent, AgentResult, AgentTurn } from "./agent.js";
import { findReplayFolders, type ReplaySource } from "./replay-source.js";

/**
 * An agent that takes its turns from recorded workspaces. It needs no sandbox.
 * Its origin is `reference` for the pack's own solutions, `replay` for everything else.
 */
export function replayAgent(source: ReplaySource): Agent {
  return {
    description: {
      type: "replay",
      version: undefined,
      model: undefined,
      detail: source.kind === "solutions" ? "solutions" : source.folder,
    },
    origin: source.kind === "solutions" ? "reference" : "replay",
    secrets: [],
    layer: undefined,
    check: (problem) => checkComplete(source, problem),
    material: async (problem, checkpoint) => {
      const folder = (await findReplayFolders(source, problem)).get(checkpoint.name);
      return folder === undefined ? undefined : snapshotHash(folder);
    },
    takeTurn: (turn, signal) => takeTurn(source, turn, signal),
  };
}

async function checkComplete(source: ReplaySource, problem: Problem): Promise<void> {
  const folders = await findReplayFolders(source, problem);
  const missing = problem.checkpoints.map(({ name }) => name).filter((name) => !folders.has(name));
  if (missing.length === 0) return;
  const place = source.kind === "solutions" ? `the solutions of ${problem.name}` : source.folder;
  throw new SlopLensError(
    "agent-invalid",
    `Nothing to replay for ${missing.join(", ")} in ${place}`,
    "Choose only the checkpoints that are there, or another folder.",
  );
}

async function takeTurn(source: ReplaySource, turn: AgentTurn, signal: AbortSignal): Promise<AgentResult> {
  const folder = (await findReplayFolders(source, turn.problem)).get(turn.checkpoint.name);
  if (folder === undefined) {
    throw new SlopLensError("agent-invalid", `The recording of ${turn.checkpoint.name} is gone`);
  }
  const leftOut = await copyTree(folder, turn.workspaceAfter, { keep: turn.keep, signal });
  if (leftOut.length > 0) turn.onOutput(`Left out, what a snapshot cannot hold: ${leftOut.join(", ")}\n`);
  return { status: "done", reason: undefined, retryable: false, usage: NO_USAGE };
}
