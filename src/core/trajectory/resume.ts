import path from "node:path";
import type { Agent } from "../agent/agent.js";
import type { AnalysisOptions } from "../analysis/analysis.js";
import type { Environment } from "../model/environment.js";
import { SlopLensError } from "../model/errors.js";
import type { Checkpoint, Problem } from "../model/problem.js";
import type { Run, RunListener } from "../model/run.js";
import type { Turn } from "../model/turn.js";
import type { PromptTemplate } from "../prompt/prompt.js";
import { Candidates } from "../store/candidates.js";
import { RunFolderWriter } from "../store/run-folder-writer.js";
import type { StoredSetting } from "../store/stored-setting.js";
import { continueTrajectory, folderStart, type EarlierTurns } from "./loop.js";
import { prepareTrajectory, renderSteps } from "./preparation.js";
import { planResume, type ResumePlan, type ResumeWishes } from "./resume-plan.js";
import { chooseCheckpoints } from "./selection.js";
import type { TrajectoryRequest, TrajectoryServices } from "./services.js";

/** A run that is gone on with: what its folder tells, and what the host puts beside it. */
export interface ResumeRequest {
  readonly setting: StoredSetting;
  readonly problem: Problem;
  readonly agent: Agent;
  readonly environment: Environment;
  /** Undefined for the run's own. */
  readonly prompt: PromptTemplate | undefined;
  readonly analysis: AnalysisOptions;
  readonly wishes: ResumeWishes;
}

/**
 * What resuming would do, for each checkpoint. Nothing is written and nothing is started.
 * @throws SlopLensError bad-input, pack-invalid, agent-invalid
 */
export async function resumePlan(resume: ResumeRequest): Promise<ResumePlan> {
  const request = requestOf(resume);
  const steps = await renderSteps(request, chooseCheckpoints(request));
  return planResume({
    setting: resume.setting,
    pack: resume.problem.name,
    request,
    steps,
    wishes: resume.wishes,
  });
}

/**
 * Goes on with a run in its own folder: keeps what is finished, moves aside what is not, takes the rest.
 * @returns the run; as it was when there was nothing to do
 * @throws SlopLensError as `runTrajectory`, and run-folder while another process works on the run
 */
export async function resumeTrajectory(
  resume: ResumeRequest,
  services: TrajectoryServices,
  listener: RunListener,
  signal: AbortSignal,
): Promise<Run> {
  const { setting, wishes } = resume;
  const request = requestOf(resume);
  const steps = await renderSteps(request, chooseCheckpoints(request));
  const plan = await planResume({ setting, pack: resume.problem.name, request, steps, wishes });
  const kept = keptTurns(plan);
  const isKept = ({ name }: Checkpoint): boolean => kept.has(name);
  const preparation = await prepareTrajectory(request, services, listener, signal, isKept);
  const { startedAt, run } = setting;
  if (plan.isEmpty && run.state === "finished") return run;
  const start = folderStart(request, services, preparation, startedAt);
  const tried = triedOf(plan, request);
  const earlier = await earlierTurns(plan, request, setting);
  const stays = new Map([...earlier.turns].map(([name, { turn }]): [string, Turn] => [name, turn]));
  const left = { folder: run.folder, mark: setting.mark, kept: stays, tried };
  const recorder = await RunFolderWriter.resume(left, start, signal);
  const rest = { recorder, startedAt, preparation, earlier };
  return continueTrajectory(request, services, rest, listener, signal);
}

function keptTurns({ checkpoints }: ResumePlan): ReadonlySet<string> {
  return new Set(checkpoints.filter(({ action }) => action === "keep").map(({ checkpoint }) => checkpoint));
}

/**
 * What a run was asked for, as its folder tells.
 * @throws SlopLensError bad-input without a prompt template
 */
export function requestOf(resume: ResumeRequest): TrajectoryRequest {
  const { setting, agent, environment, analysis } = resume;
  // Folders and ids have the name that the pack had; under another the run would fall in two.
  const problem = { ...resume.problem, name: setting.part.problem };
  const prompt = resume.prompt ?? setting.prompt;
  if (prompt === undefined) {
    throw new SlopLensError(
      "bad-input",
      `${setting.run.folder} does not tell with which prompt template it was made`,
      "Name the template.",
    );
  }
  const { policy, attempt } = setting;
  const checkpoints = setting.checkpoints?.filter((name) =>
    problem.checkpoints.some((one) => one.name === name),
  );
  const runsFolder = path.dirname(setting.run.folder);
  const agentName = setting.run.agent.name;
  return {
    ...{ problem, agent, agentName, environment, prompt },
    ...{ runsFolder, policy, attempt, analysis, checkpoints },
  };
}

/** Checkpoints of which some tries are there, and all are not. */
function triedOf({ checkpoints }: ResumePlan, { policy }: TrajectoryRequest): ReadonlySet<string> {
  if (policy.attempts.kind !== "roundwise") return new Set();
  return new Set(checkpoints.filter(({ action }) => action === "take").map(({ checkpoint }) => checkpoint));
}

async function earlierTurns(
  plan: ResumePlan,
  request: TrajectoryRequest,
  setting: StoredSetting,
): Promise<EarlierTurns> {
  const turns = new Map<string, { turn: Turn; evaluate: boolean }>();
  for (const { checkpoint, action, turn } of plan.checkpoints) {
    if (turn === undefined || (action !== "keep" && action !== "evaluate")) continue;
    turns.set(checkpoint, { turn, evaluate: action === "evaluate" });
  }
  return { turns, spentUsd: await spentOnTries(request, setting) };
}

/** What finished tries of roundwise attempts cost; turns of other runs are counted when they are passed. */
async function spentOnTries({ policy, problem }: TrajectoryRequest, { run }: StoredSetting): Promise<number> {
  if (policy.attempts.kind !== "roundwise") return 0;
  const candidates = new Candidates(run.folder, problem.name);
  const tries = await Promise.all(problem.checkpoints.map(({ name }) => candidates.read(name)));
  return tries.flat().reduce((sum, { usage }) => sum + (usage.costUsd ?? 0), 0);
}
