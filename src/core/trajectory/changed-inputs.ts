import type { Checkpoint } from "../model/problem.js";
import type { Turn } from "../model/turn.js";
import type { TurnInputs } from "../model/turn-inputs.js";
import { changedSecrets } from "../store/secret-marks.js";
import { FROM_NOTHING, fromReference, fromSnapshot, type Beginning } from "./beginning.js";
import { inputsNow } from "./inputs.js";
import type { PlanReason } from "./plan-reason.js";
import type { TrajectoryRequest } from "./services.js";

/** What has changed since a turn was taken, by what becomes of the turn then. */
export interface ChangedInputs {
  /** The turn as a whole would come out differently. */
  readonly redo: PlanReason | undefined;
  /** Its verdict would. */
  readonly evaluate: PlanReason | undefined;
  /** It stands, but what is taken now goes on from it with something else. */
  readonly notes: readonly PlanReason[];
}

const UNCHANGED: ChangedInputs = { redo: undefined, evaluate: undefined, notes: [] };

/** Compares what a turn was made with and what there is now; a turn that does not tell is taken as unchanged. */
export async function changedInputs(
  request: TrajectoryRequest,
  checkpoint: Checkpoint,
  turn: Turn,
): Promise<ChangedInputs> {
  const redo = lineageFault(request, checkpoint, turn);
  const { inputs } = turn;
  if (inputs === undefined) return { ...UNCHANGED, redo };
  const from = await beginningNow(request, checkpoint, turn);
  const now = await inputsNow(request, checkpoint, from);
  const isOther = (key: keyof TurnInputs): boolean => inputs[key] !== now[key];
  const isRecording = turn.origin !== "agent" && turn.origin === request.agent.origin;
  return {
    redo:
      redo ??
      (isOther("assets")
        ? { kind: "assets-changed" }
        : isRecording && isOther("agent")
          ? { kind: "recording-changed" }
          : undefined),
    evaluate: isOther("evaluation") ? { kind: "evaluation-changed" } : secretsChanged(inputs, now),
    notes: notesOf(from, isOther, changedSecrets(inputs.environmentSecrets, now.environmentSecrets)),
  };
}

function secretsChanged(before: TurnInputs, now: TurnInputs): PlanReason | undefined {
  const names = changedSecrets(before.evaluationSecrets, now.evaluationSecrets);
  return names.length === 0 ? undefined : { kind: "evaluation-secrets-changed", names };
}

/** Checkpoints that were taken away or put in another order leave turns behind that follow the wrong one. */
function lineageFault(
  { problem }: TrajectoryRequest,
  checkpoint: Checkpoint,
  { parent, parentIn }: Turn,
): PlanReason | undefined {
  const [name, before] = (parent ?? "").split("#")[0]?.split("/") ?? [];
  if (parentIn !== undefined || before === undefined || name !== problem.name) return undefined;
  const at = problem.checkpoints.findIndex((one) => one.name === before);
  if (at < 0) return { kind: "followed-gone", checkpoint: before };
  return at < problem.checkpoints.indexOf(checkpoint)
    ? undefined
    : { kind: "followed-later", checkpoint: before };
}

async function beginningNow(
  { policy, problem }: TrajectoryRequest,
  checkpoint: Checkpoint,
  turn: Turn,
): Promise<Beginning | undefined> {
  if (turn.parentIn === undefined) return FROM_NOTHING;
  const { start } = policy;
  const begins = start.kind === "snapshot" ? fromSnapshot(start) : fromReference(problem, checkpoint);
  return begins.catch(() => undefined);
}

function notesOf(
  from: Beginning | undefined,
  isOther: (key: keyof TurnInputs) => boolean,
  names: readonly string[],
): PlanReason[] {
  const notes: (PlanReason | undefined)[] = [
    isOther("agent") ? { kind: "agent-changed" } : undefined,
    isOther("environment") ? { kind: "agent-environment-changed" } : undefined,
    names.length > 0 ? { kind: "agent-secrets-changed", names } : undefined,
    isOther("start") ? { kind: from === undefined ? "start-gone" : "start-changed" } : undefined,
  ];
  return notes.filter((note) => note !== undefined);
}
