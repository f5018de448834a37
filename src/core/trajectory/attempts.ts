import { randomBytes } from "node:crypto";
import type { AttemptOf } from "../model/policy.js";
import type { Run, RunListener } from "../model/run.js";
import { runTrajectory } from "./loop.js";
import type { TrajectoryRequest, TrajectoryServices } from "./services.js";

/**
 * Which attempts a request asks for; undefined for the one that stands alone. All carry the same new group.
 */
export function attemptsOf({ policy }: Pick<TrajectoryRequest, "policy">): (AttemptOf | undefined)[] {
  if (policy.attempts.kind !== "independent" || policy.attempts.count === 1) return [undefined];
  const { count: of } = policy.attempts;
  const group = randomBytes(6).toString("hex");
  return Array.from({ length: of }, (_, index) => ({ of, index: index + 1, group }));
}

/**
 * Takes all attempts of a request one after the other, each in a run folder of its own. A cancelled one ends them.
 * @throws SlopLensError what {@link runTrajectory} throws; attempts before it are in their folders
 */
export async function takeAttempts(
  request: TrajectoryRequest,
  services: TrajectoryServices,
  listener: RunListener,
  signal: AbortSignal,
): Promise<Run[]> {
  const runs: Run[] = [];
  for (const attempt of attemptsOf(request)) {
    const run = await runTrajectory({ ...request, attempt }, services, listener, signal);
    runs.push(run);
    if (run.state === "cancelled") break;
  }
  return runs;
}
