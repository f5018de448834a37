/** Loaded when the first run starts: the loop, the sandboxes, and all that they need. A bundle of its own. */
import "./shared-texts.js";
import path from "node:path";
import process from "node:process";
import { l10n } from "vscode";
import type { Agent } from "../core/agent/agent.js";
import { makeAgent } from "../core/agent/agent-source.js";
import { programAgent } from "../core/agent/program/program-agent.js";
import { commandAgent } from "../core/agent/command.js";
import { replayAgent } from "../core/agent/replay.js";
import { modelAgent } from "../core/agent/tool-loop/model-agent.js";
import { SHIPPED_RULES, type AnalysisOptions, type Analyzer } from "../core/analysis/analysis.js";
import { evaluate } from "../core/evaluation/evaluate.js";
import type { Evaluation, EvaluationListener } from "../core/evaluation/evaluation.js";
import type { Environment } from "../core/model/environment.js";
import { SlopLensError } from "../core/model/errors.js";
import type { ProductFiles } from "../core/model/files.js";
import type { Checkpoint } from "../core/model/problem.js";
import type { Run, RunListener } from "../core/model/run.js";
import { readEnvironment } from "../core/problem/environment-file.js";
import { readTemplate, WORKSPACE_TEMPLATES, type PromptTemplate } from "../core/prompt/prompt.js";
import { DockerSandbox } from "../core/sandbox/docker/docker-sandbox.js";
import { LocalSandbox } from "../core/sandbox/local/local-sandbox.js";
import type { Sandbox } from "../core/sandbox/sandbox.js";
import { machineCapacity, type Capacity } from "../core/queue/capacity.js";
import { attemptsLeft } from "../core/queue/queue-file.js";
import { takePlanned } from "../core/queue/take-planned.js";
import type { TrajectoryServices } from "../core/trajectory/services.js";
import { phaseWords } from "../core/report/phase-words.js";
import { noteWords } from "../core/report/plan-words.js";
import { actionWords, missingWords } from "../core/report/resume-table.js";
import { readSetting } from "../core/store/stored-setting.js";
import { resumeAttempts, takeAttempts } from "../core/trajectory/attempts.js";
import { resumePlan, type ResumeRequest } from "../core/trajectory/resume.js";
import type { RunPlan, RunToResume } from "./run/plan.js";
import { checkpointLabel, checkpointWords } from "./words.js";

export { newQueue, resumedQueue } from "../core/queue/queue-start.js";
export { cancelUnfinished } from "../core/queue/queue-file.js";

type Place = Pick<RunPlan, "environment" | "settings">;

/**
 * Runs a plan with the core's loop.
 * @throws SlopLensError whatever the loop, the environment and the sandbox tell
 */
export async function runPlan(
  plan: RunPlan,
  files: ProductFiles,
  analyzer: Analyzer,
  listener: RunListener,
  signal: AbortSignal,
  mayGoOn?: TrajectoryServices["mayGoOn"],
): Promise<Run[]> {
  const environment = await environmentOf(plan, files);
  const sandbox = await openSandbox(plan, environment, files, listener, signal);
  const services: TrajectoryServices = {
    sandbox,
    analyzer,
    evaluate: (request, hears, abort) => evaluate(request, hears, files, abort),
    mayGoOn,
  };
  if (plan.resume !== undefined) {
    const resume = await resumeRequest(plan, plan.resume, environment, files);
    return resumeAttempts(resume, attemptsLeft, services, listener, signal);
  }
  const prompt = await templateOf(plan, files);
  if (plan.queued !== undefined) {
    const { item, plan: queue, queue: name, before } = plan.queued;
    const agents = new Map([[item.agent, await agentOf(plan, files)]]);
    const means = { plan: queue, environment, prompt, services, analysis: analysisOf(plan), agents };
    const taking = { before, signal, mayGoOn: mayGoOn ?? (() => Promise.resolve()) };
    return [await takePlanned(item, taking, means, name, listener)];
  }
  return takeAttempts(
    {
      problem: plan.problem,
      agent: await agentOf(plan, files),
      environment,
      prompt,
      runsFolder: plan.runsFolder,
      policy: plan.policy,
      analysis: analysisOf(plan),
      checkpoints: undefined,
    },
    services,
    listener,
    signal,
  );
}

/**
 * What going on with a run would do, in words: a line a checkpoint and what becomes of the old. Nothing is started.
 * @returns undefined when nothing is left to do
 */
export async function resumeLines(plan: RunPlan, files: ProductFiles): Promise<string[] | undefined> {
  if (plan.resume === undefined) return undefined;
  const environment = await environmentOf(plan, files);
  const request = await resumeRequest(plan, plan.resume, environment, files);
  const { checkpoints, notes, isEmpty } = await resumePlan(request);
  const others = missingWords(await attemptsLeft(request.setting));
  if (isEmpty && others === undefined && request.setting.run.state === "finished") return undefined;
  const lines = checkpoints.map((planned) =>
    l10n.t("{0}: {1}", checkpointLabel(planned.checkpoint), actionWords(planned, checkpointWords)),
  );
  const told = notes.map((note) => noteWords(note, checkpointWords));
  const all = [...lines, ...told, ...(others === undefined ? [] : [others])];
  return [...all, "", l10n.t("What is redone is moved aside, not deleted.")];
}

