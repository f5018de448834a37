import { SlopLensError } from "../../model/errors.js";

/** The HTTP status of an engine's refusal; undefined for anything else. */
export function statusOf(error: unknown): number | undefined {
  if (!(error instanceof Error) || !("statusCode" in error)) return undefined;
  return typeof error.statusCode === "number" ? error.statusCode : undefined;
}

/** The engine's own sentence, without the dressing that dockerode puts around it. */
export function wordsOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const json = "json" in error ? error.json : undefined;
  if (typeof json === "object" && json !== null && "message" in json && typeof json.message === "string") {
    return json.message.trim();
  }
  return error.message.replace(/^\(HTTP code \d+\) .*? - /u, "").trim();
}

const NOBODY_THERE = new Set([
  "ENOENT",
  "ECONNREFUSED",
  "ENOTFOUND",
  "EAI_AGAIN",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "ETIMEDOUT",
  "ENOTSOCK",
]);

/** An error while getting in touch with the engine at `host`. */
export function connectionError(error: unknown, host: string): SlopLensError {
  if (error instanceof SlopLensError) return error;
  const code = codeOf(error);
  if (code === "EACCES" || code === "EPERM") {
    return new SlopLensError(
      "engine-denied",
      `No permission to use the Docker engine at ${host}`,
      "Add your user to the group `docker` (sudo usermod -aG docker $USER), then log in again; VS Code has to be restarted too.",
      { cause: error },
    );
  }
  if (code !== undefined && NOBODY_THERE.has(code)) {
    return new SlopLensError(
      "engine-missing",
      `No Docker engine answers at ${host}`,
      "Start Docker, set DOCKER_HOST, or run without Docker in an environment of type local.",
      { cause: error },
    );
  }
  return workingError(error, "answering");
}

/** An error of a call to an engine that had answered before. */
export function workingError(error: unknown, what: string): SlopLensError {
  if (error instanceof SlopLensError) return error;
  const words = wordsOf(error);
  if (/no space left on device/iu.test(words)) {
    return new SlopLensError(
      "disk-full",
      "The disk of the Docker engine is full",
      "Free some space, for example with `docker system prune`, then resume the run.",
      { cause: error },
    );
  }
  if (statusOf(error) !== undefined) {
    return new SlopLensError("engine-lost", `The Docker engine refused (${what}): ${words}`, "", {
      cause: error,
    });
  }
  return lost(what, words, error);
}

/** The engine was there and is not any more, or does not answer in time. */
export function lost(what: string, words: string, cause?: unknown): SlopLensError {
  return new SlopLensError(
    "engine-lost",
    `The connection to the Docker engine was lost (${what}): ${words}`,
    "Check that Docker is running, then resume the run.",
    { cause },
  );
}

/** Whether the engine could not find the program that a container was to start. */
export function isMissingProgram(error: unknown): boolean {
  const status = statusOf(error);
  return (
    status !== undefined &&
    /executable file not found|no such file or directory|exec format error|permission denied/iu.test(
      wordsOf(error),
    )
  );
}

function codeOf(error: unknown): string | undefined {
  if (!(error instanceof Error) || !("code" in error)) return undefined;
  if (error instanceof AggregateError && error.code === undefined) return codeOf(error.errors[0]);
  return typeof error.code === "string" ? error.code : undefined;
}
