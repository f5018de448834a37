import Docker from "dockerode";

import type { DockerSettings, Environment } from "../../src/core/model/environment.js";
import { DockerSandbox } from "../../src/core/sandbox/docker/docker-sandbox.js";
import { LABEL } from "../../src/core/sandbox/docker/labels.js";
import { readMade } from "../../src/core/sandbox/docker/own-images.js";
import { formatStamp, ownStamp } from "../../src/core/sandbox/process-stamp.js";
import { environment, HARNESS } from "../unit/sandbox/support.js";
import { IMAGE } from "../support/image.js";

export { IMAGE };
/** The tests' own connection, to look at what the sandbox does from outside. */
export const engine = new Docker();

export function dockerEnvironment(
  settings: Partial<DockerSettings> = {},
  changes: Partial<Environment> = {},
): Environment {
  const docker = {
    image: IMAGE,
    workdir: "/workspace",
    extraMounts: {},
    network: undefined,
    user: undefined,
    ...settings,
  };
  return environment({ type: "docker", docker, ...changes });
}

export function newSandbox(): DockerSandbox {
  return new DockerSandbox({ harness: HARNESS });
}

/** Containers of this very process that still exist. */
export async function ownContainers(): Promise<string[]> {
  const filters = { label: [`slop-lens.process=${formatStamp(ownStamp())}`] };
  return (await engine.listContainers({ all: true, filters })).map((container) => container.Id);
}

/** Ids of derived images that were made for a user with this id. */
export async function imagesOfUser(uid: number): Promise<string[]> {
  const images = await engine.listImages({ filters: { label: ["slop-lens.kind=derived"] } });
  return images.filter(({ Labels }) => readMade(Labels[LABEL.made])?.uid === uid).map(({ Id }) => Id);
}

export async function removeImages(names: readonly string[]): Promise<void> {
  for (const name of names) await engine.getImage(name).remove();
}
