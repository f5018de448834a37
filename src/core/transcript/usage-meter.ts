import { NO_USAGE } from "../model/blank-turn.js";
import type { Usage } from "../model/turn.js";
import { COUNT_ONLY } from "./allowance.js";
import { TranscriptBuilder } from "./builder.js";
import { claudeCode } from "./formats/claude-code.js";
import { codexEvents } from "./formats/codex-events.js";
import type { LineFormat } from "./formats/format.js";
import { gemini } from "./formats/gemini.js";
import { opencode } from "./formats/opencode.js";
import { LineCutter } from "./lines.js";
import { readAgentFiles } from "./read-transcript.js";
import type { SessionTotals } from "./tally.js";

/** How an agent tells what it took; `none`: it does not. */
export const USAGE_PARSERS = ["claude-code", "codex", "gemini", "opencode", "atif", "none"] as const;
export type UsageParser = (typeof USAGE_PARSERS)[number];

/** What an agent prints while it works. ATIF is written when all is done. */
const PRINTED: Readonly<Record<UsageParser, LineFormat | undefined>> = {
  "claude-code": claudeCode,
  codex: codexEvents,
  gemini,
  opencode,
  atif: undefined,
  none: undefined,
};

/** What an agent took, and why it gave up, if it did. */
export interface AgentReport {
  /** Tokens, cost and steps as SCB counts them; undefined what is not told. The seconds are the caller's to fill. */
  readonly usage: Usage;
  /** The agent's own words for the error that ended it. */
  readonly failure: string | undefined;
  /** Whether what was read from a cache is part of the input tokens. */
  readonly inputHoldsCached: boolean;
}

const NO_REPORT: AgentReport = { usage: NO_USAGE, failure: undefined, inputHoldsCached: true };

/** Follows an agent's standard output and counts as it goes, so that limits can be held. Keeps no text. */
export interface UsageMeter {
  /** Output in pieces of any size. */
  push(text: string): void;
  /** So far. */
  readonly report: AgentReport;
}

/** @param earlier what the conversations had taken before that may be gone on with; it is not counted again */
export function usageMeter(parser: UsageParser, earlier?: SessionTotals): UsageMeter {
  const form = PRINTED[parser];
  if (form === undefined) return { push: () => undefined, report: NO_REPORT };
  const builder = new TranscriptBuilder(form.format, COUNT_ONLY, earlier);
  const reader = form.reader(builder);
  const cutter = new LineCutter();
  return {
    push(text) {
      for (const line of cutter.push(text)) if (line.text !== undefined) reader.take(line.text, line.number);
    },
    get report() {
      return reportOf(builder);
    },
  };
}

/**
 * Reads what an agent took from the files that it left.
 * @param place the agent's folder or archive, or the checkpoint's folder that holds it
 * @returns nothing but unknown figures for `none`, and where there is no transcript
 * @throws SlopLensError run-folder when the folder cannot be read, cancelled
 */
export async function readUsage(
  parser: UsageParser,
  place: string,
  signal: AbortSignal,
): Promise<AgentReport> {
  const reading = parser === "none" ? undefined : await readAgentFiles(place, signal, COUNT_ONLY);
  return reading === undefined ? NO_REPORT : reportOf(reading.builder);
}

function reportOf({ tally, failure, inputHoldsCached }: TranscriptBuilder): AgentReport {
  return { usage: tally.usage, failure, inputHoldsCached };
}
