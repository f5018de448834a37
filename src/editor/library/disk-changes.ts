import { pathBelow } from "../../core/model/paths.js";
import type { PackReading } from "../../core/model/problem.js";
import type { Run } from "../../core/model/run.js";

/** What has to be read anew after files changed. */
export interface Stale {
  /** Folders of known runs. */
  readonly runs: readonly string[];
  /** Folders of known packs. */
  readonly packs: readonly string[];
  /** Absolute paths that belong to nothing known: a run or a pack may have come there. */
  readonly unknown: readonly string[];
}

/** What is known of the disk. */
export interface Known {
  readonly runs: readonly Pick<Run, "folder">[];
  readonly packs: readonly Pick<PackReading, "folder">[];
}

/** Snapshots may hold files with the names of those that packs and runs are known by. */
const IN_SNAPSHOT = /(?:^|\/)\.?snapshot(?:\.tmp)?\//u;

/**
 * Which of the known runs and packs are to be read anew. A path above one counts as a change of it: of a folder that
 * goes, only the folder itself is told.
 * @param changed absolute paths of files and folders that came, changed or went
 * @param live folders of runs that tell themselves what they do, so that nothing of them has to be read
 */
export function staleAfter(
  changed: Iterable<string>,
  { runs, packs }: Known,
  live: ReadonlySet<string>,
): Stale {
  const stale = { runs: new Set<string>(), packs: new Set<string>(), unknown: new Set<string>() };
  for (const place of changed) {
    const inRuns = runs.filter(({ folder }) => touches(folder, place));
    const inPacks = packs.filter(({ folder }) => touches(folder, place));
    for (const { folder } of inRuns) if (tells(folder, place, live)) stale.runs.add(folder);
    for (const { folder } of inPacks) stale.packs.add(folder);
    if (inRuns.length + inPacks.length === 0) stale.unknown.add(place);
  }
  return { runs: [...stale.runs], packs: [...stale.packs], unknown: [...stale.unknown] };
}

/** Whether one of them holds the other, or is it. */
function touches(folder: string, place: string): boolean {
  return pathBelow(folder, place) !== undefined || pathBelow(place, folder) !== undefined;
}

/** Whether a change tells something of a run. What a snapshot holds does not; that its folder is gone, a live run cannot. */
function tells(folder: string, place: string, live: ReadonlySet<string>): boolean {
  const below = pathBelow(folder, place);
  if (below === undefined || below === "") return true;
  return !live.has(folder) && !IN_SNAPSHOT.test(below);
}
