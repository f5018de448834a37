import * as vscode from "vscode";
import { SlopLensError } from "../../core/model/errors.js";
import type { Problem } from "../../core/model/problem.js";
import { CONTAINER_MEMORY, defaultJobs, type Capacity } from "../../core/queue/capacity.js";
import type { LibraryState } from "../library/state.js";
import { plural } from "../words.js";
import { placeOf, planOf } from "./choose.js";
import { choosePolicy } from "./choose-policy.js";
import { pick, type Choice } from "./pick.js";
import type { AgentChoice, RunPlan } from "./plan.js";

/** Runs that were chosen together. */
export interface SeveralRuns {
  readonly plans: readonly SeveralPlan[];
  /** How many at once at most. */
  readonly jobs: number;
  readonly capacity: Capacity;
}

export interface SeveralPlan {
  readonly plan: RunPlan;
  /** How the agent is called in the queue. */
  readonly agent: string;
}

interface Agent {
  readonly name: string;
  /** Undefined where the problem cannot be taken by it. */
  readonly choice: (problem: Problem) => AgentChoice | undefined;
}

const TITLE = "Run Several";

/**
 * Asks for problems, agents and how many run at once.
 * @param asked problems that the user chose already
 * @returns undefined when the user left
 * @throws SlopLensError untrusted, bad-input
 */
export async function chooseSeveral(
  state: LibraryState,
  asked: readonly Problem[],
  { capacityFor }: { readonly capacityFor: (plan: RunPlan) => Promise<Capacity> },
): Promise<SeveralRuns | undefined> {
  if (!vscode.workspace.isTrusted) {
    throw new SlopLensError("untrusted", "In Restricted Mode nothing is run", "Trust this folder first.");
  }
  const problems = asked.length > 0 ? asked : await chooseProblems(state);
  const plans = await choosePlans(problems ?? []);
  const [first] = plans ?? [];
  if (plans === undefined || first === undefined) return undefined;
  const capacity = await capacityFor(first.plan);
  const jobs = await chooseJobs(plans.length, capacity);
  return jobs === undefined ? undefined : { plans, jobs, capacity };
}

/** Every problem by every agent that is chosen; undefined when the user left. */
async function choosePlans(problems: readonly Problem[]): Promise<SeveralPlan[] | undefined> {
  const [first] = problems;
  if (first === undefined) return undefined;
  const agents = await chooseAgents(problems);
  if (agents === undefined || agents.length === 0) return undefined;
  const { base, settings } = placeOf(first);
  const policy = await choosePolicy(base, settings.agentTimeoutSeconds);
  if (policy === undefined) return undefined;
  const plans = problems.flatMap((problem) =>
    agents.flatMap(({ name, choice }): SeveralPlan[] => {
      const agent = choice(problem);
      return agent === undefined ? [] : [{ plan: planOf(problem, agent, policy), agent: name }];
    }),
  );
  if (plans.length > 0) return plans;
  throw new SlopLensError("bad-input", "No agent command is set", "Set slopLens.agent.command first.");
}

async function chooseProblems(state: LibraryState): Promise<Problem[] | undefined> {
  const items = state.packs.flatMap(({ problem }): Choice<Problem>[] =>
    problem === undefined
      ? []
      : [
          {
            label: `$(package) ${problem.name}`,
            description: plural(problem.checkpoints.length, "checkpoint"),
            value: problem,
          },
        ],
  );
  if (items.length === 0) {
    throw new SlopLensError(
      "bad-input",
      "There is no problem to run in this window",
      "Open a folder with packs.",
    );
  }
  return pickMany(items, `${TITLE}: Problems`, "Choose the problems");
}

function chooseAgents(problems: readonly Problem[]): Promise<Agent[] | undefined> {
  const command = (problem: Problem): string | undefined => placeOf(problem).settings.agentCommand;
  const [first] = problems;
  const set = first === undefined ? undefined : command(first);
  const items: Choice<Agent>[] = [
    {
      label: "$(verified) Replay reference solution",
      description: "the solutions of each pack",
      value: { name: "reference", choice: () => ({ kind: "solutions" }) },
    },
    {
      label: "$(terminal) Command from setting",
      description: set ?? "not set yet",
      value: {
        name: "command",
        choice: (problem) => {
          const own = command(problem);
          return own === undefined ? undefined : { kind: "command", command: own };
        },
      },
    },
  ];
  const who = plural(problems.length, "problem");
  return pickMany(items, `${TITLE}: Agents`, `Choose who solves ${who}; each agent takes every problem`);
}

async function chooseJobs(runs: number, capacity: Capacity): Promise<number | undefined> {
  const usual = Math.min(runs, defaultJobs(capacity));
  const most = Math.min(runs, defaultJobs({ ...capacity, cpus: capacity.cpus * 4 }));
  if (most === 1) return 1;
  const numbers = [
    usual,
    ...Array.from({ length: most }, (_, index) => index + 1).filter((n) => n !== usual),
  ];
  const gib = Math.round(CONTAINER_MEMORY / 1024 ** 3);
  const items = numbers.map((number): Choice<number> => ({
    label: `${number} at once`,
    ...(number === usual ? { description: `one a core, ${gib} GiB of memory each` } : {}),
    value: number,
  }));
  const placeHolder = `${plural(runs, "run")}: how many at once?`;
  return (await pick(items, `${TITLE}: At Once`, placeHolder))?.value;
}

async function pickMany<T>(
  items: readonly Choice<T>[],
  title: string,
  placeHolder: string,
): Promise<T[] | undefined> {
  const options = { title, placeHolder, canPickMany: true, ignoreFocusOut: true } as const;
  const chosen = await vscode.window.showQuickPick(items, options);
  return chosen?.map(({ value }) => value);
}
