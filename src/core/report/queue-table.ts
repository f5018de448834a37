import type { Run } from "../model/run.js";
import { ratio, share } from "./format.js";
import { meanOf } from "./mean.js";
import { erosionOf } from "./ratios.js";
import { withoutEmptyColumns, type TableColumn, type TextTable } from "./text-table.js";
import { scoredTurns, SCORES, turnScore } from "./turn-scores.js";

/** One trajectory of a queue, as its table sees it. */
export interface QueueEntry {
  readonly problem: string;
  readonly agent: string;
  /** Whether it was taken to its end. */
  readonly finished: boolean;
  /** Undefined for one that never began. */
  readonly run: Run | undefined;
}

const COLUMNS: readonly TableColumn[] = [
  { title: "problem", align: "left" },
  { title: "agent", align: "left" },
  { title: "finished", align: "right" },
  ...SCORES.map((title): TableColumn => ({ title, align: "right" })),
  { title: "erosion", align: "right" },
];
const ALL = "all";

/**
 * A queue as a table: a row for each problem and agent with the means over the turns of all attempts that say something about the agent, and below them,
 * where there are several problems, one for each agent over all. Erosion is that of the last checkpoints.
 */
export function queueTable(entries: readonly QueueEntry[]): TextTable {
  const pairs = groups(entries, ({ problem, agent }) => JSON.stringify([problem, agent]));
  const agents = groups(entries, ({ agent }) => agent);
  const several = pairs.length > agents.length;
  const rows = [
    ...pairs.map((own) => row(own, own[0]?.problem ?? "")),
    ...(several ? agents.map((own) => row(own, ALL)) : []),
  ];
  return withoutEmptyColumns({ columns: COLUMNS, rows });
}

function row(entries: readonly QueueEntry[], problem: string): string[] {
  const parts = entries.flatMap(({ run }) => run?.problems ?? []);
  const turns = entries.flatMap(({ run }) => run?.problems.flatMap((part) => scoredTurns(part, run)) ?? []);
  const erosions = parts.map((part) =>
    part.turns.map(erosionOf).findLast((erosion) => erosion !== undefined),
  );
  return [
    problem,
    entries[0]?.agent ?? "",
    `${entries.filter(({ finished }) => finished).length} of ${entries.length}`,
    ...SCORES.map((score) => share(meanOf(turns.map((turn) => turnScore(turn, score))))),
    ratio(meanOf(erosions)),
  ];
}

/** In the order of their first members. */
function groups<Value>(values: readonly Value[], keyOf: (value: Value) => string): Value[][] {
  const found = new Map<string, Value[]>();
  for (const value of values) {
    const key = keyOf(value);
    const known = found.get(key);
    if (known === undefined) found.set(key, [value]);
    else known.push(value);
  }
  return [...found.values()];
}
