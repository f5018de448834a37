/** Scores over several attempts at several problems, as EvoCode-Bench defines them. */

/** Whether each checkpoint was passed, in order; checkpoints beyond the end were not. */
export type Attempt = readonly boolean[];

export interface AttemptedProblem {
  readonly name: string;
  /** Number of checkpoints that the problem declares; every share divides by it, however early an attempt ended. */
  readonly checkpoints: number;
  readonly attempts: readonly Attempt[];
}

export interface WeightedShare {
  /** Every checkpoint weighs the same. */
  readonly micro: number;
  /** Every problem weighs the same. */
  readonly macro: number;
}

/** What several attempts show about one checkpoint. */
export interface Agreement {
  /** At least one attempt passed. */
  readonly aptitude: boolean;
  /** All attempts passed. */
  readonly consistent: boolean;
  /** Share of attempts that passed. */
  readonly passed: number;
}

/** An attempt as fail-stop sees it: nothing behind its first failure counts. */
export function failStop(attempt: Attempt): Attempt {
  const failure = attempt.indexOf(false);
  return failure < 0 ? attempt : attempt.map((passed, index) => passed && index < failure);
}

/**
 * MT@k: share of checkpoints that at least one of the first k attempts passed under fail-stop, every problem weighing
 * the same. A union over attempts, not the unbiased estimator; see {@link passAtK} for that.
 * @returns 0 to 1; 0 without problems
 */
export function multiTurnScore(problems: readonly AttemptedProblem[], k: number): number {
  return mean(
    problems.map(({ checkpoints, attempts }) => {
      const masked = attempts.slice(0, k).map(failStop);
      return share(checkpoints, (index) => masked.some((attempt) => attempt[index] === true));
    }),
  );
}

/** Mean over attempts, then over problems, of the share of checkpoints passed under fail-stop. 0 to 1. */
export function meanAttemptScore(problems: readonly AttemptedProblem[]): number {
  return mean(
    problems.map(({ checkpoints, attempts }) =>
      mean(attempts.map(failStop).map((attempt) => share(checkpoints, (index) => attempt[index] === true))),
    ),
  );
}

/** Share of problems of which at least one of the first k attempts passed every checkpoint. 0 to 1. */
export function completion(problems: readonly AttemptedProblem[], k: number): number {
  const isComplete = ({ checkpoints, attempts }: AttemptedProblem) =>
    attempts.slice(0, k).some((attempt) => share(checkpoints, (index) => attempt[index] === true) === 1);
  return mean(problems.map((problem) => Number(isComplete(problem))));
}

/**
 * SR, the success from reference: share of checkpoints passed by one attempt each that began from the reference's
 * snapshot. Takes the first attempt of each problem; no mask, because the checkpoints do not build on each other.
 */
export function successFromReference(problems: readonly AttemptedProblem[]): WeightedShare {
  const passed = problems.map(({ checkpoints, attempts: [attempt = []] }) =>
    share(checkpoints, (index) => attempt[index] === true),
  );
  const all = problems.reduce((sum, { checkpoints }) => sum + checkpoints, 0);
  const sum = problems.reduce(
    (total, { checkpoints }, index) => total + checkpoints * (passed[index] ?? 0),
    0,
  );
  return { micro: all === 0 ? 0 : sum / all, macro: mean(passed) };
}

/** Aptitude and consistency at each checkpoint of a problem, under fail-stop. */
export function agreement({ checkpoints, attempts }: AttemptedProblem): Agreement[] {
  const masked = attempts.map(failStop);
  return Array.from({ length: checkpoints }, (_, index) => {
    const passed = masked.filter((attempt) => attempt[index] === true).length;
    return {
      aptitude: passed > 0,
      consistent: passed > 0 && passed === masked.length,
      passed: masked.length === 0 ? 0 : passed / masked.length,
    };
  });
}

/** Consistency over aptitude: of the checkpoints that were ever passed, the share that always were. Undefined when none was. */
export function reliability(agreements: readonly Agreement[]): number | undefined {
  const apt = agreements.filter(({ aptitude }) => aptitude).length;
  return apt === 0 ? undefined : agreements.filter(({ consistent }) => consistent).length / apt;
}

/**
 * Unbiased pass@k of a problem with n attempts of which c passed: 1 − C(n−c, k) / C(n, k) (Chen et al. 2021).
 * @returns undefined when there are fewer than k attempts
 */
export function passAtK(n: number, c: number, k: number): number | undefined {
  if (k < 1 || n < k) return undefined;
  let allFail = 1;
  for (let j = 0; j < k; j++) allFail *= Math.max(0, n - c - j) / (n - j);
  return 1 - allFail;
}

/** Where an attempt first failed, as a share of the problem's checkpoints (1 is the last); undefined when it never did. */
export function firstFailure(attempt: Attempt, checkpoints: number): number | undefined {
  for (let index = 0; index < checkpoints; index++)
    if (attempt[index] !== true) return (index + 1) / checkpoints;
  return undefined;
}

function share(count: number, test: (index: number) => boolean): number {
  if (count === 0) return 0;
  return Array.from({ length: count }, (_, index) => test(index)).filter(Boolean).length / count;
}

function mean(numbers: readonly number[]): number {
  return numbers.length === 0 ? 0 : numbers.reduce((sum, number) => sum + number, 0) / numbers.length;
}
