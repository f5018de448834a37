import type { CommandResult } from "../sandbox/sandbox.js";
import type { Recorder } from "./recorder.js";

/** How an evaluation went, seen from outside. */
export interface Course {
  readonly recorder: Recorder;
  /** What the sandbox told; undefined when the run was stopped because nothing happened any more. */
  readonly result: CommandResult | undefined;
  /** Why the messages of the harness cannot be trusted. */
  readonly damage: string | undefined;
  readonly stderr: string;
}

type Check = (course: Course) => string | undefined;

/**
 * Why the outcomes must not be scored, in pytest's own words where it said something; undefined when they hold:
 * pytest ended by itself with 0 or 1 after it had reported every test it collected, and no message is missing.
 */
export function whyInvalid(course: Course): string | undefined {
  for (const check of CHECKS) {
    const reason = check(course);
    if (reason !== undefined) return reason;
  }
  return undefined;
}

/** The most telling first: a later check often fails only because of an earlier one. */
const CHECKS: readonly Check[] = [
  stopped,
  refused,
  notStarted,
  collectionFailed,
  pytestBroke,
  killed,
  endedEarly,
  refusedByPytest,
  nothingCollected,
  damaged,
  incomplete,
  endedOddly,
];

function stopped({ result, recorder }: Course): string | undefined {
  if (result !== undefined && !result.timedOut) return undefined;
  return `The tests were stopped because they did not end in time${whileRunning(recorder)}`;
}

function refused({ recorder }: Course): string | undefined {
  const event = recorder.first("refused");
  return event === undefined ? undefined : `The tests were not started: ${event.message}`;
}

function notStarted({ recorder, result, stderr }: Course): string | undefined {
  if (recorder.first("start") !== undefined || recorder.first("finish") !== undefined) return undefined;
  const code = recorder.first("exit")?.code ?? result?.exitCode ?? 0;
  return `pytest did not start (exit code ${code})${words(stderr)}`;
}

function collectionFailed({ recorder }: Course): string | undefined {
  const [first, ...rest] = recorder.collectErrors;
  if (first === undefined) return undefined;
  const others = rest.length === 0 ? "" : ` (and ${rest.length} more)`;
  return `The tests cannot be collected: ${first.node}${others}: ${lastError(first.message)}`;
}

function pytestBroke({ recorder }: Course): string | undefined {
  const internal = recorder.first("internal-error");
  if (internal !== undefined) return `pytest had an internal error: ${lastError(internal.message)}`;
  const interrupted = recorder.first("interrupted");
  if (interrupted === undefined) return undefined;
  return `pytest was ended before its time: ${interrupted.message.trim()}${whileRunning(recorder)}`;
}

function killed({ recorder, result }: Course): string | undefined {
  const exit = recorder.first("exit");
  const memory = (exit?.oomKills ?? 0) > 0 || result?.outOfMemory === true;
  const cause = memory ? " for lack of memory" : "";
  if (exit === undefined) {
    return `The test harness was killed${cause} (exit code ${result?.exitCode ?? "?"})${whileRunning(recorder)}`;
  }
  return exit.code < 0
    ? `pytest was killed${cause} by signal ${-exit.code}${whileRunning(recorder)}`
    : undefined;
}

function endedEarly({ recorder }: Course): string | undefined {
  if (recorder.first("finish") !== undefined) return undefined;
  const code = recorder.first("exit")?.code ?? 0;
  return `pytest's process ended with exit code ${code} before pytest was done${whileRunning(recorder)}`;
}

function refusedByPytest({ recorder, stderr }: Course): string | undefined {
  if (recorder.first("finish")?.code !== 4) return undefined;
  return `pytest refused to start${words(stderr)}`;
}

function nothingCollected({ recorder }: Course): string | undefined {
  if (recorder.collected > 0) return undefined;
  const [skip] = recorder.collectSkips;
  return `pytest collected no tests${skip === undefined ? "" : `: ${skip.node}: ${skip.message}`}`;
}

function damaged({ recorder, damage }: Course): string | undefined {
  const fault = damage ?? recorder.contradiction;
  return fault === undefined ? undefined : `The report on the tests is damaged: ${fault}`;
}

function incomplete({ recorder }: Course): string | undefined {
  const { collected, outcomes } = recorder;
  const finish = recorder.first("finish");
  if (finish?.collected !== collected) {
    return `pytest collected ${finish?.collected ?? "?"} tests, but named ${collected}`;
  }
  const reported = Math.min(finish.reported, outcomes.length);
  return reported === collected ? undefined : `pytest reported ${reported} of ${collected} collected tests`;
}

function endedOddly({ recorder }: Course): string | undefined {
  const announced = recorder.first("finish")?.code;
  const real = recorder.first("exit")?.code;
  if (announced === real && (real === 0 || real === 1)) return undefined;
  return `pytest ended with exit code ${real ?? "?"} after it had announced ${announced ?? "?"}`;
}

function whileRunning({ running }: Recorder): string {
  return running === undefined ? "" : `, while ${running.file}::${running.id} was running`;
}

/** The lines of a traceback that say what went wrong; pytest marks them with `E`. */
function lastError(message: string): string {
  const lines = message.trim().split("\n");
  const marked = lines.filter((line) => /^E\s/u.test(line)).map((line) => line.replace(/^E\s+/u, ""));
  return marked.length > 0 ? marked.join(" ") : (lines.at(-1) ?? "").trim();
}

/** The last lines that pytest or Python wrote to stderr, for a process that could say nothing else. */
function words(stderr: string): string {
  const lines = stderr.split("\n").filter((line) => line.trim() !== "");
  return lines.length === 0 ? "" : `: ${lines.slice(-8).join("\n")}`;
}
