/** How a hidden test ended at each checkpoint of a run. */
import { l10n } from "vscode";
import type { TestIdentity, TestStatus } from "../../core/model/outcome.js";
import type { ProblemRun } from "../../core/model/run.js";
import type { Turn } from "../../core/model/turn.js";
import { listed, statusWords } from "../words.js";

/** How a test ended at one checkpoint. An error of setup or teardown counts as failed. */
export interface TestRecord {
  readonly checkpoint: string;
  readonly status: "passed" | "failed" | "skipped";
}

/** With more different ends than this, only their number is told. */
const MOST_NAMED = 3;

type TurnIndex = ReadonlyMap<string, TestStatus>;
/** Turns are immutable, so that each is looked through once. */
const indexes = new WeakMap<Turn, TurnIndex>();

function indexOf(turn: Turn): TurnIndex {
  const known = indexes.get(turn);
  if (known !== undefined) return known;
  const index = new Map(turn.outcomes.map((outcome) => [keyOf(outcome), outcome.status]));
  indexes.set(turn, index);
  return index;
}

function keyOf({ checkpoint, id }: TestIdentity): string {
  return `${checkpoint}\n${id}`;
}

/** The records of a test from its first checkpoint up to that of `turn`, in order; checkpoints without it are left out. */
export function testHistory(part: ProblemRun, turn: Turn, test: TestIdentity): TestRecord[] {
  const key = keyOf(test);
  return part.turns.flatMap((other): TestRecord[] => {
    const status = other.order > turn.order ? undefined : indexOf(other).get(key);
    if (status === undefined) return [];
    return [{ checkpoint: other.checkpoint, status: status === "error" ? "failed" : status }];
  });
}

/** Whether a test did not end alike at all checkpoints. */
export function hasChanged(history: readonly TestRecord[]): boolean {
  return history.some(({ status }) => status !== history[0]?.status);
}

const regressed = new WeakMap<ProblemRun, ReadonlySet<Turn>>();

/** The turns of a run's part in which a test fails that passed at an earlier one. Each part is looked through once. */
export function turnsWithRegressions(part: ProblemRun): ReadonlySet<Turn> {
  const known = regressed.get(part);
  if (known !== undefined) return known;
  /** By checkpoint, because joined keys of a large library take longer than all else. */
  const passed = new Map<string, Set<string>>();
  const found = new Set<Turn>();
  for (const turn of part.turns) {
    for (const { checkpoint, id, status } of turn.outcomes) {
      const ids = passed.get(checkpoint) ?? new Set();
      passed.set(checkpoint, ids);
      if (status === "passed") ids.add(id);
      else if (status !== "skipped" && ids.has(id)) found.add(turn);
    }
  }
  regressed.set(part, found);
  return found;
}

/** Whether a test that fails now passed at an earlier checkpoint. */
export function isRegression(history: readonly TestRecord[]): boolean {
  return history.at(-1)?.status === "failed" && history.some(({ status }) => status === "passed");
}

/** `passed, passed, failed since 3`; empty when there is one record or none. */
export function historyWords(history: readonly TestRecord[]): string {
  const last = history.at(-1);
  if (last === undefined || history.length < 2) return "";
  const begun = history.findLastIndex(({ status }) => status !== last.status) + 1;
  const since = history[begun]?.checkpoint ?? "";
  const before = history.slice(0, begun).map(({ status }) => status);
  const now = l10n.t("{0} since {1}", statusWords(last.status), shortName(since));
  return listed([...streaks(before), now]);
}

/** Each end by its word, or `passed 5 times` where there are many. */
function streaks(statuses: readonly TestRecord["status"][]): string[] {
  if (statuses.length <= MOST_NAMED) return statuses.map(statusWords);
  const found: { readonly status: TestRecord["status"]; count: number }[] = [];
  for (const status of statuses) {
    const open = found.at(-1);
    if (open?.status === status) open.count += 1;
    else found.push({ status, count: 1 });
  }
  if (found.length > MOST_NAMED) return [l10n.t("changed {0} times", found.length)];
  return found.map(({ status, count }) => {
    const word = statusWords(status);
    return count === 1 ? word : l10n.t("{0} {1} times", word, count);
  });
}

/** `3` for `checkpoint_3`. */
function shortName(checkpoint: string): string {
  return /^checkpoint_(\d+)$/.exec(checkpoint)?.[1] ?? checkpoint;
}
