import path from "node:path";
import type { Checkpoint, Problem } from "../model/problem.js";
import { snapshotHash } from "../problem/snapshot-hash.js";
import { testsFilter, wantedTestFiles } from "./assembly.js";

/**
 * Hash over the hidden tests that are run for a checkpoint, with what lies beside them: it tells later whether a result
 * still says something about the pack's tests.
 * @returns undefined when they cannot be read
 */
export async function testsHash(problem: Problem, checkpoint: Checkpoint): Promise<string | undefined> {
  const folder = path.join(problem.folder, "tests");
  return snapshotHash(folder, testsFilter(wantedTestFiles(problem, checkpoint))).catch(() => undefined);
}
