/**
 * What a turn was made with beside its prompt, its parent's snapshot and its hidden tests, each as a hash: a run that is gone
 * on with compares them with what there is now, so that nothing is mixed unseen. Undefined is not known.
 */
export interface TurnInputs {
  /** Who took the turn: description, program file, recording. */
  readonly agent: string | undefined;
  /** Where an agent worked; undefined for recordings, which work nowhere. */
  readonly environment: string | undefined;
  /** Marks of the environment's secret values, which its hash leaves out; undefined where there are none. */
  readonly environmentSecrets?: string | undefined;
  /** The pack's static assets. */
  readonly assets: string | undefined;
  /** The snapshot that the turn began from, where it is no turn of the same run. */
  readonly start: string | undefined;
  /** How its hidden tests were run: environment, dependencies, variables, time limits. */
  readonly evaluation: string | undefined;
  /** As {@link environmentSecrets}, when the tests were run. */
  readonly evaluationSecrets?: string | undefined;
}
