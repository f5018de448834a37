import type { Turn } from "../model/turn.js";
import type { ProblemRun, Run, RunAgent } from "../model/run.js";
import { groupBy } from "./group-by.js";
import { meanOf } from "./mean.js";
import {
  agreement,
  completion,
  meanAttemptScore,
  multiTurnScore,
  passAtK,
  reliability,
  successFromReference,
  type AttemptedProblem,
  type WeightedShare,
} from "./multi-turn-scores.js";
import { attemptsWords } from "./policy-words.js";
import { byContent, contentWords } from "./run-content.js";
import { runLabel } from "./run-label.js";
import { scoredTurns, SCORES, turnScore, type Score } from "./turn-scores.js";

/**
 * What runs are, seen by scores: whole trajectories from an empty workspace, which are attempts of each other; roundwise
 * ones, whose checkpoints begin anew from a success; single checkpoints from the reference; forks, which are parts.
 */
export type RunKind = "whole" | "roundwise" | "reference" | "fork";

/** Scores of all runs of one agent, prompt and kind; every figure is a share from 0 to 1, undefined where it says nothing. */
export interface AgentScores {
  /** As views name the runs, with what tells two of one name apart. */
  readonly agent: string;
  readonly kind: RunKind;
  /** How often was tried, for roundwise runs: `roundwise(4, 1)`. */
  readonly policy: string;
  /** Those with whole attempts; all when there are only parts. */
  readonly problems: number;
  /** Fewest and most attempts at a problem, of those that have any; parts and spoiled ones are none. */
  readonly attempts: readonly [fewest: number, most: number];
  /**
   * Trajectories that say how far the agent got only in part: the first checkpoint that is not passed was not asked for,
   * or the run was cut short before it. What of them was judged counts in `turns`, and in nothing else.
   */
  readonly parts: number;
  /** Trajectories that the machinery spoiled before anything failed: no attempts, and counted as parts are. */
  readonly spoiledAttempts: number;
  /** Mean over the turns that say something about the agent. */
  readonly turns: Readonly<Record<Score, number | undefined>>;
  /** The attempts that MT@k and completion look at. */
  readonly k: number;
  /** Whole trajectories only, as what follows: a roundwise run is no attempt. */
  readonly multiTurn: number | undefined;
  readonly meanAttempt: number | undefined;
  readonly completion: number | undefined;
  readonly aptitude: number | undefined;
  readonly consistency: number | undefined;
  /** Undefined when no checkpoint was ever passed. */
  readonly reliability: number | undefined;
  /** Unbiased, over whole problems; undefined when a problem has fewer than k attempts. */
  readonly passAtK: number | undefined;
  /** Of roundwise runs: share of checkpoints that a try passed and all before it, every problem weighing the same. */
  readonly roundwise: number | undefined;
  /** SR, of turns from the reference. */
  readonly fromReference: WeightedShare | undefined;
  /** Turns that the machinery spoiled; they count nowhere. */
  readonly spoiled: number;
}

export interface ScoringOptions {
  /** Which score has to be 1 for a checkpoint to count as passed in an attempt. */
  readonly passedBy: Exclude<Score, "partial">;
  readonly k: number;
}

/** Of a command in a name, in characters. */
const LONGEST_DETAIL = 40;

/**
 * Scores runs, those of the same agent, prompt and kind together; of whole trajectories each run is an attempt. Agents
 * in the order of their names, and where two would read alike with what tells them apart.
 */
export function scoreRuns(runs: readonly Run[], options: ScoringOptions): AgentScores[] {
  const named = groupBy(runs, (run) => [runLabel(run), kindOf(run), roundsOf(run), ...whoOf(run)].join("\n"));
  const rows = [...named]
    .sort(([a], [b]) => (a < b ? -1 : Number(a > b)))
    .flatMap(([, own]) => byContent(own))
    .flatMap((own): Row[] => {
      const [first] = own;
      return first === undefined ? [] : [{ run: first, scores: scoresOf(own, options) }];
    });
  return rows.map((row) => ({ ...row.scores, agent: nameAmong(rows, row) }));
}

interface Row {
  /** One of its runs. */
  readonly run: Run;
  readonly scores: AgentScores;
}

/** What makes two agents of one label two; places of recordings are in the label, and prompts are not for replays. */
function whoOf({ agent, prompt }: Run): string[] {
  const { type, name, version, model, detail } = agent;
  return type === "replay"
    ? [type, name ?? ""]
    : [type, name ?? "", version ?? "", model ?? "", detail ?? "", prompt ?? ""];
}

function nameAmong(rows: readonly Row[], { run, scores: { agent: label, kind, policy } }: Row): string {
  const alike = rows.filter(
    ({ scores }) => scores.agent === label && scores.kind === kind && scores.policy === policy,
  );
  if (alike.length === 1 || run.agent.type === "replay") return label;
  const differs = (part: (agent: RunAgent) => string | undefined): string[] => {
    const own = part(run.agent);
    const isOne = alike.every((other) => part(other.run.agent) === own);
    return isOne || own === undefined || own === "" ? [] : [oneLine(own)];
  };
  return [
    ...differs(({ type }) => type),
    label,
    // Where one of two runs of a name has none of its own, the model says which.
    ...differs(({ name, model }) => (name === undefined ? undefined : model)),
    ...differs(({ version }) => version),
    ...differs(({ detail }) => detail),
    ...contentWords(
      run,
      alike.map((other) => other.run),
    ),
  ].join(" · ");
}

