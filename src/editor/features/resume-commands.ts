import * as vscode from "vscode";
import type { AgentDefinition } from "../../core/agent/program/definition.js";
import { SlopLensError } from "../../core/model/errors.js";
import { DEFAULT_POLICY, withSeconds } from "../../core/model/policy.js";
import type { Problem } from "../../core/model/problem.js";
import type { ProblemRun, Run } from "../../core/model/run.js";
import { attemptLabel } from "../../core/report/run-label.js";
import { storedAgent } from "../../core/trajectory/stored-agent.js";
import { COMMANDS } from "../ids.js";
import { problemNamed } from "../library/state.js";
import { resumeLines } from "../product.js";
import { agentHost, type AgentHost } from "../run/agent-host.js";
import { askMissing } from "../run/choose-program.js";
import { chooseAgent, placeOf, planOf } from "../run/choose.js";
import { pick, type Choice } from "../run/pick.js";
import type { AgentChoice } from "../run/plan.js";
import type { Feature, Services } from "../services.js";
import { checkpointLabel, startWords } from "../words.js";
import { registerCommands } from "./commands.js";
import { checkpointOf, targetOf } from "./targets.js";

/** Resume Run, Re-run This Checkpoint, Fork From Here…. */
export const resumeCommands: Feature = (services) =>
  registerCommands(services.errors, {
    [COMMANDS.resumeRun]: async (value) => {
      const target = targetOf(value);
      const chosen = target?.kind === "run" ? target : await chooseInterrupted(services);
      if (chosen !== undefined) await resume(services, chosen.run, chosen.part, []);
    },
    [COMMANDS.rerunCheckpoint]: async (value) => {
      const { run, turn } = checkpointOf(value) ?? {};
      const part = run?.problems.find(({ problem }) => problem === turn?.problem);
      if (run === undefined || turn === undefined || part === undefined) return;
      await resume(services, run, part, [turn.checkpoint]);
    },
    [COMMANDS.forkRun]: (value) => fork(services, value),
  });

interface Part {
  readonly run: Run;
  readonly part: ProblemRun;
}

async function chooseInterrupted({ library }: Services): Promise<Part | undefined> {
  const items = library.state.runs
    .filter(({ state }) => state !== "running")
    .flatMap((run) => run.problems.map((part): Part => ({ run, part })))
    .map(({ run, part }): Choice<Part> => ({
      label: `${part.problem}: ${attemptLabel(run)}`,
      description: [run.state, startWords(run.startedAt)].join(" · "),
      value: { run, part },
    }));
  if (items.length === 0) throw new SlopLensError("bad-input", "There is no run that could be resumed");
  return (await pick(items, "Resume Run", "Choose a run to go on with"))?.value;
}

async function resume(
  services: Services,
  run: Run,
  part: ProblemRun,
  redo: readonly string[],
): Promise<void> {
  const { library, runner, files } = services;
  const problem = packOf(services, part.problem);
  const agent = await agentOfRun(services, run, problem);
  if (agent === undefined) return;
  const policy = run.policy ?? DEFAULT_POLICY;
  const plan = { ...planOf(problem, agent, policy), resume: { folder: part.folder, redo } };
  const lines = await resumeLines(files, plan);
  if (lines === undefined) {
    await vscode.window.showInformationMessage("Nothing is left to do in this run.");
    return;
  }
  const [again] = redo;
  const go = again === undefined ? "Resume" : "Re-run";
  const what = again === undefined ? go : `${go} ${checkpointLabel(again).toLowerCase()} of`;
  const question = `${what} ${attemptLabel(run)} on ${part.problem}?`;
  const chosen = await vscode.window.showInformationMessage(
    question,
    { modal: true, detail: lines.join("\n") },
    go,
  );
  if (chosen !== go) return;
  library.select(run.folder);
  void runner.start(plan);
}

async function fork(services: Services, value: unknown): Promise<void> {
  const { run, turn } = checkpointOf(value) ?? {};
  if (run === undefined || turn === undefined) return;
  const problem = packOf(services, turn.problem);
  const agent = await askAgent(services, problem);
  if (agent === undefined) return;
  const { settings } = placeOf(problem);
  const policy = {
    ...(run.policy ?? DEFAULT_POLICY),
    attempts: { kind: "single" },
    start: { kind: "snapshot", run: run.folder, turn: turn.id },
  } as const;
  const limits = withSeconds(policy.limits, settings.agentTimeoutSeconds);
  void vscode.window.setStatusBarMessage(`Fork from ${checkpointLabel(turn.checkpoint)}`, 3000);
  void services.runner.start(planOf(problem, agent, { ...policy, limits }));
}

function askAgent(services: Services, problem: Problem): Promise<AgentChoice | undefined> {
  const { base, settings } = placeOf(problem);
  const { state } = services.library;
  return chooseAgent(state, problem, settings.agentCommand, agentHost(services), base);
}

function packOf({ library }: Services, name: string): Problem {
  const problem = problemNamed(library.state, name);
  if (problem !== undefined) return problem;
  const hint = "Open the folder that holds the pack.";
  throw new SlopLensError("bad-input", `The pack of ${name} is not in this window`, hint);
}

/** The agent that a run's record names; what is not known here, or not told enough of, is asked for. */
async function agentOfRun(
  services: Services,
  { agent }: Run,
  problem: Problem,
): Promise<AgentChoice | undefined> {
  const stored = storedAgent(agent);
  if (stored?.kind === "replay") return stored.source;
  if (stored?.kind === "command") return stored;
  const host = agentHost(services);
  const definition =
    stored === undefined ? undefined : await definitionNamed(stored.name, host, placeOf(problem).base);
  if (stored === undefined || definition === undefined) return askAgent(services, problem);
  if (!(await askMissing(definition, host.keys))) return undefined;
  return { kind: "program", definition, model: stored.model, thinking: stored.thinking, keys: host.keys };
}

async function definitionNamed(
  wanted: string,
  { agentsIn }: AgentHost,
  base: string,
): Promise<AgentDefinition | undefined> {
  return (await agentsIn(base)).find(({ name }) => name === wanted);
}
