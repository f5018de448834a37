import type { ItemStatus } from "./item.js";

/**
 * The item that is begun next: of those that wait, one whose problem and agent together had the fewest tries, then whose
 * agent had, then whose problem had; the earliest of equals. So with every step all agents and all problems move, and a
 * second attempt begins when every first one has.
 * @param statuses all items of the queue, those that are over included
 */
export function nextInTurn<Plan>(statuses: readonly ItemStatus<Plan>[]): ItemStatus<Plan> | undefined {
  const begun = statuses.filter(({ tries }) => tries > 0).map(({ item }) => item);
  const rank = ({ item }: ItemStatus<Plan>): number[] => {
    const sameAgent = begun.filter(({ agent }) => agent === item.agent);
    const sameProblem = begun.filter(({ problem }) => problem === item.problem);
    const both = sameAgent.filter(({ problem }) => problem === item.problem);
    return [both.length, sameAgent.length, sameProblem.length];
  };
  const waiting = statuses.filter(({ state }) => state === "waiting");
  let best: { readonly status: ItemStatus<Plan>; readonly rank: readonly number[] } | undefined;
  for (const status of waiting) {
    const own = rank(status);
    if (best === undefined || isBefore(own, best.rank)) best = { status, rank: own };
  }
  return best?.status;
}

function isBefore(left: readonly number[], right: readonly number[]): boolean {
  const at = left.findIndex((value, index) => value !== right[index]);
  return at >= 0 && (left[at] ?? 0) < (right[at] ?? 0);
}
