import type { Course } from "./judgement.js";

const SIGKILL = 9;
/** Above this share of the limit the container, and not the machine, was short of memory. */
const FULL = 0.99;

/**
 * What the solution did so that the tests could not go on, where that is proven: pytest was running a test, nobody in
 * the container may end it, and the container had met a limit. A test that overloads its container has failed; were it
 * not scored, a solution could buy itself off a failure that way.
 * @returns undefined for every other course
 */
export function whatOverloaded(course: Course): string | undefined {
  const { recorder, result, damage } = course;
  if (recorder.running === undefined || (damage ?? recorder.contradiction) !== undefined) return undefined;
  return result?.stoppedFor === "disk" ? "more was written than the container may hold" : memoryTaken(course);
}

function memoryTaken({ recorder }: Course): string | undefined {
  const exit = recorder.first("exit");
  if (exit?.code !== -SIGKILL || exit.memoryPeak === undefined || exit.memoryLimit === undefined)
    return undefined;
  const isShort = (exit.oomKills ?? 0) > 0 && exit.memoryPeak >= FULL * exit.memoryLimit;
  return isShort
    ? `all memory that the container may have was taken (${mebibytes(exit.memoryLimit)})`
    : undefined;
}

function mebibytes(bytes: number): string {
  return `${Math.round(bytes / 1024 ** 2)} MiB`;
}
