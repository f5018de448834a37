import type { TestOutcome } from "../../core/model/outcome.js";
import type { Turn } from "../../core/model/turn.js";
import { milliseconds } from "../../core/report/format.js";
import { checkpointLabel } from "../words.js";

/** What a failed test's document says. @param outcome with its details, as `TurnFiles.outcome` has them */
export function failureText(turn: Turn, outcome: TestOutcome): string {
  const where = outcome.line === undefined ? outcome.file : `${outcome.file}, line ${outcome.line}`;
  return [
    outcome.id,
    `${outcome.status} at ${turn.problem}, ${checkpointLabel(turn.checkpoint)}`,
    `${outcome.group} test of ${where}${outcome.durationMs === undefined ? "" : `, ${milliseconds(outcome.durationMs)}`}`,
    "",
    outcome.message ?? "The files of this run hold no message for this test.",
    "",
  ].join("\n");
}
