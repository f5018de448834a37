import { GROUPS, type Group } from "../model/problem.js";
import type { ProblemRun, Run } from "../model/run.js";
import type { Turn } from "../model/turn.js";
import { change, integer, ratio } from "./format.js";
import { erosionOf, verbosityOf } from "./ratios.js";
import { runPolicyWords } from "./policy-words.js";
import { agentRunLabel } from "./run-label.js";
import { type TableColumn, type TextTable, withoutEmptyColumns } from "./text-table.js";

const COLUMNS: readonly TableColumn[] = [
  { title: "checkpoint", align: "left" },
  { title: "verdict", align: "left" },
  ...GROUPS.map((group): TableColumn => ({ title: group, align: "right" })),
  { title: "erosion", align: "left" },
  { title: "verbosity", align: "left" },
  { title: "SLOC", align: "right" },
  { title: "high CC", align: "right" },
];

/**
 * One trajectory as a table: a row a checkpoint with verdict, passed tests by group, erosion and verbosity with their
 * change against the checkpoint before, source lines, and the number of callables with high complexity. Checkpoints that
 * were not asked for have no row (see {@link notAskedLine}), and columns without any value are left out.
 */
export function trajectoryTable(trajectory: ProblemRun): TextTable {
  const turns = trajectory.turns.filter(({ verdict }) => verdict !== "skipped");
  const rows = turns.map((turn, index) => row(turn, turns[index - 1]));
  return withoutEmptyColumns({ columns: COLUMNS, rows });
}

/**
 * Names the checkpoints that were not asked for, neighbours as a range: `not asked for: checkpoint_3 … checkpoint_6`.
 * @returns undefined when all were asked for
 */
export function notAskedLine({ turns }: ProblemRun): string | undefined {
  const ranges: string[][] = [];
  turns.forEach(({ verdict, checkpoint }, index) => {
    if (verdict !== "skipped") return;
    if (turns[index - 1]?.verdict === "skipped") ranges.at(-1)?.push(checkpoint);
    else ranges.push([checkpoint]);
  });
  return ranges.length === 0 ? undefined : `not asked for: ${ranges.map(rangeText).join(", ")}`;
}

function rangeText(names: readonly string[]): string {
  return names.length > 2 ? `${names[0]} … ${names.at(-1)}` : names.join(", ");
}

/** Reasons that stand below the table: a line for each turn whose verdict alone does not tell. */
export function reasonLines(trajectory: ProblemRun): string[] {
  return trajectory.turns.flatMap(({ checkpoint, reason }) =>
    reason === undefined ? [] : [`${checkpoint}: ${reason}`],
  );
}

/** Checkpoints that were judged by the tests of earlier ones alone: a line each. */
export function ownTestsLines({ turns }: ProblemRun): string[] {
  return turns.flatMap(({ checkpoint, outcomes }) =>
    outcomes.length === 0 || outcomes.some((outcome) => outcome.checkpoint === checkpoint)
      ? []
      : [`${checkpoint}: 0 tests of its own were run, only those of earlier checkpoints`],
  );
}

/** What a run was made and measured with, in one line: `shelf · replay: reference · Docker · profile scb-0.1.3`. Its agent is named in full. */
export function runHeading(run: Run, trajectory: ProblemRun): string {
  const profiles = new Set(trajectory.turns.flatMap(({ quality }) => quality?.profile ?? []));
  const measured = profiles.size === 0 ? [] : [`profile ${[...profiles].join(", ")}`];
  const policy = runPolicyWords(run);
  return [trajectory.problem, agentRunLabel(run), policy, isolationLabel(run), ...measured]
    .filter((part) => part !== "")
    .join(" · ");
}

function isolationLabel(run: Run): string {
  switch (run.isolation) {
    case "docker":
      return "Docker";
    case "local":
      return "local, not isolated";
    case "unknown":
      return "isolation unknown";
  }
}

function row(turn: Turn, before: Turn | undefined): string[] {
  return [
    turn.checkpoint,
    turn.verdict ?? "in progress",
    ...GROUPS.map((group) => groupCell(turn, group)),
    withChange(erosionOf(turn), erosionOf(before)),
    withChange(verbosityOf(turn), verbosityOf(before)),
    integer(turn.quality?.totals.totalLoc),
    integer(turn.quality?.totals.highCcFunctions),
  ];
}

function groupCell(turn: Turn, group: Group): string {
  const { passed, failed, skipped } = turn.counts[group];
  const parts = [
    ...(passed + failed === 0 ? [] : [`${passed} of ${passed + failed}`]),
    ...(skipped === 0 ? [] : [`${skipped} skipped`]),
  ];
  return parts.length === 0 ? "–" : parts.join(", ");
}

function withChange(value: number | undefined, before: number | undefined): string {
  const difference = change(value, before);
  return difference === "" ? ratio(value) : `${ratio(value)} ${difference}`;
}
