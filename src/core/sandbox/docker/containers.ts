import type Docker from "dockerode";

import { ABORT_GRACE, cancelled, within } from "../deadline.js";
import type { Engine } from "./engine.js";

/** How long a removal may take, in milliseconds. */
const REMOVAL_DEADLINE = 30_000;

/**
 * Creates a container. One that comes to be after its request was given up is removed again.
 * @throws the engine's refusal as it is, SlopLensError engine-lost, cancelled
 */
export async function createContainer(
  engine: Engine,
  options: Docker.ContainerCreateOptions,
  signal: AbortSignal,
): Promise<Docker.Container> {
  const creation = engine.docker.createContainer(options);
  try {
    return await engine.raw("creating a container", creation, { signal });
  } catch (error) {
    const removal = creation.then(
      (late) => removeContainer(engine, late),
      () => undefined,
    );
    await within(removal, { milliseconds: ABORT_GRACE, onExpiry: cancelled }).catch(() => undefined);
    throw error;
  }
}

/** Ids of containers that this process is done with and could not remove: their agents may still be at work. */
const abandoned = new Set<string>();

/** Whether this process is done with a container that is there all the same. */
export function isAbandoned(id: string): boolean {
  return abandoned.has(id);
}

/**
 * Removes a container, running or not. Never throws: a lost engine cannot remove anything. When it answers again, or by
 * its labels at a later start, the container is found as an orphan.
 */
export async function removeContainer(
  engine: Engine,
  container: Docker.Container,
  deadline = REMOVAL_DEADLINE,
): Promise<void> {
  await engine.raw("removing a container", container.remove({ force: true, v: true }), { deadline }).then(
    () => abandoned.delete(container.id),
    () => abandoned.add(container.id),
  );
}
