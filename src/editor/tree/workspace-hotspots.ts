/** The callables that hold the mass of the folders of a workspace. Pure. */
import path from "node:path";
import { EXCLUDED_FOLDERS } from "../../core/analysis/excluded-folders.js";
import { pathBelow, type PathRules } from "../../core/model/paths.js";
import type { LocatedCallable, Profile } from "../../core/model/quality.js";
import { MEASURED_ENDINGS } from "../marks/counted-files.js";
import type { PlacedHotspot } from "./hotspot-rows.js";
import { ranked } from "./hotspots.js";

/** What was read of a workspace folder. */
export interface RootReading {
  readonly name: string;
  /** Absolute path of the folder. */
  readonly folder: string;
  /** Absolute paths of folders in it that are passed over. */
  readonly without: readonly string[];
  readonly profile: Profile;
  /** How many files were measured. */
  readonly files: number;
  /** Their paths start from the folder. */
  readonly callables: readonly LocatedCallable[];
}

/**
 * The hotspots of all folders together, heaviest first; of several folders each path starts with its folder's name.
 * @param uriOf the URI of an absolute path
 */
export function workspaceHotspots(
  roots: readonly RootReading[],
  uriOf: (file: string) => string,
): PlacedHotspot[] {
  const owners = new Map<LocatedCallable, RootReading>();
  for (const root of roots) for (const callable of root.callables) owners.set(callable, root);
  const callables = [...owners.keys()];
  const total = callables.reduce((sum, { mass }) => sum + mass, 0);
  return ranked(callables, total).flatMap(({ callable, share }) => {
    const owner = owners.get(callable);
    if (owner === undefined) return [];
    const { name, folder, profile } = owner;
    const root = roots.length > 1 ? name : undefined;
    const shown = root === undefined ? callable : { ...callable, path: `${root}/${callable.path}` };
    const alone = { masses: [callable.mass], before: undefined, since: undefined, was: undefined };
    return [
      { callable: shown, share, profile, root, uri: uriOf(path.join(folder, callable.path)), ...alone },
    ];
  });
}

/** Whether a file may be one that reading a folder measures, told by its place and its ending. */
export function mayBelong(
  { folder, without }: Pick<RootReading, "folder" | "without">,
  file: string,
  rules?: PathRules,
): boolean {
  const below = pathBelow(folder, file, rules);
  if (below === undefined || without.some((other) => pathBelow(other, file, rules) !== undefined)) {
    return false;
  }
  const ending = path.posix.extname(below).slice(1).toLowerCase();
  const isMeasured = MEASURED_ENDINGS.some((known) => known === ending);
  return isMeasured && !below.split("/").some((name) => EXCLUDED_FOLDERS.has(name));
}

/** Whether a file is known to be measured, because it has callables. @param file its path below the folder */
export function hasCallablesOf({ callables }: RootReading, file: string): boolean {
  return callables.some((callable) => callable.path === file);
}

/** A folder after one of its files was read anew. @param callables those that the file has now */
export function withFile(
  root: RootReading,
  file: string,
  callables: readonly LocatedCallable[],
): RootReading {
  const others = root.callables.filter((callable) => callable.path !== file);
  return { ...root, callables: [...others, ...callables.map((callable) => ({ ...callable, path: file }))] };
}