function oneLine(text: string): string {
  const line = text.replaceAll(/\s+/gu, " ").trim();
  return line.length > LONGEST_DETAIL ? `${line.slice(0, LONGEST_DETAIL - 1)}…` : line;
}

function kindOf({ policy }: Run): RunKind {
  if (policy?.start.kind === "snapshot") return "fork";
  if (policy?.start.kind === "reference") return "reference";
  return policy?.attempts.kind === "roundwise" ? "roundwise" : "whole";
}

function roundsOf({ policy }: Run): string {
  return policy?.attempts.kind === "roundwise" ? attemptsWords(policy.attempts) : "";
}

function scoresOf(runs: readonly Run[], { passedBy, k }: ScoringOptions): AgentScores {
  const { whole = [], part = [], spoiled = [] } = byExtent(runs, passedBy);
  const trajectories = [...whole, ...part, ...spoiled];
  const turns = runs.flatMap((run) => run.problems.flatMap((trajectory) => scoredTurns(trajectory, run)));
  const problems = [...groupBy(whole, ({ problem }) => problem)].map(([name, attempts]) =>
    attempted(name, attempts, passedBy),
  );
  const counts = problems.length === 0 ? [0] : problems.map(({ attempts }) => attempts.length);
  const { agent, kind, policy } = headOf(runs);
  return {
    ...{ agent, kind, policy },
    problems: groupBy(whole.length === 0 ? trajectories : whole, ({ problem }) => problem).size,
    attempts: [Math.min(...counts), Math.max(...counts)],
    parts: part.length,
    spoiledAttempts: spoiled.length,
    turns: Object.fromEntries(
      SCORES.map((score) => [score, meanOf(turns.map((turn) => turnScore(turn, score)))]),
    ) as AgentScores["turns"],
    k,
    ...scoresByKind(problems.length === 0 ? undefined : kind, problems, k),
    spoiled: turns.filter(({ verdict }) => verdict === "infrastructure").length,
  };
}

/** What the runs of a row share. */
function headOf([first]: readonly Run[]): Pick<AgentScores, "agent" | "kind" | "policy"> {
  return first === undefined
    ? { agent: "", kind: "whole", policy: "" }
    : { agent: runLabel(first), kind: kindOf(first), policy: roundsOf(first) };
}

function byExtent(
  runs: readonly Run[],
  passedBy: ScoringOptions["passedBy"],
): Partial<Record<Extent, ProblemRun[]>> {
  const all = runs.flatMap((run) => run.problems.map((trajectory) => ({ run, trajectory })));
  const groups = groupBy(all, ({ run, trajectory }) => extentOf(trajectory, run, passedBy));
  return Object.fromEntries([...groups].map(([extent, own]) => [extent, own.map((one) => one.trajectory)]));
}

type ScoreByKind = AttemptScore | "roundwise" | "fromReference";

/** @param kind undefined where nothing is known */
function scoresByKind(
  kind: RunKind | undefined,
  problems: readonly AttemptedProblem[],
  k: number,
): Pick<AgentScores, ScoreByKind> {
  return {
    ...(kind === "whole" ? attemptScores(problems, k) : NO_ATTEMPTS),
    roundwise: kind === "roundwise" ? meanAttemptScore(problems) : undefined,
    fromReference: kind === "reference" ? successFromReference(problems) : undefined,
  };
}

/** How much a trajectory tells of how far its agent gets. */
type Extent = "whole" | "part" | "spoiled";

/**
 * What a trajectory is as an attempt. Behind a failure nothing counts, so what was not judged there leaves nothing open;
 * from the reference every checkpoint counts by itself.
 */
function extentOf(trajectory: ProblemRun, run: Run, passedBy: ScoringOptions["passedBy"]): Extent {
  const scored = new Set(scoredTurns(trajectory, run));
  const isOpen = (turn: Turn): boolean =>
    turn.verdict === undefined || turn.verdict === "skipped" || !scored.has(turn);
  const isSpoiled = ({ verdict }: Turn): boolean => verdict === "infrastructure";
  const { turns } = trajectory;
  const end = turns.find((turn) => turnScore(turn, passedBy) !== 1);
  const told = kindOf(run) === "reference" ? turns : end === undefined ? [] : [end];
  if (told.some(isSpoiled)) return "spoiled";
  return told.some(isOpen) ? "part" : "whole";
}

type AttemptScore =
  "multiTurn" | "meanAttempt" | "completion" | "aptitude" | "consistency" | "reliability" | "passAtK";

const NO_ATTEMPTS: Pick<AgentScores, AttemptScore> = {
  multiTurn: undefined,
  meanAttempt: undefined,
  completion: undefined,
  aptitude: undefined,
  consistency: undefined,
  reliability: undefined,
  passAtK: undefined,
};

function attemptScores(problems: readonly AttemptedProblem[], k: number): Pick<AgentScores, AttemptScore> {
  const agreements = problems.flatMap(agreement);
  const chances = problems.map(({ attempts, checkpoints }) =>
    passAtK(attempts.length, attempts.filter((attempt) => isComplete(attempt, checkpoints)).length, k),
  );
  return {
    multiTurn: multiTurnScore(problems, k),
    meanAttempt: meanAttemptScore(problems),
    completion: completion(problems, k),
    aptitude: meanOf(agreements.map(({ aptitude }) => Number(aptitude))) ?? 0,
    consistency: meanOf(agreements.map(({ consistent }) => Number(consistent))) ?? 0,
    reliability: reliability(agreements),
    passAtK: chances.includes(undefined) ? undefined : meanOf(chances),
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
