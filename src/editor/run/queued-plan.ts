import type { SecretSource } from "../../core/agent/program/secrets.js";
import type { QueueItem } from "../../core/queue/item.js";
import { policyOf, type PlannedRun, type QueuePlan } from "../../core/queue/queue-plan.js";
import { planOf } from "./choose.js";
import type { RunPlan } from "./plan.js";

/** How an item of a queue is taken in this window: as the queue says, and where that says nothing by the settings. */
export function queuedPlan(queue: QueuePlan, item: QueueItem<PlannedRun>, keys: SecretSource): RunPlan {
  const { problem, agent } = item.plan;
  const plan = planOf(problem, { kind: "source", source: agent.source, keys }, policyOf(queue, agent));
  return {
    ...plan,
    environment: queue.environment ?? plan.environment,
    promptTemplate: queue.template,
    runsFolder: queue.runs,
    settings: { ...plan.settings, dockerImage: queue.image ?? plan.settings.dockerImage },
  };
}
