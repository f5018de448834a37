import path from "node:path";
import type { Agent } from "../../core/agent/agent.js";
import { SlopLensError } from "../../core/model/errors.js";
import type { AttemptOf } from "../../core/model/policy.js";
import type { Problem } from "../../core/model/problem.js";
import type { Run } from "../../core/model/run.js";
import { readTemplate, WORKSPACE_TEMPLATES } from "../../core/prompt/prompt.js";
import { noteWords, reasonsWords } from "../../core/report/plan-words.js";
import { missingWords, resumeTable } from "../../core/report/resume-table.js";
import { runHeading } from "../../core/report/trajectory-table.js";
import { renderTable } from "../../core/report/text-table.js";
import { Redactor } from "../../core/store/redact.js";
import { findRuns } from "../../core/store/find-runs.js";
import { readSetting, type StoredSetting } from "../../core/store/stored-setting.js";
import { attemptsLeft } from "../../core/queue/queue-file.js";
import { resumeAttempts } from "../../core/trajectory/attempts.js";
import { resumePlan, type ResumeRequest } from "../../core/trajectory/resume.js";
import type { ResumePlan } from "../../core/trajectory/resume-plan.js";
import { storedAgent } from "../../core/trajectory/stored-agent.js";
import { type AgentOptions, chosenAgent } from "../agent-choice.js";
import { EXIT } from "../exit.js";
import { type CliIo, printJson, printLine, warn } from "../io.js";
import type { Installation } from "../installation.js";
import { choosePlace, type Place, type PlaceOptions } from "../place.js";
import { findProblem } from "../packs.js";
import { trajectoryServices } from "../sandboxes.js";
import { nearPath } from "../started-as.js";
import { endOfRuns, makeListener, templatePath, type RunOptions } from "./run.js";

type OfRun = "profile" | "json" | "verbose" | "debug";

export interface ResumeOptions extends PlaceOptions, Omit<AgentOptions, "agent">, Pick<RunOptions, OfRun> {
  /** Undefined for the run's own. */
  readonly agent: string | undefined;
  readonly template: string | undefined;
  readonly problem: string | undefined;
  readonly agentErrors: "retry" | "keep";
  readonly redo: readonly string[] | undefined;
  readonly dryRun: boolean;
  readonly yes: boolean;
}

/** `slop-lens resume`: shows what going on with a run would do, asks, and does it. */
export async function resumeCommand(
  runFolder: string,
  options: ResumeOptions,
  io: CliIo,
  installation: Installation,
): Promise<number> {
  const setting = await settingIn(path.resolve(io.cwd, runFolder), io.cwd);
  const environment = options.environment ?? setting.environmentFile;
  const place = await choosePlace({ environment, image: options.image }, io, installation);
  const request: ResumeRequest = {
    setting,
    problem: await problemOf(setting, options, io.cwd),
    agent: await agentOf(setting, options, io, installation),
    environment: place.environment,
    prompt: await templateOf(options, io, installation),
    analysis: { ...installation.analysis, profile: options.profile },
    wishes: { agentErrors: options.agentErrors, redo: options.redo ?? [] },
  };
  refuseUnknown(request);
  const rest = await restOf(request);
  printPlan(setting, rest, options, io);
  if (options.dryRun) return EXIT.ok;
  if (rest.isEmpty) {
    warn(io, "nothing is left to do");
    return EXIT.ok;
  }
  if (!options.yes && !(await isConfirmed(io))) return EXIT.ok;
  return carryOut(request, place, options, io, installation);
}

const NEAR = { depth: 2, folders: 500 };

/** @throws SlopLensError as {@link readSetting}, with the runs that a folder of runs holds */
async function settingIn(folder: string, cwd: string): Promise<StoredSetting> {
  try {
    return await readSetting(folder);
  } catch (error) {
    if (!SlopLensError.is(error, "run-folder")) throw error;
    const { runs } = await findRuns(folder, NEAR);
    const held = runs.filter((run) => run !== folder).map((run) => nearPath(run, cwd));
    if (held.length === 0) throw error;
    const more = held.length > 5 ? ` and ${held.length - 5} more` : "";
    throw new SlopLensError(
      "run-folder",
      `${nearPath(folder, cwd)} holds runs and is none itself`,
      `Name one: ${held.slice(-5).join(", ")}${more}.`,
    );
  }
}

/** @throws SlopLensError as {@link findProblem}; of a pack that was moved with what to give */
async function problemOf(
  { packFolder, part }: StoredSetting,
  { problem }: ResumeOptions,
  cwd: string,
): Promise<Problem> {
  const known = problem ?? packFolder;
  if (known !== undefined) return findProblem(known, cwd);
  return findProblem(part.problem, cwd).catch((error: unknown) => {
    if (!SlopLensError.is(error, "bad-input")) throw error;
    const message = `The pack of ${part.problem} is not where it was when this run was made`;
    throw new SlopLensError("bad-input", message, "Give its folder with --problem.", { cause: error });
  });
}

