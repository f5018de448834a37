import type { Environment } from "../model/environment.js";
import type { Problem } from "../model/problem.js";

/** The file that a solution starts from, for example `shelf.py`: the environment's pattern with the problem's stem. */
export function entryFileName(environment: Environment, problem: Pick<Problem, "entryFile">): string {
  return environment.commands.entryFile.replaceAll(/\{\{|\}\}|\{entry_file\}/gu, (part) =>
    part === "{entry_file}" ? problem.entryFile : part.charAt(0),
  );
}

/**
 * The command line that starts a solution, for example `python shelf.py`.
 * @param side who is told: the agent (in specs) or the hidden tests (as `--entrypoint`)
 */
export function entryCommand(
  environment: Environment,
  problem: Pick<Problem, "entryFile">,
  side: "agent" | "evaluation",
): string {
  const { command, agentCommand } = environment.commands;
  const chosen = side === "agent" ? (agentCommand ?? command) : command;
  return `${chosen.trim()} ${entryFileName(environment, problem)}`.trim();
}
