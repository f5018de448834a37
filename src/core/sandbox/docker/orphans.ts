import { isDead, parseStamp } from "../process-stamp.js";
import { isAbandoned } from "./containers.js";
import type { Engine } from "./engine.js";
import { LABEL } from "./labels.js";

/**
 * Removes containers and networks of ours whose process, on this host, has ended without removing them, and containers
 * that this process could not remove while the engine was gone. Images in the making are containers too.
 * @returns ids of what was removed
 */
export async function removeOrphans(engine: Engine, signal: AbortSignal): Promise<string[]> {
  const containers = await removeContainers(engine, signal);
  return [...containers, ...(await removeNetworks(engine, signal))];
}

async function removeNetworks(engine: Engine, signal: AbortSignal): Promise<string[]> {
  const removed: string[] = [];
  const filters = { label: [`${LABEL.kind}=session`] };
  const what = "listing networks";
  for (const { Id, Labels } of await engine.call(what, engine.docker.listNetworks({ filters }), { signal })) {
    if (!isLeftBehind(Labels)) continue;
    // One that somebody still hangs on stays for the next time.
    const removal = engine.docker.getNetwork(Id).remove();
    await engine.raw("removing a network", removal, { signal }).then(
      () => removed.push(Id),
      () => undefined,
    );
  }
  return removed;
}

async function removeContainers(engine: Engine, signal: AbortSignal): Promise<string[]> {
  const removed: string[] = [];
  for (const kind of ["session", "build"]) {
    const filters = { label: [`${LABEL.kind}=${kind}`] };
    const list = await engine.call(
      "listing containers",
      engine.docker.listContainers({ all: true, filters }),
      {
        signal,
      },
    );
    for (const { Id, Labels } of list) {
      if (!isLeftBehind(Labels) && !isAbandoned(Id)) continue;
      const removal = engine.docker.getContainer(Id).remove({ force: true, v: true });
      await engine.find("removing a container", removal, { signal });
      removed.push(Id);
    }
  }
  return removed;
}

function isLeftBehind(labels: Readonly<Record<string, string>> | undefined): boolean {
  const stamp = parseStamp(labels?.[LABEL.process]);
  return stamp !== undefined && isDead(stamp);
}
