import { SlopLensError } from "../model/errors.js";
import type { PassPolicy } from "../model/policy.js";
import type { Problem } from "../model/problem.js";
import { CONTAINER_MEMORY } from "./capacity.js";
import type { QueueItem } from "./item.js";

/** Who takes turns, as a queue is told. */
export interface QueueAgent {
  /** Unique within the queue; heads a column of its table. */
  readonly name: string;
  readonly source:
    | { readonly kind: "reference" }
    /** A recording, an earlier run, or a folder with `<problem>/checkpoint_k`; absolute. */
    | { readonly kind: "replay"; readonly folder: string }
    | {
        readonly kind: "command";
        readonly command: string;
        /** Names of the host's variables that it gets. */
        readonly passEnv: readonly string[];
        /** Seconds a checkpoint; undefined for no limit. */
        readonly timeoutSeconds: number | undefined;
      }
    | {
        readonly kind: "named";
        /** Name of a shipped agent or one of the workspace's own, or the absolute path of an agent's file. */
        readonly agent: string;
        /** Undefined for the agent's own choice. */
        readonly model: string | undefined;
        readonly thinking: string | undefined;
        readonly timeoutSeconds: number | undefined;
      };
}

/** Many trajectories: every problem by every agent, so often as said. */
export interface QueuePlan {
  /** Folders of packs, or names of packs below `base`, as they were given. */
  readonly problems: readonly string[];
  /** Folder that relative paths of problems start at; absolute. */
  readonly base: string;
  readonly agents: readonly QueueAgent[];
  /** Independent tries of each agent at each problem, at least 1. */
  readonly attempts: number;
  /** At once at most; undefined for what cores and memory allow. */
  readonly jobs: number | undefined;
  /** What a running trajectory is counted with, and what a command agent's container may take. */
  readonly memoryBytes: number;
  readonly policy: PassPolicy;
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
  attempts: 1,
  jobs: undefined,
  memoryBytes: CONTAINER_MEMORY,
  policy: "any",
  environment: undefined,
  image: undefined,
  template: "just-solve",
  checkpoints: undefined,
} as const satisfies Partial<QueuePlan>;

/** What an item of a plan is taken with. */
export interface PlannedRun {
  readonly problem: Problem;
  readonly agent: QueueAgent;
}

/**
 * The items of a plan, attempts last.
 * @throws SlopLensError bad-input when there is nothing to run, or when two problems or agents have one name
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
  return Array.from({ length: plan.attempts }, (_, index) => index + 1).flatMap((attempt) =>
    problems.flatMap((problem) => plan.agents.map((agent) => itemOf(plan, problem, agent, attempt))),
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
    attempts: plan.attempts,
    checkpoints: plan.checkpoints?.length ?? problem.checkpoints.length,
    memoryBytes: plan.memoryBytes,
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
