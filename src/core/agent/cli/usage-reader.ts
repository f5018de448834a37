import { NO_USAGE } from "../../model/blank-turn.js";
import type { Usage } from "../../model/turn.js";

/** How an agent tells what it took; `none`: it does not. */
export const USAGE_PARSERS = ["claude-code", "codex", "gemini", "opencode", "atif", "none"] as const;
export type UsageParser = (typeof USAGE_PARSERS)[number];

/** Follows what an agent prints and counts as it goes. */
export interface UsageMeter {
  push(text: string): void;
  readonly report: { readonly usage: Usage; readonly failure: string | undefined };
}

export function usageMeter(_parser: UsageParser): UsageMeter {
  return { push: () => undefined, report: { usage: NO_USAGE, failure: undefined } };
}
