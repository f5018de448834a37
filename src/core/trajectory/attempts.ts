import { randomBytes } from "node:crypto";
import path from "node:path";
import type { AttemptOf } from "../model/policy.js";
import type { Run, RunListener } from "../model/run.js";
import { attemptFolders, unreadableRuns } from "../store/attempt-group.js";
import type { StoredSetting } from "../store/stored-setting.js";
import { runTrajectory } from "./loop.js";
import { requestOf, resumeTrajectory, type ResumeRequest } from "./resume.js";
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
 * Takes all attempts of a request one after the other, each in a run folder of its own. One that is not finished ends them.
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
    if (run.state !== "finished") break;
  }
  return runs;
}

/**
 * The attempts of a run's group that never began: no run folder beside it is theirs. None while a living process works on
 * one of the group, because that takes them, nor while a run beside it may be one of them and does not tell.
 */
export async function missingAttempts({
  run,
  part,
  attempt: own,
}: Pick<StoredSetting, "run" | "part" | "attempt">): Promise<AttemptOf[]> {
  if (own === undefined) return [];
  const runs = path.dirname(run.folder);
  if ((await unreadableRuns(runs, part.problem)).length > 0) return [];
  const all = await attemptFolders(runs);
  const group = all.filter(({ attempt }) => attempt.group === own.group);
  if (group.some(({ isAtWork }) => isAtWork)) return [];
  const begun = new Set([own.index, ...group.map(({ attempt }) => attempt.index)]);
  return Array.from({ length: own.of }, (_, index) => ({ ...own, index: index + 1 })).filter(
    ({ index }) => !begun.has(index),
  );
}

/**
 * Goes on with a run, then takes attempts of its group that never began, each in a folder of its own. One that is
 * not finished ends them.
 * @param attemptsLeft asked before each of those, because a queue may have taken it in hand meanwhile
 * @throws SlopLensError as {@link resumeTrajectory} and {@link runTrajectory}
 */
export async function resumeAttempts(
  resume: ResumeRequest,
  attemptsLeft: (setting: StoredSetting) => Promise<readonly AttemptOf[]>,
  services: TrajectoryServices,
  listener: RunListener,
  signal: AbortSignal,
): Promise<Run[]> {
  const runs = [await resumeTrajectory(resume, services, listener, signal)];
  let last = 0;
  while (runs.at(-1)?.state === "finished") {
    const attempt = (await attemptsLeft(resume.setting)).find(({ index }) => index > last);
    if (attempt === undefined) break;
    last = attempt.index;
    runs.push(await runTrajectory({ ...requestOf(resume), attempt }, services, listener, signal));
  }
  return runs;
}
