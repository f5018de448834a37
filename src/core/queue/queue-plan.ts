import type { AgentSource } from "../agent/agent-source.js";
import { SlopLensError } from "../model/errors.js";
import { DEFAULT_POLICY, withSeconds, type RunPolicy } from "../model/policy.js";
import type { Problem } from "../model/problem.js";
import { CONTAINER_MEMORY } from "./capacity.js";
import type { QueueItem } from "./item.js";

/** Who takes turns, as a queue is told. */
export interface QueueAgent {
  /** Unique within the queue; heads a column of its table. */
  readonly name: string;
  readonly source: AgentSource;
  /** Takes the place of the policy's limit at a checkpoint; undefined for the policy's, 0 for none. */
  readonly timeoutSeconds?: number | undefined;
}

/** Many trajectories: every problem by every agent, as often as the policy says. */
export interface QueuePlan {
  /** Folders of packs, or names of packs below `base`, as they were given. */
  readonly problems: readonly string[];
  /** Folder that relative paths of problems start at; absolute. */
  readonly base: string;
  readonly agents: readonly QueueAgent[];
  /** At once at most; undefined for what cores and memory allow. */
  readonly jobs: number | undefined;
  /** What a running trajectory is counted with, and what its containers may take; undefined for the policy's limit. */
  readonly memoryBytes: number | undefined;
  /** Its independent attempts are items of their own. */
  readonly policy: RunPolicy;
  /** A shipped environment's name, or the absolute path of a file; undefined for the host's own choice. */
  readonly environment: string | undefined;
  readonly image: string | undefined;
  /** A shipped template's name, or the absolute path of one. */
  readonly template: string;
  /** Folder in which run folders and the queue's own file are made; absolute. */
  readonly runs: string;
  /** Undefined for all. */
  readonly checkpoints: readonly string[] | undefined;
}

/** What a plan leaves out. */
export const PLAN_DEFAULTS = {
  jobs: undefined,
  memoryBytes: undefined,
  policy: DEFAULT_POLICY,
  environment: undefined,
  image: undefined,
  template: "just-solve",
  checkpoints: undefined,
} as const satisfies Partial<QueuePlan>;

/** Whole tries of each agent at each problem, an item each. */
export function attemptsOf({ policy: { attempts } }: Pick<QueuePlan, "policy">): number {
  return attempts.kind === "independent" ? attempts.count : 1;
}

/** What a running trajectory of a plan is counted with, in bytes. */
export function memoryOf({ memoryBytes, policy }: Pick<QueuePlan, "memoryBytes" | "policy">): number {
  return memoryBytes ?? policy.limits.memoryBytes ?? CONTAINER_MEMORY;
}

/** The policy that an agent's trajectories are taken with. */
export function policyOf(plan: QueuePlan, { timeoutSeconds }: QueueAgent): RunPolicy {
  const limits = withSeconds(plan.policy.limits, timeoutSeconds);
  return { ...plan.policy, limits: { ...limits, memoryBytes: memoryOf(plan) } };
}

/** What an item of a plan is taken with. */
export interface PlannedRun {
  readonly problem: Problem;
  readonly agent: QueueAgent;
}

/**
 * The items of a plan, attempts last.
 * @throws SlopLensError bad-input when there is nothing to run, when two problems or agents have one name, or when a
 *   fork is to be of other problems than its own
 */
export function itemsOf(plan: QueuePlan, problems: readonly Problem[]): QueueItem<PlannedRun>[] {
  const first = [
    problems.length === 0 ? "The queue names no problem" : undefined,
    plan.agents.length === 0 ? "The queue names no agent" : undefined,
    repeated(
      problems.map(({ name }) => name),
      "problem",
    ),
    repeated(
      plan.agents.map(({ name }) => name),
      "agent",
    ),
  ].find((fault) => fault !== undefined);
  if (first !== undefined) {
    throw new SlopLensError("bad-input", first, "Name each once; an agent of a YAML file takes a `name`.");
  }
  refuseOthersThanForked(plan, problems);
  return Array.from({ length: attemptsOf(plan) }, (_, index) => index + 1).flatMap((attempt) =>
    problems.flatMap((problem) => plan.agents.map((agent) => itemOf(plan, problem, agent, attempt))),
  );
}

/** What begins from a snapshot begins in one problem; said before anything runs, and not item by item. */
function refuseOthersThanForked({ policy: { start } }: QueuePlan, problems: readonly Problem[]): void {
  if (start.kind !== "snapshot") return;
  const [own = ""] = start.turn.split("/");
  const others = problems.flatMap(({ name }) => (name === own ? [] : [name]));
  if (others.length === 0) return;
  throw new SlopLensError(
    "bad-input",
    `A fork of ${start.turn} has no place in ${others.join(", ")}`,
    `Begin ${own} alone from it, and the others from an empty workspace.`,
  );
}

function itemOf(
  plan: QueuePlan,
  problem: Problem,
  agent: QueueAgent,
  attempt: number,
): QueueItem<PlannedRun> {
  return {
    id: `${problem.name}/${agent.name}/${attempt}`,
    problem: problem.name,
    agent: agent.name,
    attempt,
    attempts: attemptsOf(plan),
    checkpoints: plan.checkpoints?.length ?? problem.checkpoints.length,
    memoryBytes: memoryOf(plan),
    plan: { problem, agent },
  };
}

function repeated(names: readonly string[], what: string): string | undefined {
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  return twice === undefined ? undefined : `The queue has two ${what}s called ${twice}`;
}

/** `shelf · reference`, and of several attempts `shelf · reference · 2 of 3`. */
export function itemLabel({ problem, agent, attempt, attempts }: QueueItem): string {
  return [problem, agent, ...(attempts === 1 ? [] : [`${attempt} of ${attempts}`])].join(" · ");
}
