/** Loaded when packs and runs are looked for: the readers, and the YAML they need. A bundle of its own. */
import { findAgents } from "../core/agent/program/catalogue.js";
import { SlopLensError } from "../core/model/errors.js";
import type { Run } from "../core/model/run.js";
import { findPacks } from "../core/problem/pack.js";
import { findRuns } from "../core/store/find-runs.js";
import { readRun } from "../core/store/read-run.js";
import { readOutcomes } from "../core/store/turn-details.js";
import { readPolicies } from "../core/trajectory/policy-file.js";

export { findAgents, findPacks, readOutcomes, readPolicies, readRun };

/** All runs in and below a folder; one that cannot be read is there too, with the reason. */
export async function readRuns(folder: string): Promise<Run[]> {
  const { runs } = await findRuns(folder);
  return Promise.all(runs.map((found) => readRun(found).catch((error: unknown) => unreadable(found, error))));
}

function unreadable(folder: string, error: unknown): Run {
  const { message } = SlopLensError.from(error);
  return {
    folder,
    agent: { type: "unknown", version: undefined, model: undefined, detail: undefined },
    prompt: undefined,
    environment: undefined,
    isolation: "unknown",
    startedAt: undefined,
    state: "interrupted",
    problems: [],
    faults: [{ file: folder, line: undefined, column: undefined, message, severity: "warning" }],
  };
}
