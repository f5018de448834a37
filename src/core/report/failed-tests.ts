import type { TestOutcome } from "../model/outcome.js";
import { plainText } from "../model/plain-text.js";
import { GROUPS } from "../model/problem.js";
import type { Turn } from "../model/turn.js";
import { failureLine } from "./failure-line.js";

const MOST_NAMED = 10;

/** The outcomes of a turn that count as failed, errors of setup and teardown included, in pytest's order. */
export function failedTests({ outcomes }: Turn): TestOutcome[] {
  return outcomes.filter(({ status }) => status === "failed" || status === "error");
}

/**
 * Names the failed tests of a turn: a heading, then a line a test with its group, its id and what went wrong. They come
 * in the order of the table's groups, so that many regressions do not hide what is new.
 * @param reportFile where all of them can be read, named when there are more than are listed
 * @returns no line when no test failed
 */
export function failedTestLines(turn: Turn, reportFile?: string): string[] {
  const failed = failedTests(turn);
  if (failed.length === 0) return [];
  const byGroup = GROUPS.flatMap((group) => failed.filter((outcome) => outcome.group === group));
  const lines = byGroup
    .slice(0, MOST_NAMED)
    .map((outcome) => `  ${failedTestLine(outcome, turn.checkpoint)}`);
  return [
    `${turn.checkpoint}, failed tests:`,
    ...lines,
    ...moreLines(failed.length - MOST_NAMED, reportFile),
  ];
}

/**
 * Ids repeat between checkpoints, so a test of an earlier one is told with its checkpoint. The message may quote what a
 * solution printed, which must not steer the terminal.
 */
function failedTestLine({ group, id, checkpoint, message }: TestOutcome, current: string): string {
  const test = checkpoint === current ? id : `${id} (${checkpoint})`;
  const reason = plainText(failureLine(message)).replaceAll(/[\r\t]/gu, " ");
  return reason === "" ? `${group} ${test}` : `${group} ${test}: ${reason}`;
}

function moreLines(count: number, reportFile: string | undefined): string[] {
  if (count <= 0) return [];
  return [`  and ${count} more${reportFile === undefined ? "" : ` (in ${reportFile})`}`];
}
