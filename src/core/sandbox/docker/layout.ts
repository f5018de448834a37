import path from "node:path";

import { SlopLensError } from "../../model/errors.js";
import type { Environment } from "../../model/environment.js";
import type { SandboxRoots } from "../sandbox.js";

/** Folder of ours in every image of ours. */
export const OWN_FOLDER = "/opt/slop-lens";
/** Where an image layer installs, and what of it commands of an agent find. */
export const LAYER_FOLDER = `${OWN_FOLDER}/agent`;
export const LAYER_BIN = `${LAYER_FOLDER}/bin`;
/** Home of the unprivileged user. */
export const HOME = "/tmp/home";
/** User of agents, solutions and tests, unless the environment names another. */
export const DEFAULT_USER = "1000:1000";

/**
 * Where things lie in a container.
 * @throws SlopLensError environment-invalid for a working folder that cannot be ours to fill
 */
export function containerRoots(environment: Environment): SandboxRoots {
  return {
    workspace: workspaceFolder(environment.docker?.workdir ?? "/workspace"),
    harness: `${OWN_FOLDER}/harness`,
    testPython: `${OWN_FOLDER}/tests/bin/python`,
    solutionBin: `${OWN_FOLDER}/solution/bin`,
    home: HOME,
  };
}

function workspaceFolder(workdir: string): string {
  const folder = path.posix.normalize(workdir).replace(/\/$/u, "");
  const taken = [
    "",
    "/tmp",
    HOME,
    "/opt",
    "/usr",
    "/etc",
    "/bin",
    "/lib",
    "/proc",
    "/sys",
    "/dev",
    "/home",
    "/root",
    "/var",
  ];
  if (folder.startsWith("/") && !taken.includes(folder) && !folder.startsWith(OWN_FOLDER)) return folder;
  throw new SlopLensError(
    "environment-invalid",
    `\`docker.workdir: ${workdir}\` cannot hold a workspace`,
    "Name an absolute folder of its own, for example /workspace.",
  );
}
