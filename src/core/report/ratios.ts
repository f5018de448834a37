import type { Turn } from "../model/turn.js";

/** The erosion of a turn, ours where it was measured, else what an imported run recorded. */
export function erosionOf(turn: Turn | undefined): number | undefined {
  return turn?.quality?.totals.erosion ?? turn?.recorded?.erosion;
}

/** The verbosity of a turn, ours where it was measured, else what an imported run recorded. */
export function verbosityOf(turn: Turn | undefined): number | undefined {
  return turn?.quality?.totals.verbosity ?? turn?.recorded?.verbosity;
}
