import { homedir } from "node:os";
import path from "node:path";

import type Docker from "dockerode";

import type { Environment } from "../../model/environment.js";
import type { SessionLimits, SessionRequest } from "../sandbox.js";
import type { EngineInfo } from "./engine.js";

const GIB = 1024 ** 3;
/** Processes and threads in a container, where the caller names no number. */
const DEFAULT_PIDS = 512;
/** Bytes that a container may take where the caller names no number. */
export const DEFAULT_MEMORY = 4 * GIB;
/** Engines refuse less than 6 MiB. */
const LEAST_MEMORY = 6 * 1024 * 1024;

/** Limits that the engine accepts: never more than the machine has. Undefined numbers become defaults. */
export function limitOptions(limits: SessionLimits, info: EngineInfo): Docker.HostConfig {
  const most = info.MemTotal > 0 ? info.MemTotal : Infinity;
  const memory = Math.max(LEAST_MEMORY, Math.min(limits.memoryBytes ?? DEFAULT_MEMORY, most));
  const cpus = limits.cpus === undefined ? undefined : Math.min(limits.cpus, info.NCPU);
  return {
    Memory: memory,
    // The same number as Memory: no swap on top of it.
    MemorySwap: memory,
    PidsLimit: limits.pids ?? DEFAULT_PIDS,
    ...fileSizeOption(limits),
    ...(cpus === undefined ? {} : { NanoCpus: Math.round(cpus * 1e9) }),
  };
}

/** What may be written in all holds for a single file too, also for one that is deleted while it is open. */
function fileSizeOption({ diskBytes }: SessionLimits): Pick<Docker.HostConfig, "Ulimits"> {
  return diskBytes === undefined ? {} : { Ulimits: [{ Name: "fsize", Soft: diskBytes, Hard: diskBytes }] };
}

/** Host settings for code that nobody vouches for. */
export function hardenedOptions(
  limits: SessionLimits,
  info: EngineInfo,
  environment: Environment,
): Docker.HostConfig {
  return {
    ...limitOptions(limits, info),
    CapDrop: ["ALL"],
    SecurityOpt: ["no-new-privileges"],
    // Under an init of the engine's own, the tests' report channel could be reached by the solution.
    Init: false,
    // Output goes through the attach stream; a log file would only fill the engine's disk.
    LogConfig: { Type: "none", Config: {} },
    Mounts: mounts(environment),
  };
}

/** Network of a session without a list of hosts: as asked, else the environment's, else none for evaluations. */
export function sessionNetwork(
  environment: Environment,
  { network, purpose }: Pick<SessionRequest, "network" | "purpose">,
): string {
  // Who wants a network wants the one that the environment has.
  if (network === "none") return "none";
  return environment.docker?.network ?? (network === "bridge" || purpose === "agent" ? "bridge" : "none");
}

/** Network while packages are installed; an environment without network still needs its packages. */
export function installNetwork(environment: Environment): string {
  const network = environment.docker?.network;
  return network === undefined || network === "none" ? "bridge" : network;
}

/** The environment's `extra_mounts`. A host path that is missing is refused by the engine, not made. */
export function mounts(environment: Environment): Docker.MountSettings[] {
  return Object.entries(environment.docker?.extraMounts ?? {}).map(([host, where]) => {
    const [target = "", mode = "rw"] = where.split(":");
    const source = host.startsWith("~/") ? path.join(homedir(), host.slice(2)) : path.resolve(host);
    return { Type: "bind", Source: source, Target: target, ReadOnly: mode.split(",").includes("ro") };
  });
}
