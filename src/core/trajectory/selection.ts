import { SlopLensError } from "../model/errors.js";
import type { Checkpoint } from "../model/problem.js";
import type { TrajectoryRequest } from "./services.js";

type Selection = Pick<TrajectoryRequest, "problem" | "checkpoints" | "agent">;

/**
 * The checkpoints that a request asks for, in trajectory order.
 * @throws SlopLensError bad-input for unknown names, and for an agent that would have to begin in the middle
 */
export function chooseCheckpoints({ problem, checkpoints, agent }: Selection): readonly Checkpoint[] {
  if (checkpoints === undefined) return problem.checkpoints;
  const unknown = checkpoints.filter((name) => !problem.checkpoints.some((one) => one.name === name));
  if (unknown.length > 0 || checkpoints.length === 0) {
    throw new SlopLensError(
      "bad-input",
      unknown.length > 0 ? `${problem.name} has no ${unknown.join(", ")}` : "No checkpoint is chosen",
      `It has ${problem.checkpoints.map(({ name }) => name).join(", ")}.`,
    );
  }
  const chosen = problem.checkpoints.filter(({ name }) => checkpoints.includes(name));
  const begins = chosen.every((one, index) => one === problem.checkpoints[index]);
  if (agent.origin === "agent" && !begins) {
    throw new SlopLensError(
      "bad-input",
      "An agent takes the checkpoints from the first one on, without gaps",
      "Choose a range that begins with the first checkpoint.",
    );
  }
  return chosen;
}
