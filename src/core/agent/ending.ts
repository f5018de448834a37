import type { CommandResult } from "../sandbox/sandbox.js";
import { IMAGE_CHOICE } from "../sandbox/image-choice.js";
import { plainText } from "../model/plain-text.js";
import type { AgentResult } from "./agent.js";

/** What is known about how an agent's command ended. */
export interface Ending {
  readonly result: CommandResult;
  readonly timeoutSeconds: number | undefined;
  readonly idleSeconds?: number | undefined;
  /** Why we stopped it ourselves; undefined when it ended by itself or by a limit of the sandbox. */
  readonly stopped?: string | undefined;
  /** The agent's own words for what ended it, as its output tells; they count also when the exit code is 0. */
  readonly failure?: string | undefined;
  /** Last line of standard error. */
  readonly lastWords: string | undefined;
  /** Where commands are looked for. */
  readonly place: "image" | "machine";
}

const SHELL_NOT_EXECUTABLE = 126;
const SHELL_NOT_FOUND = 127;

type Judgement = Pick<AgentResult, "status" | "reason" | "retryable">;

/**
 * Says what an agent's exit means, in one line that tells what to do, and whether another try may end better: not when
 * a limit was met, the program is not there, or its key is refused.
 * 126 and 127 are the shell's own codes for a command that cannot be executed or is not there (POSIX 2.8.2).
 */
export function judgeEnding(ending: Ending): Judgement {
  const limit = limitReason(ending);
  if (limit !== undefined) return { ...limit, retryable: false };
  const { result, failure } = ending;
  if (result.exitCode === 0 && failure === undefined) {
    return { status: "done", reason: undefined, retryable: false };
  }
  const isMissing = result.exitCode === SHELL_NOT_FOUND || result.exitCode === SHELL_NOT_EXECUTABLE;
  const words = failure === undefined ? ending.lastWords : oneLine(failure);
  const reason = withWords(exitReason(ending), words);
  return { status: "error", reason, retryable: !isMissing && !REFUSED.test(words ?? "") };
}

/** Words of services and programs for a key that is not accepted: the next try would be refused too. */
const REFUSED =
  /\b40[13]\b|unauthori[sz]ed|authentication|ProviderAuthError|invalid (?:x-)?api.?key|api.?key (?:is )?(?:not valid|invalid|missing)|permission denied|not logged in|auth method/iu;

function limitReason(ending: Ending): Pick<AgentResult, "status" | "reason"> | undefined {
  const { result, stopped } = ending;
  if (stopped !== undefined) return { status: "error", reason: stopped };
  if (result.stoppedFor === "idle") {
    const silence = ending.idleSeconds === undefined ? "too long" : `${ending.idleSeconds} s`;
    return {
      status: "timeout",
      reason: `The agent said nothing for ${silence}; what it had written was kept`,
    };
  }
  if (result.stoppedFor === "disk") {
    return { status: "error", reason: "The agent wrote more than it may and was stopped" };
  }
  if (result.timedOut) return { status: "timeout", reason: timeoutReason(ending.timeoutSeconds) };
  if (!result.outOfMemory) return undefined;
  return { status: "error", reason: "The agent ran out of memory and was killed; allow it more memory" };
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
  if (result.exitCode === 0) return "The agent gave up";
  return `The agent ended with exit code ${result.exitCode}`;
}

function withWords(reason: string, words: string | undefined): string {
  return words === undefined ? reason : `${reason} (${words})`;
}

/** Long or many lines make no reason. */
function oneLine(words: string): string {
  return plainText(words).replaceAll(/\s+/gu, " ").trim().slice(0, 300);
}
