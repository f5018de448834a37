import type { GroupCount } from "../model/outcome.js";
import { GROUPS } from "../model/problem.js";
import type { Group, Problem } from "../model/problem.js";
import type { QualityReport } from "../model/quality.js";
import type { Turn } from "../model/turn.js";
import type { SnapshotDiff } from "./diff-file.js";
import { Fields } from "../model/fields.js";
import { functionsSection } from "./quality-files.js";

/** One line of `checkpoint_results.jsonl`: flat, by the names of SCB's releases since May 2026. */
export type ResultRow = Readonly<Record<string, unknown>>;

export interface TurnFigures {
  readonly turn: Turn;
  readonly problem: Problem;
  readonly diff: SnapshotDiff | undefined;
  readonly quality: QualityReport | undefined;
}

/** A turn as a line of `checkpoint_results.jsonl`, as far as it is known. */
export function resultRow(figures: TurnFigures): ResultRow {
  const { turn, problem, diff } = figures;
  const failed = turn.verdict === "agent-error" || turn.verdict === "agent-timeout";
  return {
    problem: problem.name,
    version: problem.version,
    checkpoint: turn.checkpoint,
    path: problem.name,
    idx: turn.order,
    state: failed ? "error" : "ran",
    is_first: turn.order === 1,
    is_last: turn.order === problem.checkpoints.length,
    ...testColumns(turn),
    started: turn.startedAt,
    ended: turn.finishedAt,
    ...usageColumns(turn),
    ...(diff === undefined ? {} : { lines_added: diff.linesAdded, lines_removed: diff.linesRemoved }),
    ...qualityColumns(figures.quality),
  };
}

function testColumns({ counts }: Turn): ResultRow {
  const own: readonly Group[] = ["Core", "Functionality", "Error"];
  const all = add(GROUPS.map((group) => counts[group]));
  const byGroup = GROUPS.flatMap((group): [string, number][] => [
    [`${group.toLowerCase()}_total`, ran(counts[group])],
    [`${group.toLowerCase()}_passed`, counts[group].passed],
  ]);
  return {
    strict_pass_rate: rate(all),
    isolated_pass_rate: rate(add(own.map((group) => counts[group]))),
    core_pass_rate: rate(counts.Core),
    total_tests: ran(all),
    passed_tests: all.passed,
    ...Object.fromEntries(byGroup),
  };
}

function usageColumns({ usage }: Turn): ResultRow {
  return {
    duration: usage.agentSeconds ?? 0,
    cost: usage.costUsd ?? 0,
    steps: usage.steps ?? 0,
    input: usage.inputTokens ?? 0,
    output: usage.outputTokens ?? 0,
    cache_read: usage.cacheReadTokens ?? 0,
    cache_write: usage.cacheWriteTokens ?? 0,
    reasoning: usage.reasoningTokens ?? 0,
  };
}

function qualityColumns(report: QualityReport | undefined): ResultRow {
  if (report === undefined) return {};
  const { totals, functions, matches } = report;
  const share = (lines: number): number => (totals.totalLoc === 0 ? 0 : lines / totals.totalLoc);
  const methods = functions.filter(({ kind }) => kind === "method").length;
  const figures = functionsSection(functions);
  return {
    sloc: totals.totalLoc,
    files: totals.filesScanned,
    functions: functions.length - methods,
    methods,
    symbols_total: functions.length,
    cc_max: figures["cc_max"],
    cc_mean: figures["cc_mean"],
    cc_std: figures["cc_std"],
    cc_high_count: figures["cc_high_count"],
    cc_extreme_count: figures["cc_extreme_count"],
    high_cc_mean: figures["high_cc_mean"],
    mean_func_loc: figures["lines_mean"],
    trivial_wrappers: totals.trivialWrappers,
    clone_lines: totals.cloneLoc,
    cloned_sloc_lines: totals.cloneLoc,
    cloned_pct: share(totals.cloneLoc),
    ast_grep_violations: matches.length,
    violation_pct: share(totals.astGrepFlaggedLoc),
    verbosity_flagged_sloc_lines: totals.verbosityFlaggedLoc,
    verbosity_flagged_pct: totals.verbosity,
    "mass.cc": totals.totalMass,
    "mass.high_cc_pct": totals.erosion,
    verbosity: totals.verbosity,
    erosion: totals.erosion,
  };
}

/** What `result.json` says of the run as a whole. */
export interface RunFigures {
  readonly model: string;
  readonly prompt: string;
  readonly agentType: string;
  readonly agentVersion: string | undefined;
  readonly expectedCheckpoints: number;
}

type Stats = Readonly<Record<"mean" | "stddev" | "min" | "max" | "median", number | null>> & {
  readonly count: number;
};

