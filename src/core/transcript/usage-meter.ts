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
}

/** Follows an agent's standard output and counts as it goes, so that limits can be held. Keeps no text. */
export interface UsageMeter {
  /** Output in pieces of any size. */
  push(text: string): void;
  /** So far. */
  readonly report: AgentReport;
}

export function usageMeter(parser: UsageParser): UsageMeter {
  const form = PRINTED[parser];
  if (form === undefined) return { push: () => undefined, report: { usage: NO_USAGE, failure: undefined } };
  const builder = new TranscriptBuilder(form.format, COUNT_ONLY);
  const reader = form.reader(builder);
  const cutter = new LineCutter();
  return {
    push(text) {
      for (const line of cutter.push(text)) if (line.text !== undefined) reader.take(line.text, line.number);
    },
    get report() {
      return { usage: builder.tally.usage, failure: builder.failure };
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
  if (reading === undefined) return { usage: NO_USAGE, failure: undefined };
  return { usage: reading.builder.tally.usage, failure: reading.builder.failure };
}
