import path from "node:path";
import type { TestOutcome, TestStatus } from "../model/outcome.js";
import { parsePythonJson } from "../model/python-json.js";
import type { Turn } from "../model/turn.js";
import { readText } from "../model/read-text.js";
import { coarse } from "./counts.js";
import { readReport, testKey } from "./report-file.js";
import type { TestDetail } from "./report-file.js";

/**
 * Reads what pytest's report tells of each test of a turn, by {@link testKey}: duration, line, words of a failure.
 * Reports are large, so they are read when somebody looks. Empty when there is none, or it cannot be read.
 */
export async function readFailureDetails(
  turn: Pick<Turn, "folder">,
): Promise<ReadonlyMap<string, TestDetail>> {
  const file = path.join(turn.folder, "evaluation", "report.json");
  const text = await readText(file).catch(() => undefined);
  if (text === undefined) return new Map();
  try {
    return readReport(parsePythonJson(text));
  } catch {
    return new Map();
  }
}

/** A turn's outcomes with durations, lines and the words of failures, as far as they were kept. */
export async function readOutcomes(turn: Turn): Promise<readonly TestOutcome[]> {
  const details = await readFailureDetails(turn);
  return turn.outcomes.map((outcome) => {
    const detail = details.get(testKey(outcome));
    if (detail === undefined) return outcome;
    return {
      ...outcome,
      status: finer(outcome.status, detail.status),
      durationMs: outcome.durationMs ?? detail.durationMs,
      message: outcome.message ?? detail.message,
      line: outcome.line ?? detail.line,
    };
  });
}

/** `evaluation.json` knows no errors, only failures; the report tells them apart. */
function finer(stored: TestStatus, reported: TestStatus | undefined): TestStatus {
  return reported !== undefined && coarse(reported) === coarse(stored) ? reported : stored;
}
