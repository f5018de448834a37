import type { Checkpoint } from "../model/problem.js";
import type { Turn } from "../model/turn.js";
import type { TurnInputs } from "../model/turn-inputs.js";
import { changedSecrets } from "../store/secret-marks.js";
import { FROM_NOTHING, fromReference, fromSnapshot, type Beginning } from "./beginning.js";
import { inputsNow } from "./inputs.js";
import type { TrajectoryRequest } from "./services.js";

/** What has changed since a turn was taken, in a few words, by what becomes of the turn then. */
export interface ChangedInputs {
  /** The turn as a whole would come out differently. */
  readonly redo: string | undefined;
  /** Its verdict would. */
  readonly evaluate: string | undefined;
  /** It stands, but what is taken now goes on from it with something else. */
  readonly note: string | undefined;
}

const UNCHANGED: ChangedInputs = { redo: undefined, evaluate: undefined, note: undefined };

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
        ? "static assets changed"
        : isRecording && isOther("agent")
          ? "recording changed"
          : undefined),
    evaluate: isOther("evaluation")
      ? "environment or the tests' settings changed"
      : secretsChanged(inputs, now),
    note: noteOf(from, isOther, changedSecrets(inputs.environmentSecrets, now.environmentSecrets)),
  };
}

function secretsChanged(before: TurnInputs, now: TurnInputs): string | undefined {
  const names = changedSecrets(before.evaluationSecrets, now.evaluationSecrets);
  return names.length === 0 ? undefined : `the environment's value of ${names.join(", ")} changed`;
}

/** Checkpoints that were taken away or put in another order leave turns behind that follow the wrong one. */
function lineageFault(
  { problem }: TrajectoryRequest,
  checkpoint: Checkpoint,
  { parent, parentIn }: Turn,
): string | undefined {
  const [name, before] = (parent ?? "").split("#")[0]?.split("/") ?? [];
  if (parentIn !== undefined || before === undefined || name !== problem.name) return undefined;
  const at = problem.checkpoints.findIndex((one) => one.name === before);
  if (at < 0) return `followed ${before}, which the problem no longer has`;
  return at < problem.checkpoints.indexOf(checkpoint)
    ? undefined
    : `followed ${before}, which comes later now`;
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

function noteOf(
  from: Beginning | undefined,
  isOther: (key: keyof TurnInputs) => boolean,
  secrets: readonly string[],
): string | undefined {
  const notes = [
    isOther("agent") ? "taken by another agent, or its file or model changed" : undefined,
    isOther("environment") ? "the agent worked in another environment" : undefined,
    secrets.length > 0 ? `the agent worked with another value of ${secrets.join(", ")}` : undefined,
    isOther("start") ? `what it began from ${from === undefined ? "is gone" : "changed"}` : undefined,
  ].filter((note) => note !== undefined);
  return notes.length === 0 ? undefined : notes.join("; ");
}
