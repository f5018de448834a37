import { SlopLensError } from "../model/errors.js";
import type { SnapshotStart } from "../model/policy.js";
import type { Checkpoint, Problem } from "../model/problem.js";
import { suggestion } from "../problem/suggest.js";
import type { TrajectoryRequest } from "./services.js";

type Selection = Pick<TrajectoryRequest, "problem" | "checkpoints" | "agent" | "policy">;

/**
 * The checkpoints that a request asks for, in trajectory order; for a fork those after the turn that it begins from.
 * @throws SlopLensError bad-input for unknown names, for an agent that would have to begin in the middle, and for a
 *   fork after the last checkpoint
 */
export function chooseCheckpoints(selection: Selection): readonly Checkpoint[] {
  const { problem, checkpoints: names, agent, policy } = selection;
  const open = policy.start.kind === "snapshot" ? after(problem, policy.start) : problem.checkpoints;
  if (names === undefined) return open;
  const unknown = names.filter((name) => !open.some((one) => one.name === name));
  if (unknown.length > 0 || names.length === 0) {
    const nearest = suggestion(
      unknown[0] ?? "",
      open.map(({ name }) => name),
    );
    throw new SlopLensError(
      "bad-input",
      unknown.length > 0
        ? `${problem.name} has no ${unknown.join(", ")}${nearest}`
        : "No checkpoint is chosen",
      `It has ${open.map(({ name }) => name).join(", ")}.`,
    );
  }
  const chosen = open.filter(({ name }) => names.includes(name));
  const begins = chosen.every((one, index) => one === open[index]);
  if (agent.origin === "agent" && policy.start.kind !== "reference" && !begins) {
    throw new SlopLensError(
      "bad-input",
      "An agent takes the checkpoints from the first one on, without gaps",
      "Choose a range that begins with the first checkpoint, or begin from the reference.",
    );
  }
  return chosen;
}

function after(problem: Problem, { turn }: SnapshotStart): readonly Checkpoint[] {
  const [name, checkpoint] = turn.split("/");
  const index = problem.checkpoints.findIndex((one) => one.name === checkpoint);
  if (name !== problem.name || index < 0) {
    throw new SlopLensError("bad-input", `${turn} is no checkpoint of ${problem.name}`);
  }
  const rest = problem.checkpoints.slice(index + 1);
  if (rest.length > 0) return rest;
  throw new SlopLensError(
    "bad-input",
    `${turn} is the last checkpoint, so there is nothing to go on with`,
    "Fork from an earlier one.",
  );
}
