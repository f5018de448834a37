import { createHash } from "node:crypto";
import { readFile, stat } from "node:fs/promises";
import type { Environment } from "../model/environment.js";
import type { Checkpoint, Problem } from "../model/problem.js";
import type { TurnInputs } from "../model/turn-inputs.js";
import { hashOf } from "../problem/hash-of.js";
import { snapshotHash } from "../problem/snapshot-hash.js";
import { Redactor } from "../store/redact.js";
import { secretMarks } from "../store/secret-marks.js";
import type { Beginning } from "./beginning.js";
import type { TrajectoryRequest } from "./services.js";

type Asked = Pick<TrajectoryRequest, "problem" | "environment" | "agent">;

/** What a turn at a checkpoint is made with now. What cannot be read is left undefined. */
export async function inputsNow(
  asked: Asked,
  checkpoint: Checkpoint,
  from: Beginning | undefined,
): Promise<TurnInputs> {
  const { problem, environment, agent } = asked;
  const redactor = new Redactor(agent.secrets);
  const outside = from?.parentIn === undefined ? undefined : from.snapshot;
  const [material, assets, start, secrets] = await Promise.all([
    agent.material?.(problem, checkpoint).catch(() => undefined),
    assetsHash(problem),
    outside === undefined ? undefined : snapshotHash(outside).catch(() => undefined),
    secretMarks(environment.env),
  ]);
  const { type, version, model, detail } = agent.description;
  const said = detail === undefined ? undefined : redactor.command(detail);
  const isAgent = agent.origin === "agent";
  return {
    agent: hashOf({ type, version, model, detail: isAgent ? said : undefined, material }),
    environment: isAgent ? environmentHash(environment, redactor) : undefined,
    environmentSecrets: isAgent ? secrets : undefined,
    assets,
    start,
    evaluation: evaluationHash(asked, checkpoint, redactor),
    evaluationSecrets: secrets,
  };
}

/** The name, and what is kept of a workspace, decide nothing while something runs. */
function environmentHash(
  { type, env, includeOsEnv, setup, commands, docker, local }: Environment,
  redactor: Redactor,
): string {
  const place = type === "docker" ? { docker } : { local };
  return hashOf({ type, env: redactor.variables(env), includeOsEnv, setup, commands, ...place });
}

function evaluationHash({ problem, environment }: Asked, checkpoint: Checkpoint, redactor: Redactor): string {
  const { timeoutSeconds, env, includePriorTests } = checkpoint;
  const { entryFile, testDependencies, markers } = problem;
  // What stands in a pack is no secret, however it is called; masked, another value would look like the same.
  const told = { timeoutSeconds, env, includePriorTests };
  return hashOf({
    ...told,
    entryFile,
    testDependencies,
    markers,
    place: environmentHash(environment, redactor),
  });
}

/** @returns undefined when there are none, or one cannot be read */
async function assetsHash({ staticAssets }: Problem): Promise<string | undefined> {
  if (staticAssets.length === 0) return undefined;
  try {
    const parts = staticAssets.map(async ({ source, savePath }) => [savePath, await contentHash(source)]);
    return hashOf(await Promise.all(parts));
  } catch {
    return undefined;
  }
}

async function contentHash(source: string): Promise<string> {
  if ((await stat(source)).isDirectory()) return snapshotHash(source);
  return createHash("sha256")
    .update(await readFile(source))
    .digest("hex");
}
