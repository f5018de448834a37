import path from "node:path";
import { blankTurn } from "../model/blank-turn.js";
import { SlopLensError } from "../model/errors.js";
import type { Checkpoint, Problem } from "../model/problem.js";
import type { Run, RunListener } from "../model/run.js";
import type { Turn } from "../model/turn.js";
import { RunFolderWriter } from "../store/run-folder-writer.js";
import { type Preparation, prepareTrajectory } from "./preparation.js";
import type { TrajectoryRequest, TrajectoryServices } from "./services.js";
import { stopReason } from "./stop.js";
import { takeTurn, type TakenTurn, type TurnContext } from "./turn.js";

/**
 * Takes the checkpoints of a problem one after the other, each from the snapshot of the one before, and leaves a run
 * folder that reads whenever it stops.
 * @returns the run, `finished` or, after an abort, `cancelled` with the turns that were finished by then
 * @throws SlopLensError what {@link prepareTrajectory} throws, before anything is made; trouble of the machinery after
 *   the run folder was closed with the turn that met it
 */
export async function runTrajectory(
  request: TrajectoryRequest,
  services: TrajectoryServices,
  listener: RunListener,
  signal: AbortSignal,
): Promise<Run> {
  const preparation = await prepareTrajectory(request, services, listener, signal);
  const startedAt = new Date();
  const recorder = await RunFolderWriter.create({
    runsFolder: request.runsFolder,
    agent: request.agent.description,
    problem: request.problem,
    environment: request.environment,
    prompt: request.prompt,
    policy: request.policy,
    isolation: services.sandbox.kind,
    checkpoints: preparation.steps.map(({ checkpoint }) => checkpoint.name),
    startedAt,
    secrets: request.agent.secrets,
  });
  const trajectory = new Trajectory(request, services, recorder, listener, startedAt, preparation);
  return trajectory.run(signal);
}

interface Ending {
  readonly state: "finished" | "cancelled";
  readonly trouble: SlopLensError | undefined;
}

/** One trajectory on its way. */
class Trajectory {
  private readonly taken: TakenTurn[] = [];
  private readonly warned = new Set<string>();
  /** Why no further turn is taken. */
  private stopped: string | undefined;

  constructor(
    private readonly request: TrajectoryRequest,
    private readonly services: TrajectoryServices,
    private readonly recorder: RunFolderWriter,
    private readonly listener: RunListener,
    private readonly startedAt: Date,
    private readonly preparation: Preparation,
  ) {}

  async run(signal: AbortSignal): Promise<Run> {
    this.listener({ type: "run-started", run: this.describe("running") });
    const { state, trouble } = await this.takeTurns(signal);
    const failure = await this.close(state, trouble);
    if (failure !== undefined) throw failure;
    return this.describe(state);
  }

  private async takeTurns(signal: AbortSignal): Promise<Ending> {
    try {
      await this.takeEach(signal);
      return { state: "finished", trouble: this.taken.at(-1)?.trouble };
    } catch (error) {
      const trouble = SlopLensError.from(error);
      if (trouble.code === "cancelled") return { state: "cancelled", trouble: undefined };
      return { state: "finished", trouble };
    }
  }

  private async takeEach(signal: AbortSignal): Promise<void> {
    const context: TurnContext = {
      request: this.request,
      services: this.services,
      recorder: this.recorder,
      listener: this.listener,
      signal,
      warn: this.warn,
      agentImage: this.preparation.agentImage,
    };
    for (const step of this.preparation.steps) {
      await this.services.mayGoOn?.(signal);
      if (signal.aborted) throw new SlopLensError("cancelled", "Cancelled");
      const taken = await takeTurn(context, step, this.taken.at(-1));
      this.taken.push(taken);
      this.stopped = stopReason(this.request, taken);
      if (this.stopped !== undefined) break;
    }
  }

  private readonly warn = (message: string): void => {
    if (this.warned.has(message)) return;
    this.warned.add(message);
    this.listener({ type: "log", level: "warn", message });
  };

  /** Closes the run folder and tells the end; gives back the first trouble, that of closing included. */
  private async close(
    state: Ending["state"],
    trouble: SlopLensError | undefined,
  ): Promise<SlopLensError | undefined> {
    const run = this.describe(state);
    let first = trouble;
    try {
      await this.recorder.close(run, first?.message ?? this.stopped);
    } catch (error) {
      first ??= SlopLensError.from(error);
    }
    this.listener({ type: "run-finished", run });
    return first;
  }

  private describe(state: Run["state"]): Run {
    const { agent, environment, prompt, problem } = this.request;
    return {
      folder: this.recorder.folder,
      agent: agent.description,
      prompt: prompt.name,
      environment: environment.name,
      isolation: this.services.sandbox.kind,
      startedAt: this.startedAt.toISOString(),
      state,
      problems: [
        {
          problem: problem.name,
          folder: path.join(this.recorder.folder, problem.name),
          turns: problem.checkpoints.map((checkpoint) => this.turnOf(problem, checkpoint)),
        },
      ],
      faults: [],
    };
  }

  private turnOf(problem: Problem, checkpoint: Checkpoint): Turn {
    const taken = this.taken.find(({ turn }) => turn.checkpoint === checkpoint.name);
    if (taken !== undefined) return taken.turn;
    const isChosen = this.preparation.steps.some((step) => step.checkpoint === checkpoint);
    const folder = path.join(this.recorder.folder, problem.name, checkpoint.name);
    return {
      ...blankTurn(problem.name, checkpoint, this.request.agent.origin, folder),
      verdict: isChosen ? "not-reached" : "skipped",
      reason: isChosen ? this.stopped : undefined,
    };
  }
}
