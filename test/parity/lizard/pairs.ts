import type { LizardFunction } from "./lizard.js";
import type { OurCallable } from "./ours.js";

export interface Pair {
  readonly ours: OurCallable;
  readonly theirs: LizardFunction;
}

export interface Pairing {
  readonly pairs: readonly Pair[];
  readonly oursOnly: readonly OurCallable[];
  readonly theirsOnly: readonly LizardFunction[];
}

/** Finds for each callable of a file the function that lizard has for it: same name or first line, lines in common. */
export function pairUp(ours: readonly OurCallable[], theirs: readonly LizardFunction[]): Pairing {
  const candidates = ours.flatMap((own) =>
    theirs.map((other) => ({ ours: own, theirs: other, cost: costOf(own, other) })),
  );
  const pairs: Pair[] = [];
  const taken = new Set<OurCallable | LizardFunction>();
  for (const { cost, ...pair } of candidates.sort((a, b) => a.cost - b.cost)) {
    if (cost === Infinity || taken.has(pair.ours) || taken.has(pair.theirs)) continue;
    taken.add(pair.ours).add(pair.theirs);
    pairs.push(pair);
  }
  return {
    pairs: pairs.sort((a, b) => a.ours.start - b.ours.start),
    oursOnly: ours.filter((own) => !taken.has(own)),
    theirsOnly: theirs.filter((other) => !taken.has(other)),
  };
}

function costOf(ours: OurCallable, theirs: LizardFunction): number {
  if (theirs.start > ours.end || theirs.end < ours.start) return Infinity;
  const away = Math.abs(ours.start - theirs.start) + Math.abs(ours.end - theirs.end) / 1000;
  if (simpleName(theirs.name) === simpleName(ours.name)) return away;
  return ours.start === theirs.start && Math.abs(ours.end - theirs.end) <= 1 ? away + 1 : Infinity;
}

/** Last part of a name, without what languages put around it. */
function simpleName(name: string): string {
  return (
    name
      .replace(/^(?:get|set) /, "")
      .split(/::|\.(?=[^.]+$)/)
      .at(-1)
      ?.replace(/[^\p{L}\p{N}_$~]/gu, "") ?? name
  );
}
