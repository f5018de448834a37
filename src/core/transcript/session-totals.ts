import type { Fields } from "../model/fields.js";
import { SlopLensError } from "../model/errors.js";
import { folderFiles } from "./agent-files.js";
import { claudeTotals } from "./formats/claude-code.js";
import { codexTotals } from "./formats/codex-rollout.js";
import { parseLine } from "./formats/format.js";
import { linesOf } from "./lines.js";
import type { SessionTotals, TotalsDraft } from "./tally.js";
import type { UsageParser } from "./usage-meter.js";

/** Notes what a file of a conversation, read line by line, tells of its sums. */
export type TotalsReader = (totals: TotalsDraft) => (event: Fields) => void;

/**
 * Agents that count on from the sums of a conversation that they go on with. Gemini CLI counts by the process, OpenCode
 * by the step.
 */
const COUNTING_ON: Readonly<Partial<Record<UsageParser, TotalsReader>>> = {
  "claude-code": claudeTotals,
  codex: codexTotals,
};

/**
 * Reads what kept conversations had taken, as far as their agent counts on from there.
 * @param folder what the agent kept of its conversations
 * @throws SlopLensError run-folder when it cannot be read, cancelled
 */
export async function readSessionTotals(
  parser: UsageParser,
  folder: string,
  signal: AbortSignal,
): Promise<SessionTotals> {
  const totals: TotalsDraft = new Map();
  const reader = COUNTING_ON[parser];
  if (reader === undefined) return totals;
  try {
    const files = folderFiles(folder);
    for (const { path } of await files.list(signal)) {
      if (!path.endsWith(".jsonl")) continue;
      const take = reader(totals);
      for await (const { text } of linesOf(files.open(path, signal))) {
        const event = text === undefined ? undefined : parseLine(text);
        if (event !== undefined) take(event);
      }
    }
  } catch (error) {
    throw SlopLensError.from(error);
  }
  return totals;
}