/** What is left to do of a run, and of the attempts that it is one of. */
interface Rest {
  readonly plan: ResumePlan;
  readonly missing: readonly AttemptOf[];
  readonly isEmpty: boolean;
}

async function restOf(request: ResumeRequest): Promise<Rest> {
  const { setting } = request;
  const plan = await resumePlan(request);
  const missing = await attemptsLeft(setting);
  return { plan, missing, isEmpty: plan.isEmpty && setting.run.state === "finished" && missing.length === 0 };
}

async function carryOut(
  request: ResumeRequest,
  { sandbox }: Place,
  options: ResumeOptions,
  io: CliIo,
  installation: Installation,
): Promise<number> {
  await using analyzer = installation.createAnalyzer();
  const redactor = new Redactor(request.agent.secrets);
  const masked: CliIo = {
    ...io,
    out: (text) => {
      io.out(redactor.text(text));
    },
  };
  const services = trajectoryServices(installation, sandbox, analyzer);
  const runs = await resumeAttempts(
    request,
    attemptsLeft,
    services,
    makeListener(options, masked),
    io.signal,
  );
  return await endOfRuns(runs, options, masked);
}

/** The run's own agent, with what is given of its options, or the one that is given; of another tool's run it has to be given. */
function agentOf(
  { run }: StoredSetting,
  options: ResumeOptions,
  io: CliIo,
  installation: Installation,
): Promise<Agent> {
  const part: Partial<AgentOptions> & Pick<AgentOptions, "agent"> =
    options.agent === undefined ? ownAgent(run) : { agent: options.agent };
  const chosen = {
    ...{ ...options, agent: part.agent },
    model: options.model ?? run.agent.model,
    thinking: options.thinking ?? part.thinking,
    command: options.command ?? part.command,
    replay: options.replay ?? part.replay,
  };
  return chosenAgent(chosen, io, installation);
}

/** @throws SlopLensError bad-input when the run does not tell enough of it */
function ownAgent(run: Run): Pick<AgentOptions, "agent"> & Partial<AgentOptions> {
  const stored = storedAgent(run.agent);
  if (stored?.kind === "command") return { agent: "command", command: stored.command };
  if (stored?.kind === "replay") {
    return { agent: "replay", replay: stored.source.kind === "folder" ? stored.source.folder : undefined };
  }
  if (stored?.kind === "named") return { agent: stored.name, thinking: stored.thinking };
  throw new SlopLensError(
    "bad-input",
    `The run does not tell enough of its agent ${run.agent.type} to ask it again`,
    "Give it anew with --agent and its options.",
  );
}

async function templateOf(
  { template }: ResumeOptions,
  io: CliIo,
  installation: Installation,
): Promise<ResumeRequest["prompt"]> {
  if (template === undefined) return undefined;
  return readTemplate(
    templatePath(template, io.cwd),
    path.join(io.cwd, WORKSPACE_TEMPLATES),
    installation.files.templates,
  );
}

function refuseUnknown({ problem, wishes }: ResumeRequest): void {
  const unknown = wishes.redo.filter((name) => problem.checkpoints.every((one) => one.name !== name));
  if (unknown.length === 0) return;
  const names = problem.checkpoints.map(({ name }) => name).join(", ");
  throw new SlopLensError("bad-input", `${problem.name} has no ${unknown.join(", ")}`, `It has ${names}.`);
}

function printPlan(
  { run, part }: StoredSetting,
  { plan, missing }: Rest,
  options: ResumeOptions,
  io: CliIo,
): void {
  if (options.json) {
    for (const { checkpoint, action, why } of plan.checkpoints)
      printJson(io, { checkpoint, action, why: reasonsWords(why) });
    for (const note of plan.notes) printJson(io, { note: noteWords(note) });
    for (const { index: attempt } of missing) printJson(io, { attempt, action: "take", why: "never began" });
    return;
  }
  printLine(io, `${runHeading(run, part)} · ${run.state}`);
  printLine(io);
  for (const line of renderTable(resumeTable(plan))) printLine(io, line);
  printLine(io);
  for (const note of plan.notes) printLine(io, `${noteWords(note)}\n`);
  const others = missingWords(missing);
  if (others !== undefined) printLine(io, `${others}\n`);
}

async function isConfirmed(io: CliIo): Promise<boolean> {
  if (io.ask === undefined) {
    throw new SlopLensError("bad-input", "Nobody is there to say yes to this plan", "Give --yes to go on.");
  }
  return io.ask("Go on? What is redone is moved aside, not deleted. [y/N] ");
}
