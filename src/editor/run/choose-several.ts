import * as vscode from "vscode";
import { SlopLensError } from "../../core/model/errors.js";
import type { AgentDefinition } from "../../core/agent/program/definition.js";
import type { RunPolicy } from "../../core/model/policy.js";
import type { Problem } from "../../core/model/problem.js";
import { CONTAINER_MEMORY, defaultJobs, type Capacity } from "../../core/queue/capacity.js";
import { attemptsOf, PLAN_DEFAULTS, type QueueAgent, type QueuePlan } from "../../core/queue/queue-plan.js";
import { runCount } from "../words.js";
import {
  placeOf,
  planOf,
  problemItems,
  programItems,
  refuseUntrusted,
  sayNoProblem,
  solutionsItem,
  type RunChoices,
} from "./choose.js";
import { choosePolicy } from "./choose-policy.js";
import { chooseProgram, type ProgramChoice } from "./choose-program.js";
import type { RunPlan } from "./plan.js";
import type { Choice } from "./questions.js";

/** Queues that were chosen together; one for each folder that runs are written to. */
export interface SeveralRuns {
  readonly queues: readonly { readonly plan: QueuePlan; readonly problems: readonly Problem[] }[];
  /** How many run at once at most. */
  readonly jobs: number;
  readonly capacity: Capacity;
}

type Agent = "solutions" | "command" | ProgramChoice;

/**
 * Asks for problems, agents, policy and how many run at once.
 * @param asked problems that the user chose already
 * @returns undefined when the user left
 * @throws SlopLensError untrusted, bad-input
 */
export async function chooseSeveral(
  choices: RunChoices,
  asked: readonly Problem[],
  { capacityFor }: { readonly capacityFor: (plan: RunPlan) => Promise<Capacity> },
): Promise<SeveralRuns | undefined> {
  refuseUntrusted();
  const problems = asked.length > 0 ? asked : await chooseProblems(choices);
  const [first] = problems ?? [];
  if (problems === undefined || first === undefined) return undefined;
  const agents = await chooseAgents(choices, problems);
  if (agents === undefined) return undefined;
  const { base, settings } = placeOf(first);
  const policy = await choosePolicy(choices.ask, { base, seconds: settings.agentTimeoutSeconds });
  if (policy === undefined) return undefined;
  const capacity = await capacityFor(planOf(first, { kind: "solutions" }, policy));
  const queues = queuesOf(problems, agents, policy);
  const runs = queues.reduce((sum, { plan }) => sum + runsOf(plan), 0);
  const jobs = await chooseJobs(choices, runs, capacity);
  if (jobs === undefined) return undefined;
  return {
    queues: queues.map(({ plan, ...rest }) => ({ ...rest, plan: { ...plan, jobs } })),
    jobs,
    capacity,
  };
}

function runsOf(plan: QueuePlan): number {
  return plan.problems.length * plan.agents.length * attemptsOf(plan);
}

/** Problems whose runs lie in one folder are one queue: its file lies beside them. */
function queuesOf(
  problems: readonly Problem[],
  agents: readonly Agent[],
  policy: RunPolicy,
): SeveralRuns["queues"][number][] {
  const plans = problems.map((problem) => planOf(problem, { kind: "solutions" }, policy));
  const firsts = plans.filter((plan, index) => plans.findIndex(sharesFolder(plan)) === index);
  return firsts.map((first) => {
    const { base, settings, environment, promptTemplate, runsFolder } = first;
    const own = plans.filter(sharesFolder(first)).map(({ problem }) => problem);
    const plan: QueuePlan = {
      ...PLAN_DEFAULTS,
      problems: own.map(({ folder }) => folder),
      agents: agents.map((agent) => agentOf(agent, settings.agentCommand)),
      ...{ base, policy, environment, image: settings.dockerImage },
      ...{ runs: runsFolder, template: promptTemplate },
    };
    return { plan, problems: own };
  });
}

function sharesFolder({ runsFolder }: RunPlan): (other: RunPlan) => boolean {
  return (other) => other.runsFolder === runsFolder;
}

function noCommand(): SlopLensError {
  const hint = vscode.l10n.t("Set slopLens.agent.command first.");
  return new SlopLensError("bad-input", vscode.l10n.t("No agent command is set"), hint);
}

function agentOf(agent: Agent, command: string | undefined): QueueAgent {
  if (agent === "solutions") return { name: "reference", source: { kind: "reference" } };
  if (agent === "command") {
    if (command !== undefined) return { name: "command", source: { kind: "command", command, passEnv: [] } };
    throw noCommand();
  }
  const { definition, model, thinking } = agent;
  const name = [definition.name, model].filter((part) => part !== undefined).join(":");
  return { name, source: { kind: "named", agent: definition.name, model, thinking } };
}

async function chooseProblems({ ask, state }: RunChoices): Promise<Problem[] | undefined> {
  const items = problemItems(state);
  if (items.length > 0) {
    const step = vscode.l10n.t("Problems");
    return ask.pickMany({ id: "problems", step, placeHolder: vscode.l10n.t("Choose the problems") }, items);
  }
  await sayNoProblem();
  return undefined;
}

/** Who solves the problems; what a program needs besides is asked one after the other. */
async function chooseAgents(
  { ask, host }: RunChoices,
  problems: readonly Problem[],
): Promise<Agent[] | undefined> {
  const [first] = problems;
  if (first === undefined) return undefined;
  const { base, settings } = placeOf(first);
  const items: Choice<"solutions" | "command" | AgentDefinition>[] = [
    solutionsItem(),
    ...(await programItems(host, base)),
    {
      label: `$(terminal) ${vscode.l10n.t("Command from setting")}`,
      description: settings.agentCommand ?? vscode.l10n.t("not set yet"),
      value: "command",
    },
  ];
  const placeHolder =
    problems.length === 1
      ? vscode.l10n.t("Choose who solves {0}", first.name)
      : vscode.l10n.t("Choose who solves {0} problems; each agent takes every problem", problems.length);
  const chosen = await ask.pickMany({ id: "agents", step: vscode.l10n.t("Agents"), placeHolder }, items);
  if (chosen === undefined) return undefined;
  if (chosen.includes("command") && settings.agentCommand === undefined) {
    throw noCommand();
  }
  const agents: Agent[] = [];
  for (const one of chosen) {
    const agent = typeof one === "string" ? one : await chooseProgram(ask, one, host.keys);
    if (agent === undefined) return undefined;
    agents.push(agent);
  }
  return agents;
}

async function chooseJobs(
  { ask }: RunChoices,
  runs: number,
  capacity: Capacity,
): Promise<number | undefined> {
  const usual = Math.min(runs, defaultJobs(capacity));
  const most = Math.min(runs, defaultJobs({ ...capacity, cpus: capacity.cpus * 4 }));
  if (most === 1) return 1;
  const numbers = [
    usual,
    ...Array.from({ length: most }, (_, index) => index + 1).filter((n) => n !== usual),
  ];
  const gib = Math.round(CONTAINER_MEMORY / 1024 ** 3);
  const items = numbers.map((number): Choice<number> => ({
    label: vscode.l10n.t("{0} at once", number),
    ...(number === usual ? { description: vscode.l10n.t("one a core, {0} GiB of memory each", gib) } : {}),
    value: number,
  }));
  const placeHolder = vscode.l10n.t("{0}: how many at once?", runCount(runs));
  return ask.pick({ id: "jobs", step: vscode.l10n.t("At once"), placeHolder }, items);
}
