import { isDead, parseStamp } from "../process-stamp.js";
import type { Engine } from "./engine.js";
import { LABEL } from "./labels.js";

/**
 * Removes containers of ours whose process, on this host, has ended without removing them.
 * @returns ids of the removed containers
 */
export async function removeOrphans(engine: Engine, signal: AbortSignal): Promise<string[]> {
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
      const stamp = parseStamp(Labels[LABEL.process]);
      if (stamp === undefined || !isDead(stamp)) continue;
      const removal = engine.docker.getContainer(Id).remove({ force: true, v: true });
      await engine.find("removing a container", removal, { signal });
      removed.push(Id);
    }
  }
  return removed;
}
