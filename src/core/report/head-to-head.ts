/** Two turns at one checkpoint, test by test. Pure. */
import type { TestOutcome } from "../model/outcome.js";
import { GROUPS, type Group } from "../model/problem.js";
import type { ProblemRun } from "../model/run.js";
import type { Turn } from "../model/turn.js";

export interface ComparedTest {
  readonly id: string;
  /** Checkpoint whose test file holds the test. */
  readonly checkpoint: string;
  readonly group: Group;
}

/** Passed tests of a group among those that both turns have. */
export interface GroupPair {
  readonly group: Group;
  readonly a: number;
  readonly b: number;
  readonly total: number;
}

export interface HeadToHead {
  /** Tests that both scored; only these are compared. */
  readonly common: number;
  /** Whether each scored the same tests. */
  readonly sameTests: boolean;
  readonly both: number;
  readonly neither: number;
  readonly onlyA: readonly ComparedTest[];
  readonly onlyB: readonly ComparedTest[];
  /** Groups without a common test are left out. */
  readonly groups: readonly GroupPair[];
}

/** Orders of the checkpoints that both runs took, ascending; only there they can be compared. */
export function sharedOrders(a: Pick<ProblemRun, "turns">, b: Pick<ProblemRun, "turns">): readonly number[] {
  const theirs = new Set(b.turns.filter(wasTaken).map(({ order }) => order));
  return a.turns.filter((turn) => wasTaken(turn) && theirs.has(turn.order)).map(({ order }) => order);
}

function wasTaken({ verdict }: Turn): boolean {
  return verdict !== "not-reached" && verdict !== "skipped";
}

/** Compares the outcomes of two turns; skipped tests are not scored, an error counts as failed. */
export function headToHead(a: readonly TestOutcome[], b: readonly TestOutcome[]): HeadToHead {
  const [left, right] = [scored(a), scored(b)];
  const common = [...left].flatMap(([key, mine]) => {
    const theirs = right.get(key);
    return theirs === undefined ? [] : [{ test: mine, a: isPassed(mine), b: isPassed(theirs) }];
  });
  const tests = (pick: (pair: (typeof common)[number]) => boolean): ComparedTest[] =>
    common.filter(pick).map(({ test: { id, checkpoint, group } }) => ({ id, checkpoint, group }));
  return {
    common: common.length,
    sameTests: common.length === left.size && common.length === right.size,
    both: common.filter((pair) => pair.a && pair.b).length,
    neither: common.filter((pair) => !pair.a && !pair.b).length,
    onlyA: tests((pair) => pair.a && !pair.b),
    onlyB: tests((pair) => !pair.a && pair.b),
    groups: GROUPS.flatMap((group) => {
      const here = common.filter(({ test }) => test.group === group);
      const passed = (side: "a" | "b"): number => here.filter((pair) => pair[side]).length;
      return here.length === 0 ? [] : [{ group, a: passed("a"), b: passed("b"), total: here.length }];
    }),
  };
}

function scored(outcomes: readonly TestOutcome[]): ReadonlyMap<string, TestOutcome> {
  const run = outcomes.filter(({ status }) => status !== "skipped");
  return new Map(run.map((outcome) => [`${outcome.checkpoint}\0${outcome.id}`, outcome]));
}

function isPassed({ status }: TestOutcome): boolean {
  return status === "passed";
}
