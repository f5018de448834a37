import type { TurnPhase } from "../model/turn.js";

const PHASE_WORDS: Readonly<Record<TurnPhase, string>> = {
  preparing: "preparing the image",
  agent: "agent at work",
  snapshot: "taking the snapshot",
  testing: "running hidden tests",
  measuring: "measuring",
};

/** What a turn does at this moment, the same in every view. */
export function phaseWords(phase: TurnPhase): string {
  return PHASE_WORDS[phase];
}
