import type { ProblemRun, Run } from "../model/run.js";
import { meanOf } from "./mean.js";
import {
  agreement,
  completion,
  meanAttemptScore,
  multiTurnScore,
  passAtK,
  reliability,
  type AttemptedProblem,
} from "./multi-turn-scores.js";
import { runLabel } from "./run-label.js";
import { SCORES, turnScore, type Score } from "./turn-scores.js";

/** Scores of all runs of one agent with one prompt; every figure is a share from 0 to 1. */
export interface AgentScores {
  /** As views name the runs. */
  readonly agent: string;
  readonly problems: number;
  /** Fewest and most attempts at a problem. */
  readonly attempts: readonly [fewest: number, most: number];
  /** Mean over the turns that say something about the agent. */
  readonly turns: Readonly<Record<Score, number | undefined>>;
  /** The attempts that MT@k and completion look at. */
  readonly k: number;
  readonly multiTurn: number;
  readonly meanAttempt: number;
  readonly completion: number;
  readonly aptitude: number;
  readonly consistency: number;
  /** Undefined when no checkpoint was ever passed. */
  readonly reliability: number | undefined;
  /** Unbiased, over whole problems; undefined when a problem has fewer than k attempts. */
  readonly passAtK: number | undefined;
  /** Turns that the machinery spoiled; they count as not passed in what looks at attempts, and nowhere else. */
  readonly spoiled: number;
}

export interface ScoringOptions {
  /** Which score has to be 1 for a checkpoint to count as passed in an attempt. */
  readonly passedBy: Exclude<Score, "partial">;
  readonly k: number;
}

/** Scores runs, those of the same agent and prompt together, each run an attempt; agents in the order of their names. */
export function scoreRuns(runs: readonly Run[], options: ScoringOptions): AgentScores[] {
  const byAgent = groupBy(runs, runLabel);
  return [...byAgent]
    .sort(([a], [b]) => (a < b ? -1 : Number(a > b)))
    .map(([agent, own]) => scoresOf(agent, own, options));
}

function scoresOf(agent: string, runs: readonly Run[], { passedBy, k }: ScoringOptions): AgentScores {
  const trajectories = runs.flatMap(({ problems }) => problems);
  const turns = trajectories.flatMap((trajectory) => trajectory.turns);
  const problems = [...groupBy(trajectories, ({ problem }) => problem)].map(([name, attempts]) =>
    attempted(name, attempts, passedBy),
  );
  const counts = problems.map(({ attempts }) => attempts.length);
  const agreements = problems.flatMap(agreement);
  const chances = problems.map(({ attempts, checkpoints }) =>
    passAtK(attempts.length, attempts.filter((attempt) => isComplete(attempt, checkpoints)).length, k),
  );
  return {
    agent,
    problems: problems.length,
    attempts: [Math.min(...counts), Math.max(...counts)],
    turns: Object.fromEntries(
      SCORES.map((score) => [score, meanOf(turns.map((turn) => turnScore(turn, score)))]),
    ) as AgentScores["turns"],
    k,
    multiTurn: multiTurnScore(problems, k),
    meanAttempt: meanAttemptScore(problems),
    completion: completion(problems, k),
    aptitude: meanOf(agreements.map(({ aptitude }) => Number(aptitude))) ?? 0,
    consistency: meanOf(agreements.map(({ consistent }) => Number(consistent))) ?? 0,
    reliability: reliability(agreements),
    passAtK: chances.includes(undefined) ? undefined : meanOf(chances),
    spoiled: turns.filter(({ verdict }) => verdict === "infrastructure").length,
  };
}

function attempted(
  name: string,
  trajectories: readonly ProblemRun[],
  passedBy: ScoringOptions["passedBy"],
): AttemptedProblem {
  return {
    name,
    checkpoints: Math.max(...trajectories.map(({ turns }) => turns.length)),
    attempts: trajectories.map(({ turns }) => turns.map((turn) => turnScore(turn, passedBy) === 1)),
  };
}

function isComplete(attempt: readonly boolean[], checkpoints: number): boolean {
  return attempt.length === checkpoints && attempt.every(Boolean);
}

function groupBy<Value>(values: readonly Value[], keyOf: (value: Value) => string): Map<string, Value[]> {
  const groups = new Map<string, Value[]>();
  for (const value of values) groups.set(keyOf(value), [...(groups.get(keyOf(value)) ?? []), value]);
  return groups;
}
