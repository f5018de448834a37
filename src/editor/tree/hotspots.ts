/** The callables that hold the mass of a run's snapshot, or of files that are measured in the editor. */
import {
  HIGH_CC,
  type CallableMetrics,
  type LocatedCallable,
  type Profile,
  type QualityReport,
} from "../../core/model/quality.js";
import { callableId } from "../../core/report/follow-callable.js";
import type { ProblemRun } from "../../core/model/run.js";
import type { Turn } from "../../core/model/turn.js";

export interface Hotspot {
  readonly callable: LocatedCallable;
  /** Whose definitions the figures follow. */
  readonly profile: Profile;
  /** Of the mass of the scope, 0 to 1. */
  readonly share: number;
  /** Its mass at each checkpoint up to this one; undefined where it is not known. A single value without a run. */
  readonly masses: readonly (number | undefined)[];
  /** Its complexity at the checkpoint before; null when it did not exist there, undefined when that is not known. */
  readonly before: number | null | undefined;
  /** The checkpoint before, in a run. */
  readonly since: string | undefined;
  /** What it was called until a checkpoint renamed it. */
  readonly was: string | undefined;
}

/**
 * Where callables come from, by their ids: the same callable at each checkpoint up to the one that is looked at; null
 * where it did not exist, undefined where that is not known.
 */
export type Histories = ReadonlyMap<string, readonly (CallableMetrics | null | undefined)[]>;

/**
 * The hotspots of a turn's snapshot, heaviest first; none when no callable is above the threshold.
 * @param histories of those that were followed through the snapshots; of the others the same path and name tell
 * @param callables all of the snapshot; those that the turn's record keeps, where they were not read
 */
export function turnHotspots(
  part: ProblemRun,
  turn: Turn,
  histories?: Histories,
  callables = turn.quality?.heaviest,
): Hotspot[] {
  const { quality } = turn;
  if (quality === undefined || callables === undefined) return [];
  const turns = part.turns.filter(({ order }) => order <= turn.order);
  const previous = turns.at(-2);
  return ranked(callables, quality.totals.totalMass).map((entry) => {
    const known = histories?.get(callableId(entry.callable));
    const found = known ?? turns.map((other) => valueAt(other, entry.callable));
    const before = turns.length < 2 ? undefined : found.at(-2);
    return {
      ...entry,
      profile: quality.profile,
      masses: found.map((value) => (value === null ? 0 : value?.mass)),
      before: before === null ? null : before?.cc,
      since: previous?.checkpoint,
      was: earlierName(found, entry.callable),
    };
  });
}

/** The last name that differs from the present one. */
function earlierName(
  found: readonly (CallableMetrics | null | undefined)[],
  { qualifiedName }: CallableMetrics,
): string | undefined {
  const other = found.findLast((callable) => callable != null && callable.qualifiedName !== qualifiedName);
  return other?.qualifiedName;
}

/** The complex callables of a turn that an earlier one does not have, or may not have, under their path and name. */
export function unexplained(part: ProblemRun, turn: Turn): CallableMetrics[] {
  const earlier = part.turns.filter(({ order }) => order < turn.order);
  const complex = turn.quality?.heaviest.filter(({ cc }) => cc > HIGH_CC) ?? [];
  return complex.filter((callable) => earlier.some((other) => valueAt(other, callable) == null));
}

/** Null when a callable was not there; undefined when a turn does not tell, as it keeps only the heaviest. */
function valueAt({ quality }: Turn, callable: CallableMetrics): CallableMetrics | null | undefined {
  if (quality === undefined) return undefined;
  const found = quality.heaviest.find(
    ({ path, qualifiedName }) => path === callable.path && qualifiedName === callable.qualifiedName,
  );
  if (found !== undefined) return found;
  return quality.heaviest.length >= quality.totals.totalFunctions ? null : undefined;
}

/** A file that is measured in the editor. */
export interface MeasuredFile {
  /** Its URI. */
  readonly uri: string;
  readonly report: QualityReport;
}

/** The hotspots of all files together, with the file of each. */
export function fileHotspots(
  files: readonly MeasuredFile[],
): readonly (Hotspot & { readonly uri: string })[] {
  const places = new Map<CallableMetrics, MeasuredFile>();
  for (const file of files) for (const callable of file.report.functions) places.set(callable, file);
  const total = files.reduce((sum, { report }) => sum + report.overall.totalMass, 0);
  return ranked([...places.keys()], total).flatMap((entry) => {
    const file = places.get(entry.callable);
    if (file === undefined) return [];
    const { uri, report } = file;
    const masses = [entry.callable.mass];
    const alone = { masses, before: undefined, since: undefined, was: undefined };
    return [{ ...entry, uri, profile: report.profile, ...alone }];
  });
}

/** Heaviest first, with shares of a mass; none when no callable is above the threshold. */
export function ranked<Callable extends LocatedCallable>(
  callables: readonly Callable[],
  totalMass: number,
): { readonly callable: Callable; readonly share: number }[] {
  if (!callables.some(({ cc }) => cc > HIGH_CC)) return [];
  return [...callables]
    .sort((a, b) => b.mass - a.mass)
    .map((callable) => ({ callable, share: totalMass === 0 ? 0 : callable.mass / totalMass }));
}