async function resumeRequest(
  plan: RunPlan,
  { folder, redo }: RunToResume,
  environment: Environment,
  files: ProductFiles,
): Promise<ResumeRequest> {
  const setting = await readSetting(folder);
  const { environmentFile } = setting;
  const own = environmentFile === undefined ? environment : await readEnvironment(environmentFile);
  return {
    setting,
    problem: plan.problem,
    agent: await agentOf(plan, files),
    // Where a run that is on this machine began in Docker, the user chose to leave it.
    environment: own.type === environment.type ? own : environment,
    prompt: setting.prompt ?? (await templateOf(plan, files)),
    analysis: analysisOf(plan),
    wishes: { agentErrors: "retry", redo },
  };
}

function templateOf({ promptTemplate, base }: RunPlan, files: ProductFiles): Promise<PromptTemplate> {
  return readTemplate(promptTemplate, path.join(base, WORKSPACE_TEMPLATES), files.templates);
}

function analysisOf({ settings: { profile } }: RunPlan): AnalysisOptions {
  return { profile, rules: SHIPPED_RULES };
}

/** What the place of a plan has; this machine where no engine answers, which the run itself will tell. */
export async function capacityOf(plan: Place, files: ProductFiles, signal: AbortSignal): Promise<Capacity> {
  const environment = await environmentOf(plan, files);
  if (environment.type === "local") return machineCapacity();
  const sandbox = new DockerSandbox({ harness: files.harness, host: plan.settings.dockerHost });
  return sandbox.describeEngine(signal).catch(machineCapacity);
}

/** A snapshot whose hidden tests are run again. */
export interface AgainRequest extends Pick<RunPlan, "problem" | "environment" | "settings"> {
  readonly checkpoint: Checkpoint;
  /** Absolute path; never written. */
  readonly snapshot: string;
}

/**
 * Runs a checkpoint's hidden tests on a snapshot, outside of any run.
 * @param tell hears in words how far it is
 * @throws SlopLensError what the environment, the sandbox and the evaluation tell
 */
export async function evaluateAgain(
  request: AgainRequest,
  files: ProductFiles,
  tell: (message: string) => void,
  signal: AbortSignal,
): Promise<Evaluation> {
  const { problem, checkpoint, snapshot } = request;
  const environment = await environmentOf(request, files);
  tell(phaseWords("preparing"));
  const sandbox = await openSandbox(request, environment, files, () => undefined, signal);
  let [done, all] = [0, 0];
  const listener: EvaluationListener = {
    onPreparing: tell,
    onCollected: (tests) => {
      all = tests.length;
    },
    onStarted: () => undefined,
    onFinished: () => {
      done += 1;
      tell(l10n.t("running hidden tests, {0} of {1}", done, all));
    },
  };
  const owner = { run: snapshot, turn: `${problem.name}/${checkpoint.name}` };
  return evaluate({ problem, checkpoint, environment, sandbox, snapshot, owner }, listener, files, signal);
}

async function environmentOf({ environment, settings }: Place, files: ProductFiles): Promise<Environment> {
  const isPath = path.isAbsolute(environment);
  const read = await readEnvironment(
    isPath ? environment : path.join(files.environments, `${environment}.yaml`),
  );
  const image = settings.dockerImage;
  if (image === undefined || read.docker === undefined || isPath) return read;
  return { ...read, docker: { ...read.docker, image } };
}

async function openSandbox(
  { settings }: Place,
  environment: Environment,
  files: ProductFiles,
  listener: RunListener,
  signal: AbortSignal,
): Promise<Sandbox> {
  const { harness } = files;
  if (environment.type === "local") return new LocalSandbox({ harness, python: settings.pythonPath });
  const sandbox = new DockerSandbox({ harness, host: settings.dockerHost });
  const engine = await sandbox.describeEngine(signal);
  const removed = await sandbox.removeOrphans(signal);
  const left = removed === 0 ? "" : `; containers left over and removed: ${removed}`;
  listener({ type: "log", level: "debug", message: `Docker ${engine.version} at ${engine.host}${left}` });
  return sandbox;
}

async function agentOf(
  { agent, base }: Pick<RunPlan, "agent" | "base">,
  files: ProductFiles,
): Promise<Agent> {
  switch (agent.kind) {
    case "solutions":
      return replayAgent({ kind: "solutions" });
    case "folder":
      return replayAgent({ kind: "folder", folder: agent.folder });
    case "model":
      return modelAgent(agent.model, { harness: files.harness });
    case "program": {
      const { model, thinking, keys: secrets } = agent;
      return await programAgent(agent.definition, { model, thinking, secrets, hostEnv: process.env });
    }
    case "source":
      return makeAgent(agent.source, {
        ...{ hostEnv: process.env, secrets: agent.keys, harness: files.harness },
        folders: [files.agents, path.join(base, ".slop-lens", "agents")],
      });
    case "command":
      if (agent.command.trim() === "")
        throw new SlopLensError("agent-invalid", l10n.t("The agent's command is empty"));
      return commandAgent(agent.command, { passEnv: [], hostEnv: {} });
  }
}
