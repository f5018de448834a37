import { readdir } from "node:fs/promises";
import path from "node:path";
import { SlopLensError } from "../core/model/errors.js";
import type { Environment } from "../core/model/environment.js";
import { readEnvironment } from "../core/problem/environment-file.js";
import { suggestion } from "../core/problem/suggest.js";
import type { Sandbox } from "../core/sandbox/sandbox.js";
import type { Installation } from "./installation.js";
import { type CliIo, warn } from "./io.js";
import { openSandbox } from "./sandboxes.js";

export interface PlaceOptions {
  /** `docker`, `local`, the name of a shipped environment, or a YAML file. */
  readonly environment: string | undefined;
  /** Takes the place of the environment's image. */
  readonly image: string | undefined;
}

/** Where code is going to run. */
export interface Place {
  readonly environment: Environment;
  readonly sandbox: Sandbox;
}

/**
 * Chooses the environment and its sandbox. Without a wish of the user's it is Docker, or this machine when no engine
 * answers, which is said loudly.
 * @throws SlopLensError environment-invalid, bad-input; engine-missing and engine-denied when Docker was asked for
 */
export async function choosePlace(
  options: PlaceOptions,
  io: CliIo,
  installation: Installation,
): Promise<Place> {
  const isWished = options.environment !== undefined || options.image !== undefined;
  const file = await environmentPath(options.environment ?? "docker", io.cwd, installation);
  const environment = withImage(await readEnvironment(file), options.image);
  try {
    return announced({ environment, sandbox: await openSandbox(installation, environment, io.signal) }, io);
  } catch (error) {
    if (isWished || !isEngineTrouble(error)) throw error;
    warn(io, `${error.message}; running on this machine instead`);
    const local = await readEnvironment(await environmentPath("local", io.cwd, installation));
    return announced({ environment: local, sandbox: await openSandbox(installation, local, io.signal) }, io);
  }
}

function isEngineTrouble(error: unknown): error is SlopLensError {
  return SlopLensError.is(error, "engine-missing") || SlopLensError.is(error, "engine-denied");
}

function announced(place: Place, io: CliIo): Place {
  if (!place.sandbox.isolated) {
    warn(io, "NOT ISOLATED: the agent and the solution run as processes of this machine, with your rights");
  }
  return place;
}

/** @throws SlopLensError bad-input for the name of no shipped environment */
async function environmentPath(nameOrFile: string, cwd: string, installation: Installation): Promise<string> {
  if (!/^[\w-]+$/u.test(nameOrFile)) return path.resolve(cwd, nameOrFile);
  const { environments } = installation.files;
  const known = (await readdir(environments)).map((name) => path.parse(name).name).sort();
  if (known.includes(nameOrFile)) return path.join(environments, `${nameOrFile}.yaml`);
  throw new SlopLensError(
    "bad-input",
    `There is no environment ${nameOrFile}${suggestion(nameOrFile, known)}`,
    `Name ${known.join(" or ")}, or the path of an environment's YAML file.`,
  );
}

function withImage(environment: Environment, image: string | undefined): Environment {
  if (image === undefined) return environment;
  if (environment.docker === undefined) {
    throw new SlopLensError(
      "bad-input",
      `--image goes with a Docker environment, and ${environment.name} is not one`,
      "Leave --image out, or choose --environment docker.",
    );
  }
  return { ...environment, docker: { ...environment.docker, image } };
}