/** SCB's `result.json` over the rows of `checkpoint_results.jsonl`. */
export function summaryDocument(
  run: RunFigures,
  rows: readonly ResultRow[],
): Readonly<Record<string, unknown>> {
  const problems = groupByProblem(rows);
  const both = (key: string): Readonly<Record<string, Stats>> => ({
    checkpoint: stats(column(rows, key)),
    problem: stats(problems.map((own) => sum(column(own, key)))),
  });
  return {
    model: run.model,
    thinking: "none",
    prompt: run.prompt,
    agent_type: run.agentType,
    agent_version: run.agentVersion ?? null,
    num_problems: problems.length,
    num_checkpoints: rows.length,
    expected_checkpoints: run.expectedCheckpoints,
    costs: { ...both("cost"), total: sum(column(rows, "cost")) },
    time: both("duration"),
    tokens: tokens(rows, problems),
    steps: both("steps"),
    ...solved(rows, problems, run.expectedCheckpoints),
    pass_rates: { checkpoint: passRates([rows]), problem: passRates(problems) },
    cc: {
      high_count: stats(column(rows, "cc_high_count")),
      high_mean: stats(column(rows, "high_cc_mean")),
      max: stats(column(rows, "cc_max")),
    },
    ratios: { violation_pct: stats(column(rows, "violation_pct")) },
    verbosity: stats(column(rows, "verbosity")),
    erosion: stats(column(rows, "erosion")),
  };
}

const TOKEN_KEYS = ["input", "output", "cache_read", "cache_write", "reasoning"];

function tokens(rows: readonly ResultRow[], problems: readonly ResultRow[][]): ResultRow {
  const each = (figure: (key: string) => number): Readonly<Record<string, number>> =>
    Object.fromEntries(TOKEN_KEYS.map((key) => [key, figure(key)]));
  return {
    ...each((key) => sum(column(rows, key))),
    checkpoint: each((key) => mean(column(rows, key))),
    problem: each((key) => mean(problems.map((own) => sum(column(own, key))))),
  };
}

function solved(rows: readonly ResultRow[], problems: readonly ResultRow[][], expected: number): ResultRow {
  const full = (key: string): number => column(rows, key).filter((value) => value === 1).length;
  const strict = (own: readonly ResultRow[]): number[] => column(own, "strict_pass_rate");
  const all = problems.filter((own) => strict(own).every((value) => value === 1)).length;
  const some = problems.filter((own) => strict(own).includes(1)).length;
  const percent = (count: number, of: number): number => (of === 0 ? 0 : (count / of) * 100);
  const [solvedCount, isoCount] = [full("strict_pass_rate"), full("isolated_pass_rate")];
  return {
    checkpoints_solved: solvedCount,
    checkpoints_iso_solved: isoCount,
    checkpoints_core_solved: full("core_pass_rate"),
    problem_solved: all,
    problem_partial: some,
    pct_checkpoints_solved: percent(solvedCount, expected),
    pct_checkpoints_iso_solved: percent(isoCount, expected),
    pct_checkpoints_core_solved: percent(full("core_pass_rate"), expected),
    pct_problems_solved: percent(all, problems.length),
    pct_problems_partial: percent(some, problems.length),
  };
}

/** Mean pass rates by kind of test: over the rows of each part, then over the parts. Rows without such tests are left out. */
function passRates(parts: readonly (readonly ResultRow[])[]): Readonly<Record<string, number>> {
  const kinds = [["total", "total_tests", "passed_tests"]].concat(
    GROUPS.map((group) => group.toLowerCase()).map((name) => [name, `${name}_total`, `${name}_passed`]),
  );
  const rates = kinds.map(([name = "", total = "", passed = ""]): [string, number] => {
    const ofPart = (rows: readonly ResultRow[]): number =>
      mean(
        rows
          .map((row) => new Fields(row))
          .filter((row) => (row.number(total) ?? 0) > 0)
          .map((row) => (row.number(passed) ?? 0) / (row.number(total) ?? 1)),
      );
    return [name, mean(parts.map(ofPart))];
  });
  return Object.fromEntries(rates);
}

function groupByProblem(rows: readonly ResultRow[]): ResultRow[][] {
  const problems = new Map<unknown, ResultRow[]>();
  for (const row of rows) {
    const own = problems.get(row["problem"]);
    if (own === undefined) problems.set(row["problem"], [row]);
    else own.push(row);
  }
  return [...problems.values()];
}

function column(rows: readonly ResultRow[], key: string): number[] {
  return rows.map((row) => new Fields(row).number(key)).filter((value) => value !== undefined);
}

function stats(values: readonly number[]): Stats {
  if (values.length === 0) return { mean: null, stddev: null, min: null, max: null, median: null, count: 0 };
  const sorted = [...values].sort((left, right) => left - right);
  const middle = mean(values);
  const half = Math.floor(sorted.length / 2);
  const [low = 0, high = 0] = sorted.length % 2 === 1 ? [sorted[half], sorted[half]] : sorted.slice(half - 1);
  const squares = sum(values.map((value) => (value - middle) ** 2));
  return {
    mean: middle,
    stddev: values.length < 2 ? null : Math.sqrt(squares / (values.length - 1)),
    min: sorted[0] ?? null,
    max: sorted.at(-1) ?? null,
    median: (low + high) / 2,
    count: values.length,
  };
}

function add(counts: readonly GroupCount[]): GroupCount {
  return {
    passed: sum(counts.map(({ passed }) => passed)),
    failed: sum(counts.map(({ failed }) => failed)),
    skipped: sum(counts.map(({ skipped }) => skipped)),
  };
}

/** Skipped tests are in no total. */
function ran({ passed, failed }: GroupCount): number {
  return passed + failed;
}

function rate(count: GroupCount): number {
  return ran(count) === 0 ? 0 : count.passed / ran(count);
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}

function mean(values: readonly number[]): number {
  return values.length === 0 ? 0 : sum(values) / values.length;
}
