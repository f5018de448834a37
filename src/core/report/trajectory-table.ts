import { GROUPS, type Group } from "../model/problem.js";
import type { ProblemRun, Run } from "../model/run.js";
import type { Turn } from "../model/turn.js";
import { change, integer, ratio } from "./format.js";
import { erosionOf, verbosityOf } from "./ratios.js";
import type { TableColumn, TextTable } from "./text-table.js";

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
 * change against the checkpoint before, source lines, and the number of callables with high complexity.
 */
export function trajectoryTable(trajectory: ProblemRun): TextTable {
  const rows = trajectory.turns.map((turn, index) => row(turn, trajectory.turns[index - 1]));
  return { columns: COLUMNS, rows };
}

/** Reasons that stand below the table: a line for each turn whose verdict alone does not tell. */
export function reasonLines(trajectory: ProblemRun): string[] {
  return trajectory.turns.flatMap(({ checkpoint, reason }) =>
    reason === undefined ? [] : [`${checkpoint}: ${reason}`],
  );
}

const LONGEST_DETAIL = 60;

/** What a run was made with, in one line: `shelf · replay: solutions · Docker`. */
export function runHeading(run: Run, trajectory: ProblemRun): string {
  const { type, detail } = run.agent;
  const agent = detail === undefined ? type : `${type}: ${shorten(detail)}`;
  return [trajectory.problem, agent, isolationLabel(run)].join(" · ");
}

function shorten(detail: string): string {
  const line = detail.replaceAll(/\s+/gu, " ").trim();
  return line.length > LONGEST_DETAIL ? `${line.slice(0, LONGEST_DETAIL - 1)}…` : line;
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
  const { passed, failed } = turn.counts[group];
  return passed + failed === 0 ? "–" : `${passed} of ${passed + failed}`;
}

function withChange(value: number | undefined, before: number | undefined): string {
  const difference = change(value, before);
  return difference === "" ? ratio(value) : `${ratio(value)} ${difference}`;
}
