/** The parts of a trajectory by which problems of different length are compared. */
export const PROGRESS_PHASES = ["Start", "Early", "Mid", "Late", "Final"] as const;
export type ProgressPhase = (typeof PROGRESS_PHASES)[number];

/**
 * The phase of a checkpoint: ⌈5·i/n⌉, SlopCodeBench's progress bins.
 * @param order 1-based place of the checkpoint
 * @param checkpoints how many the problem has; a trajectory of fewer than five leaves phases out
 */
export function phaseOf(order: number, checkpoints: number): ProgressPhase {
  const bin = Math.ceil((PROGRESS_PHASES.length * order) / Math.max(1, checkpoints));
  return PROGRESS_PHASES[Math.min(PROGRESS_PHASES.length, Math.max(1, bin)) - 1] ?? "Final";
}
