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
export function whatOverloaded({ recorder, result, damage }: Course): string | undefined {
  if (recorder.running === undefined || damage !== undefined || recorder.contradiction !== undefined) {
    return undefined;
  }
  if (result?.stoppedFor === "disk") return "more was written than the container may hold";
  const { code, oomKills = 0, memoryPeak = 0, memoryLimit = Infinity } = recorder.first("exit") ?? {};
  const isShort = code === -SIGKILL && oomKills > 0 && memoryPeak >= FULL * memoryLimit;
  return isShort ? `all memory that the container may have was taken (${mebibytes(memoryLimit)})` : undefined;
}

function mebibytes(bytes: number): string {
  return `${Math.round(bytes / 1024 ** 2)} MiB`;
}
