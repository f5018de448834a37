import type { Analyzer } from "../core/analysis/analysis.js";
import { evaluate } from "../core/evaluation/evaluate.js";
import type { Environment } from "../core/model/environment.js";
import { DockerSandbox } from "../core/sandbox/docker/docker-sandbox.js";
import { LocalSandbox } from "../core/sandbox/local/local-sandbox.js";
import type { Sandbox } from "../core/sandbox/sandbox.js";
import { machineCapacity, type Capacity } from "../core/queue/capacity.js";
import type { TrajectoryServices } from "../core/trajectory/services.js";
import type { Installation } from "./installation.js";

/**
 * The sandbox that an environment asks for; for Docker only when its engine answers.
 * @throws SlopLensError engine-missing, engine-denied, engine-lost, cancelled
 */
export async function openSandbox(
  { files: { harness }, cacheFolder }: Installation,
  environment: Environment,
  signal: AbortSignal,
): Promise<Sandbox> {
  // What an earlier run that was killed may have left is removed; never what belongs to living runs.
  if (environment.type === "local") {
    const local = new LocalSandbox({ harness, cacheFolder });
    await local.removeOrphans();
    return local;
  }
  const sandbox = new DockerSandbox({ harness });
  await sandbox.describeEngine(signal);
  await sandbox.removeOrphans(signal);
  return sandbox;
}

/** What the place where a sandbox runs things has. @throws SlopLensError engine-missing, engine-denied, engine-lost, cancelled */
export async function capacityOf(sandbox: Sandbox, signal: AbortSignal): Promise<Capacity> {
  return sandbox instanceof DockerSandbox ? sandbox.describeEngine(signal) : machineCapacity();
}

/** Whether an engine that went away is there again; what this process could not remove meanwhile is removed. */
export async function answers(sandbox: Sandbox, signal: AbortSignal): Promise<boolean> {
  if (!(sandbox instanceof DockerSandbox)) return true;
  return sandbox.removeOrphans(signal).then(
    () => true,
    () => false,
  );
}

/** What the loop works with. */
export function trajectoryServices(
  { files }: Installation,
  sandbox: Sandbox,
  analyzer: Analyzer,
): TrajectoryServices {
  return {
    sandbox,
    analyzer,
    evaluate: (request, listener, signal) => evaluate(request, listener, files, signal),
  };
}
