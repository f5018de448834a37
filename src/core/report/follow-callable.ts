/** One callable through the snapshots of a trajectory, also where it was renamed or moved. Pure. */
import type { CallableMetrics } from "../model/quality.js";

/** Names a callable among those of one snapshot, and over snapshots while nobody renames or moves it. */
export function callableId({ path, qualifiedName }: Pick<CallableMetrics, "path" | "qualifiedName">): string {
  return `${path}#${qualifiedName}`;
}

/** The callables of one snapshot. */
export interface SnapshotCallables {
  readonly callables: readonly CallableMetrics[];
  /** Of the snapshot's mass, all callables together. */
  readonly totalMass: number;
  /** The lines of a callable, signature first; empty when they cannot be read. */
  readonly linesOf: (callable: CallableMetrics) => Promise<readonly string[]>;
}

/** Two bodies with at least this part of their lines in common are one callable. */
const ALIKE = 0.5;
/** Fewer common lines say nothing: many short functions are alike. */
const FEWEST_COMMON = 3;

/**
 * Finds a callable in every snapshot, walking away from the one where it was pointed at: by its path and qualified
 * name, else among the callables that have no namesake in the snapshot before by the lines of their bodies (Dice
 * coefficient of at least 0.5, the highest wins).
 * @param snapshots in checkpoint order; undefined where there is none
 * @param at index of the snapshot that holds `id`
 * @returns the callable in each snapshot; undefined where it does not exist
 */
export async function followCallable(
  snapshots: readonly (SnapshotCallables | undefined)[],
  at: number,
  id: string,
): Promise<(CallableMetrics | undefined)[]> {
  const origin = snapshots[at];
  const start = origin?.callables.find((callable) => callableId(callable) === id);
  const found = snapshots.map((): CallableMetrics | undefined => undefined);
  if (origin === undefined || start === undefined) return found;
  found[at] = start;
  for (const direction of [1, -1]) {
    let last = { snapshot: origin, callable: start };
    for (let index = at + direction; index >= 0 && index < snapshots.length; index += direction) {
      const snapshot = snapshots[index];
      const callable = snapshot && (await counterpart(last, snapshot));
      if (snapshot === undefined || callable === undefined) continue;
      found[index] = callable;
      last = { snapshot, callable };
    }
  }
  return found;
}

interface Placed {
  readonly snapshot: SnapshotCallables;
  readonly callable: CallableMetrics;
}

async function counterpart(
  { snapshot: known, callable }: Placed,
  snapshot: SnapshotCallables,
): Promise<CallableMetrics | undefined> {
  const id = callableId(callable);
  const namesake = snapshot.callables.find((other) => callableId(other) === id);
  if (namesake !== undefined) return namesake;
  const taken = new Set(known.callables.map(callableId));
  const lines = bodyOf(await known.linesOf(callable));
  let best: { readonly callable: CallableMetrics; readonly likeness: number } | undefined;
  for (const other of snapshot.callables.filter((candidate) => !taken.has(callableId(candidate)))) {
    const likeness = likenessOf(lines, bodyOf(await snapshot.linesOf(other)));
    if (likeness >= ALIKE && likeness > (best?.likeness ?? 0)) best = { callable: other, likeness };
  }
  return best?.callable;
}

/** The lines below the signature without indentation and without empty ones. */
function bodyOf(lines: readonly string[]): readonly string[] {
  return lines
    .slice(1)
    .map((line) => line.trim())
    .filter((line) => line !== "");
}

/** Dice coefficient of two bags of lines; 0 when too few are common. */
function likenessOf(a: readonly string[], b: readonly string[]): number {
  const left = new Map<string, number>();
  for (const line of a) left.set(line, (left.get(line) ?? 0) + 1);
  let common = 0;
  for (const line of b) {
    const count = left.get(line) ?? 0;
    if (count === 0) continue;
    left.set(line, count - 1);
    common += 1;
  }
  return common < FEWEST_COMMON ? 0 : (2 * common) / (a.length + b.length);
}
