import path from "node:path";
import { testsHash } from "../evaluation/tests-hash.js";
import type { Environment } from "../model/environment.js";
import type { SnapshotStart } from "../model/policy.js";
import type { Checkpoint, Problem } from "../model/problem.js";
import { readText } from "../model/read-text.js";
import { snapshotHash } from "../problem/snapshot-hash.js";
import { renderSpec } from "../problem/spec.js";
import { DocumentReader } from "../store/documents.js";
import { readTurnRecord, TURN_RECORD, type RecordedTurn } from "../store/turn-record.js";

/**
 * What sets the turn that a fork begins from apart from the problem as it is now, in sentences: the fork compares with its
 * parent only where there is nothing. A turn that tells nothing of itself is passed over.
 */
export async function startWarnings(
  problem: Problem,
  environment: Environment,
  { run, turn }: SnapshotStart,
): Promise<string[]> {
  const [, name] = turn.split("/");
  const folder = path.join(run, ...turn.split("/"));
  const checkpoint = problem.checkpoints.find((one) => one.name === name);
  const record = readTurnRecord(await new DocumentReader().json(path.join(folder, TURN_RECORD)), run);
  if (checkpoint === undefined || record === undefined) return [];
  const found = await Promise.all([
    isOtherSnapshot(folder, record).then((is) => (is ? "its snapshot is not as it was recorded" : "")),
    isOtherSpec(folder, problem, checkpoint, environment).then((is) => (is ? "its spec was another" : "")),
    areOtherTests(problem, checkpoint, record).then((are) => (are ? "its hidden tests were others" : "")),
  ]);
  const told = found.filter((one) => one !== "");
  return told.length === 0
    ? []
    : [`The run begins from ${turn}, which is not of the problem as it is now: ${told.join(", ")}`];
}

async function isOtherSnapshot(folder: string, { snapshotHash: recorded }: RecordedTurn): Promise<boolean> {
  return recorded !== null && (await snapshotHash(path.join(folder, "snapshot"))) !== recorded;
}

async function areOtherTests(
  problem: Problem,
  checkpoint: Checkpoint,
  record: RecordedTurn,
): Promise<boolean> {
  return record.testsHash !== undefined && (await testsHash(problem, checkpoint)) !== record.testsHash;
}

/** Templates may indent a spec or put words around it; what is asked for is that each of its lines was there. */
async function isOtherSpec(
  folder: string,
  problem: Problem,
  checkpoint: Checkpoint,
  environment: Environment,
): Promise<boolean> {
  const prompt = await readText(path.join(folder, "prompt.txt")).catch(() => undefined);
  if (prompt === undefined) return false;
  const lines = new Set(prompt.split("\n").map((line) => line.trim()));
  const spec = await renderSpec(problem, checkpoint, environment);
  return spec.split("\n").some((line) => !lines.has(line.trim()));
}
