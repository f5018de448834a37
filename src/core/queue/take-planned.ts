import { createHash } from "node:crypto";
import { stat } from "node:fs/promises";
import type { Agent } from "../agent/agent.js";
import type { AnalysisOptions } from "../analysis/analysis.js";
import type { Environment } from "../model/environment.js";
import { SlopLensError } from "../model/errors.js";
import type { AttemptOf } from "../model/policy.js";
import type { Run, RunListener } from "../model/run.js";
import type { PromptTemplate } from "../prompt/prompt.js";
import { readSetting, type StoredSetting } from "../store/stored-setting.js";
import { runTrajectory } from "../trajectory/loop.js";
import { resumeTrajectory } from "../trajectory/resume.js";
import type { TrajectoryServices } from "../trajectory/services.js";
import type { QueueItem, Taking } from "./item.js";
import { ownName } from "./agent-word.js";
import { policyOf, type PlannedRun, type QueuePlan } from "./queue-plan.js";

/** What the items of a queue are taken with. */
export interface QueueMeans {
  readonly plan: QueuePlan;
  readonly environment: Environment;
  readonly prompt: PromptTemplate;
  readonly services: TrajectoryServices;
  readonly analysis: AnalysisOptions;
  /** By their names in the queue. */
  readonly agents: ReadonlyMap<string, Agent>;
}

/**
 * Takes an item of a queue: goes on in its run folder where an earlier try has left one, or begins a new one.
 * @param queue name of the queue's file, which no other beside it has
 * @throws SlopLensError as `runTrajectory` and `resumeTrajectory`
 */
export async function takePlanned(
  item: QueueItem<PlannedRun>,
  { before, mayGoOn, signal }: Omit<Taking, "listener">,
  means: QueueMeans,
  queue: string,
  listener: RunListener,
): Promise<Run> {
  const { plan, environment, prompt, analysis } = means;
  const { problem } = item.plan;
  const agent = means.agents.get(item.agent);
  if (agent === undefined) throw new SlopLensError("internal", `${item.agent} was not made`);
  const common = { problem, agent, environment, analysis };
  const services = { ...means.services, mayGoOn };
  const setting = before.folder === undefined ? undefined : await settingOf(before.folder);
  if (setting !== undefined) {
    // An agent that failed has had its turn, as in a queue that nothing has disturbed.
    const resume = {
      ...common,
      setting,
      prompt: undefined,
      wishes: { agentErrors: "keep", redo: [] },
    } as const;
    return resumeTrajectory(resume, services, listener, signal);
  }
  const request = {
    ...{ ...common, prompt, runsFolder: plan.runs, checkpoints: plan.checkpoints },
    ...{ policy: policyOf(plan, item.plan.agent), attempt: attemptOf(item, queue) },
    agentName: ownName(item.plan.agent),
  };
  return runTrajectory(request, services, listener, signal);
}

/** Undefined when the folder is gone, so that its item begins anew. */
async function settingOf(folder: string): Promise<StoredSetting | undefined> {
  const isThere = await stat(folder).then(
    () => true,
    () => false,
  );
  return isThere ? readSetting(folder) : undefined;
}

/**
 * Which attempt an item is, also where it is the only one: so its run folder tells whose it is. Its group is the same for
 * all attempts of an agent at a problem, also when they are gone on with later.
 * @param queue name of the queue's file
 */
export function attemptOf(
  { problem, agent, attempt, attempts }: Omit<QueueItem, "plan">,
  queue: string,
): AttemptOf {
  const hash = createHash("sha256").update(JSON.stringify([queue, problem, agent]));
  return { of: attempts, index: attempt, group: hash.digest("hex").slice(0, 12) };
}
