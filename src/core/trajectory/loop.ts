import { stat } from "node:fs/promises";
import path from "node:path";
import { blankTurn } from "../model/blank-turn.js";
import { SlopLensError } from "../model/errors.js";
import { isInterruption } from "../model/interruption.js";
import type { Checkpoint, Problem } from "../model/problem.js";
import type { Run, RunListener } from "../model/run.js";
import type { Turn } from "../model/turn.js";
import { hashOf } from "../problem/hash-of.js";
import { throwIfAborted } from "../sandbox/deadline.js";
import { RunFolderWriter, type RunFolderStart } from "../store/run-folder-writer.js";
import { FROM_NOTHING, fromReference, fromSnapshot, fromTurn, type Beginning } from "./beginning.js";
import { type Preparation, prepareTrajectory, type Step } from "./preparation.js";
import { Rounds } from "./round.js";
import type { TrajectoryRequest, TrajectoryServices } from "./services.js";
import { costReason, stopReason } from "./stop.js";
import { evaluateTurn, takenBefore, takeTurn, type TakenTurn, type TurnContext } from "./turn.js";

/**
 * Takes the checkpoints of a problem one after the other, as the policy says, and leaves a run folder that reads
 * whenever it stops. Of independent attempts this is one; {@link takeAttempts} takes all.
 * @returns the run, `finished` or, after an abort, `cancelled` or `interrupted` with the turns that were finished by then
 * @throws SlopLensError what {@link prepareTrajectory} throws, before anything is made; trouble of the machinery after
 *   the run folder was closed with the turn that met it; run-folder when that folder was deleted meanwhile
 */
export async function runTrajectory(
  request: TrajectoryRequest,
  services: TrajectoryServices,
  listener: RunListener,
  signal: AbortSignal,
): Promise<Run> {
  const preparation = await prepareTrajectory(request, services, listener, signal);
  const startedAt = new Date();
  const start = folderStart(request, services, preparation, startedAt);
  const recorder = await RunFolderWriter.create(start);
  const trajectory = new Trajectory(request, services, recorder, listener, startedAt, preparation, NOTHING);
  return trajectory.run(signal);
}

/** What a run folder holds already of a trajectory that is gone on with. */
export interface EarlierTurns {
  /** By checkpoint; `evaluate`: its snapshot is kept, its hidden tests are run again. */
  readonly turns: ReadonlyMap<string, { readonly turn: Turn; readonly evaluate: boolean }>;
  /** Cost of turns that are not among them, in US dollars. */
  readonly spentUsd: number;
}

const NOTHING: EarlierTurns = { turns: new Map(), spentUsd: 0 };

/**
 * Goes on with a trajectory in its own folder, which `recorder` has claimed.
 * @param startedAt when it first began
 * @throws SlopLensError as {@link runTrajectory}
 */
export async function continueTrajectory(
  request: TrajectoryRequest,
  services: TrajectoryServices,
  rest: {
    readonly recorder: RunFolderWriter;
    readonly startedAt: Date;
    readonly preparation: Preparation;
    readonly earlier: EarlierTurns;
  },
  listener: RunListener,
  signal: AbortSignal,
): Promise<Run> {
  const { recorder, startedAt, preparation, earlier } = rest;
  const trajectory = new Trajectory(
    ...([request, services, recorder, listener, startedAt, preparation, earlier] as const),
  );
  return trajectory.run(signal);
}

/** What the run folder of a request begins with. */
export function folderStart(
  request: TrajectoryRequest,
  services: Pick<TrajectoryServices, "sandbox">,
  preparation: Preparation,
  startedAt: Date,
): RunFolderStart {
  return {
    runsFolder: request.runsFolder,
    agent: calledAgent(request),
    problem: request.problem,
    environment: request.environment,
    prompt: request.prompt,
    policy: request.policy,
    attempt: request.attempt,
    isolation: services.sandbox.kind,
    checkpoints: preparation.steps.map(({ checkpoint }) => checkpoint.name),
    startedAt,
    secrets: request.agent.secrets,
  };
}

function calledAgent({ agent, agentName }: Pick<TrajectoryRequest, "agent" | "agentName">): Run["agent"] {
  return agentName === undefined ? agent.description : { ...agent.description, name: agentName };
}

interface Ending {
  readonly state: Exclude<Run["state"], "running">;
  readonly trouble: SlopLensError | undefined;
}

/** One trajectory on its way. */
class Trajectory {
  /** By checkpoint, in the order in which they were taken; of a round the chosen try. */
  private readonly taken = new Map<string, TakenTurn>();
  private readonly warned = new Set<string>();
  private readonly context: Omit<TurnContext, "signal">;
  private spentUsd: number;
  /** Why no further turn is taken. */
  private stopped: string | undefined;

  constructor(
    private readonly request: TrajectoryRequest,
    services: TrajectoryServices,
    private readonly recorder: RunFolderWriter,
    private readonly listener: RunListener,
    private readonly startedAt: Date,
    private readonly preparation: Preparation,
    private readonly earlier: EarlierTurns,
  ) {
    const { agentImage } = preparation;
    const leave = (turn: Turn): void => {
      this.taken.set(turn.checkpoint, takenBefore(turn));
    };
    this.context = { request, services, recorder, listener, warn: this.warn, agentImage, leave };
    this.spentUsd = earlier.spentUsd;
    for (const [name, { turn, evaluate }] of earlier.turns) {
      if (!evaluate) this.taken.set(name, takenBefore(turn));
    }
  }

