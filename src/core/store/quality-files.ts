import type { CallableMetrics, QualityReport, RuleMatch } from "../model/quality.js";
import { HIGH_CC } from "../model/quality.js";

/** SCB counts a callable above this as extreme. */
const EXTREME_CC = 30;
/** Radon's grades: the largest complexity that still has each. */
const RATINGS = [
  ["A", 5],
  ["B", 10],
  ["C", 20],
  ["D", 30],
  ["E", 40],
  ["F", Infinity],
] as const;

/** Figures over all callables, by the names of SCB. */
export function functionsSection(functions: readonly CallableMetrics[]): Readonly<Record<string, number>> {
  const ccs = functions.map(({ cc }) => cc);
  const high = ccs.filter((cc) => cc > HIGH_CC);
  const extreme = ccs.filter((cc) => cc > EXTREME_CC);
  const lines = functions.map(({ start, end }) => end - start + 1);
  return {
    count: functions.length,
    cc_sum: sum(ccs),
    cc_max: ccs.reduce((most, cc) => Math.max(most, cc), 0),
    cc_mean: mean(ccs),
    cc_std: deviation(ccs),
    cc_high_count: high.length,
    cc_extreme_count: extreme.length,
    high_cc_mean: mean(high),
    extreme_cc_mean: mean(extreme),
    lines_sum: sum(lines),
    lines_mean: mean(lines),
  };
}

/** One JSON object a callable, by the names of SCB's `symbols.jsonl`. */
export function symbolsLines(report: QualityReport): string {
  return jsonLines(
    report.functions.map((callable) => ({
      name: callable.name,
      type: callable.kind,
      file_path: callable.path,
      start: callable.start,
      end: callable.end,
      complexity: callable.cc,
      lines: callable.end - callable.start + 1,
      sloc: callable.sloc,
      rating: rating(callable.cc),
    })),
  );
}

/** One JSON object a rule match, by the names of SCB's `ast_grep.jsonl`. */
export function matchesLines(matches: readonly RuleMatch[]): string {
  return jsonLines(
    matches.map((match) => ({
      rule_id: match.rule,
      severity: "warning",
      category: "slop",
      subcategory: match.rule,
      weight: 1,
      line: match.start,
      column: match.startColumn,
      end_line: match.end,
      end_column: match.endColumn,
      file_path: match.path,
    })),
  );
}

function jsonLines(values: readonly unknown[]): string {
  return values.map((value) => `${JSON.stringify(value)}\n`).join("");
}

function rating(cc: number): string {
  return RATINGS.find(([, limit]) => cc <= limit)?.[0] ?? "F";
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}

function mean(numbers: readonly number[]): number {
  return numbers.length === 0 ? 0 : sum(numbers) / numbers.length;
}

/** Of a sample, as SCB has it. */
function deviation(numbers: readonly number[]): number {
  if (numbers.length < 2) return 0;
  const middle = mean(numbers);
  return Math.sqrt(sum(numbers.map((number) => (number - middle) ** 2)) / (numbers.length - 1));
}
