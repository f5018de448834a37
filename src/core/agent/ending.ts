import type { CommandResult } from "../sandbox/sandbox.js";
import { IMAGE_CHOICE } from "../sandbox/image-choice.js";
import type { AgentResult } from "./agent.js";

/** What is known about how an agent's command ended. */
export interface Ending {
  readonly result: CommandResult;
  readonly timeoutSeconds: number | undefined;
  /** Last line of standard error. */
  readonly lastWords: string | undefined;
  /** Where commands are looked for. */
  readonly place: "image" | "machine";
}

const SHELL_NOT_EXECUTABLE = 126;
const SHELL_NOT_FOUND = 127;

/**
 * Says what an agent's exit means, in one line that tells what to do.
 * 126 and 127 are the shell's own codes for a command that cannot be executed or is not there (POSIX 2.8.2).
 */
export function judgeEnding(ending: Ending): Pick<AgentResult, "status" | "reason"> {
  const { result } = ending;
  if (result.timedOut) return { status: "timeout", reason: timeoutReason(ending.timeoutSeconds) };
  if (result.outOfMemory) {
    return { status: "error", reason: "The agent ran out of memory and was killed; allow it more memory" };
  }
  if (result.exitCode === 0) return { status: "done", reason: undefined };
  return { status: "error", reason: withLastWords(exitReason(ending), ending.lastWords) };
}

function timeoutReason(seconds: number | undefined): string {
  const limit = seconds === undefined ? "its time limit" : `its time limit of ${seconds} s`;
  return `The agent did not finish within ${limit}; what it had written was kept`;
}

function exitReason({ result, place }: Ending): string {
  const where = place === "image" ? "in the image" : "on this machine";
  const remedy =
    place === "image"
      ? `the agent must be inside the image; name another image that has it (${IMAGE_CHOICE}), or install it in the command`
      : "install it, or give its full path";
  if (result.exitCode === SHELL_NOT_FOUND) {
    return `Command not found ${where} (exit code ${SHELL_NOT_FOUND}): ${remedy}`;
  }
  if (result.exitCode === SHELL_NOT_EXECUTABLE) {
    return `Command found ${where} but not executable (exit code ${SHELL_NOT_EXECUTABLE}): ${remedy}`;
  }
  return `The agent ended with exit code ${result.exitCode}`;
}

function withLastWords(reason: string, lastWords: string | undefined): string {
  return lastWords === undefined ? reason : `${reason} (${lastWords})`;
}