  async run(signal: AbortSignal): Promise<Run> {
    this.listener({ type: "run-started", run: this.describe("running") });
    const { state, trouble } = await this.takeTurns(signal);
    const failure = await this.close(state, trouble);
    if (failure === undefined) return this.describe(state);
    throw (await isFolderGone(this.recorder.folder)) ? goneFolder(this.recorder.folder, failure) : failure;
  }

  private async takeTurns(signal: AbortSignal): Promise<Ending> {
    try {
      const trouble = await this.takeEach({ ...this.context, signal });
      return { state: "finished", trouble };
    } catch (error) {
      const trouble = SlopLensError.from(error);
      if (trouble.code === "cancelled")
        return { state: isInterruption(signal) ? "interrupted" : "cancelled", trouble: undefined };
      return { state: "finished", trouble };
    }
  }

  private async takeEach(context: TurnContext): Promise<SlopLensError | undefined> {
    const rounds = this.roundsOf(context);
    let last: TakenTurn | undefined;
    for (const step of this.preparation.steps) {
      await context.services.mayGoOn?.(context.signal);
      throwIfAborted(context.signal);
      this.stopped ??= this.isKept(step) ? undefined : costReason(this.request, this.spentUsd);
      if (this.stopped !== undefined) {
        await this.dropKept(step);
        continue;
      }
      last = await this.takeStep(context, step, last, rounds);
      this.taken.set(step.checkpoint.name, last);
      for (const chosen of rounds?.path ?? []) this.taken.set(chosen.turn.checkpoint, chosen);
      this.stopped = stopReason(this.request, last);
    }
    return last?.trouble;
  }

  private roundsOf(context: TurnContext): Rounds | undefined {
    const { attempts } = this.request.policy;
    if (attempts.kind !== "roundwise") return undefined;
    return new Rounds(context, attempts, () => this.spentUsd, this.addCost);
  }

  private async takeStep(
    context: TurnContext,
    step: Step,
    last: TakenTurn | undefined,
    rounds: Rounds | undefined,
  ): Promise<TakenTurn> {
    if (rounds === undefined) return this.takeOne(context, step, last);
    const from = await this.beginningOf(step, last);
    return rounds.take(step, from, this.request.policy.start.kind === "reference");
  }

  private async takeOne(context: TurnContext, step: Step, last: TakenTurn | undefined): Promise<TakenTurn> {
    const earlier = this.earlier.turns.get(step.checkpoint.name);
    if (earlier !== undefined && !earlier.evaluate) return this.addCost(takenBefore(earlier.turn));
    const from = await this.beginningOf(step, last);
    return this.addCost(
      earlier === undefined
        ? await takeTurn(context, step, from)
        : await evaluateTurn(context, step, from, earlier.turn),
    );
  }

  private readonly addCost = (taken: TakenTurn): TakenTurn => {
    this.spentUsd += taken.turn.usage.costUsd ?? 0;
    return taken;
  };

  private isKept({ checkpoint }: Step): boolean {
    return this.earlier.turns.get(checkpoint.name)?.evaluate === false;
  }

  /** A turn behind the one that the trajectory stops at is no part of it any more. */
  private async dropKept({ checkpoint }: Step): Promise<void> {
    if (!this.earlier.turns.has(checkpoint.name)) return;
    this.taken.delete(checkpoint.name);
    await this.recorder.dropTurn(checkpoint.name);
  }

  private async beginningOf({ checkpoint }: Step, last: TakenTurn | undefined): Promise<Beginning> {
    const { start } = this.request.policy;
    if (start.kind === "reference") return fromReference(this.request.problem, checkpoint);
    if (last !== undefined) return fromTurn(last.turn, last.snapshot);
    return start.kind === "snapshot" ? fromSnapshot(start) : FROM_NOTHING;
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
    const { environment, prompt, problem, policy, attempt } = this.request;
    return {
      folder: this.recorder.folder,
      agent: calledAgent(this.request),
      prompt: prompt.name,
      promptHash: hashOf(prompt.source),
      environment: environment.name,
      isolation: this.context.services.sandbox.kind,
      policy,
      attempt,
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
    const taken = this.taken.get(checkpoint.name);
    if (taken !== undefined) return asChosen(taken.turn);
    const isChosen = this.preparation.steps.some((step) => step.checkpoint === checkpoint);
    const folder = path.join(this.recorder.folder, problem.name, checkpoint.name);
    return {
      ...blankTurn(problem.name, checkpoint, this.request.agent.origin, folder),
      verdict: isChosen ? "not-reached" : "skipped",
      reason: isChosen ? this.stopped : undefined,
    };
  }
}

async function isFolderGone(folder: string): Promise<boolean> {
  return stat(folder).then(
    () => false,
    (error: unknown) => error instanceof Error && "code" in error && error.code === "ENOENT",
  );
}

/** Whatever failed in a folder that is not there any more, its going is what the user can understand. */
function goneFolder(folder: string, cause: SlopLensError): SlopLensError {
  return new SlopLensError(
    "run-folder",
    `The folder of this run was deleted while it was in progress: ${folder}`,
    "Nothing of the run is left; run it again.",
    { cause },
  );
}

/** A chosen try's parent is the chosen try of its checkpoint, so its number says nothing more. */
function asChosen(turn: Turn): Turn {
  return turn.candidate === undefined || turn.parent === null
    ? turn
    : { ...turn, parent: turn.parent.split("#")[0] ?? null };
}
