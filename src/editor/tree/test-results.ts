/** The outcomes of a problem's newest run, as VS Code's Testing view takes them. */
import type { TestOutcome } from "../../core/model/outcome.js";
import { GROUPS, type Group } from "../../core/model/problem.js";
import type { Turn } from "../../core/model/turn.js";
import { isFinished, runsOf, type LibraryState, type RunPart } from "../library/state.js";

/** The newest run of each problem that finished a turn, by the problem's name. */
export function newestRuns(state: LibraryState): ReadonlyMap<string, RunPart> {
  const names = new Set(state.runs.flatMap((run) => run.problems.map(({ problem }) => problem)));
  const newest = new Map<string, RunPart>();
  for (const name of [...names].sort()) {
    const found = runsOf(state, name).find(({ part }) => part.turns.some(isFinished));
    if (found !== undefined) newest.set(name, found);
  }
  return newest;
}

/** The turns of a run that have outcomes to show. */
export function turnsWithOutcomes({ part }: RunPart): Turn[] {
  return part.turns.filter((turn) => isFinished(turn) && turn.outcomes.length > 0);
}

/** Outcomes by group, in the order of groups; groups without any are left out. */
export function byGroup(outcomes: readonly TestOutcome[]): [Group, TestOutcome[]][] {
  return GROUPS.map((group): [Group, TestOutcome[]] => [
    group,
    outcomes.filter((outcome) => outcome.group === group),
  ]).filter(([, own]) => own.length > 0);
}

/** Id of a test's item, unique in its group. */
export function testItemId({ checkpoint, id }: TestOutcome): string {
  return `${checkpoint}/${id}`;
}
