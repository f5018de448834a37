import { CommanderError } from "commander";
import { sentencesOf, SlopLensError } from "../core/model/errors.js";
import { type CliIo, warn } from "./io.js";

/** Exit codes of the command. Verdicts are data: a test that failed does not change them; an error in a pack does. */
export const EXIT = { ok: 0, faults: 1, trouble: 2, interrupted: 130 } as const;

/**
 * Prints an error once, in one line, and gives the exit code for it.
 * @param debug also print the stack and the causes
 */
export function exitCodeFor(error: unknown, io: CliIo, debug: boolean): number {
  if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.ok : EXIT.trouble;
  const trouble = SlopLensError.from(error);
  if (trouble.code === "cancelled") {
    warn(io, "cancelled");
    return EXIT.interrupted;
  }
  warn(io, describe(trouble));
  if (debug) printStack(error, io);
  return EXIT.trouble;
}

function describe(error: SlopLensError): string {
  const sentence = sentencesOf(error);
  return error.code === "internal" ? `internal error: ${sentence} (--debug shows where)` : sentence;
}

function printStack(error: unknown, io: CliIo): void {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    io.err(`${cause.stack ?? String(cause)}\n`);
  }
}
