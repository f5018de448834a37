import path from "node:path";
import { type Command, Option } from "commander";
import { SlopLensError } from "../core/model/errors.js";
import type { Attempts, RunPolicy, Start, TurnLimits } from "../core/model/policy.js";
import { SHIPPED_POLICIES } from "../core/model/shipped-policies.js";
import type { SessionMode } from "../core/model/turn.js";
import { findPolicy } from "../core/trajectory/policy-file.js";
import { amount, count, seconds } from "./option-values.js";

/** What changes a policy; undefined leaves it as it is, 0 is no limit. */
export interface PolicyOptions {
  readonly policy: string;
  readonly attempts: number | undefined;
  readonly beam: number | undefined;
  /** `empty`, `reference`, or a turn as `RUN/PROBLEM/CHECKPOINT`. */
  readonly start: string | undefined;
  readonly session: SessionMode | undefined;
  readonly timeout: number | undefined;
  readonly maxSteps: number | undefined;
  readonly maxCost: number | undefined;
  readonly maxProblemCost: number | undefined;
  readonly idle: number | undefined;
  readonly retries: number | undefined;
}

const SESSIONS: readonly SessionMode[] = ["fresh", "continued"];

/** Adds the options that {@link choosePolicy} reads. */
export function addPolicyOptions(command: Command): Command {
  return command
    .option(
      "--policy <policy>",
      `when to go on, how often to try: ${SHIPPED_POLICIES.join(", ")}, or a YAML file`,
      "any",
    )
    .option(
      "--attempts <k>",
      "independent attempts, a run folder each; with --beam tries a checkpoint",
      count,
    )
    .option(
      "--beam <b>",
      "roundwise attempts: the best tries that are gone on from at each checkpoint",
      count,
    )
    .option(
      "--start <start>",
      "empty, reference (of the checkpoint before), or RUN/PROBLEM/CHECKPOINT: a fork",
    )
    .addOption(
      new Option("--session <session>", "the agent's conversation at the next checkpoint").choices(SESSIONS),
    )
    .option("--timeout <seconds>", "of the agent at a checkpoint, 0 for no limit (default: 7200)", seconds)
    .option("--max-steps <steps>", "of the agent at a checkpoint, 0 for no limit", amount)
    .option("--max-cost <usd>", "of a checkpoint, 0 for no limit", amount)
    .option(
      "--max-problem-cost <usd>",
      "of the problem: no further turn is begun then; 0 for no limit",
      amount,
    )
    .option("--idle <seconds>", "without a word from the agent, 0 for no limit", seconds)
    .option("--retries <times>", "an agent whose trouble may pass is asked to go on (default: 2)", amount);
}

/** @throws SlopLensError bad-input */
export async function choosePolicy(options: PolicyOptions, cwd: string): Promise<RunPolicy> {
  const policy = await findPolicy(options.policy, cwd);
  const changed = {
    ...policy,
    attempts: attemptsOf(options, policy),
    start: startOf(options.start, cwd) ?? policy.start,
    session: options.session ?? policy.session,
    limits: limitsOf(options, policy.limits),
  };
  // A name that says how often is tried would be wrong beside other attempts.
  const isNamedByAttempts =
    policy.attempts.kind !== "single" && /^(?:independent|roundwise)\(/u.test(policy.name);
  return isNamedByAttempts && options.attempts !== undefined ? { ...changed, name: "fail-stop" } : changed;
}

function attemptsOf({ attempts, beam }: PolicyOptions, policy: RunPolicy): Attempts {
  const { attempts: asked } = policy;
  if (beam === undefined && asked.kind !== "roundwise") {
    return attempts === undefined ? asked : { kind: "independent", count: attempts };
  }
  const count = attempts ?? (asked.kind === "single" ? undefined : asked.count);
  const kept = beam ?? (asked.kind === "roundwise" ? asked.beam : 1);
  if (count !== undefined && kept <= count) return { kind: "roundwise", count, beam: kept };
  throw new SlopLensError(
    "bad-input",
    "A beam goes with at least as many attempts",
    "Give --attempts K with --beam B, for example 4 and 1.",
  );
}

function startOf(start: string | undefined, cwd: string): Start | undefined {
  if (start === undefined) return undefined;
  if (start === "empty" || start === "reference") return { kind: start };
  const turn = path.resolve(cwd, start);
  const problem = path.dirname(turn);
  return {
    kind: "snapshot",
    run: path.dirname(problem),
    turn: `${path.basename(problem)}/${path.basename(turn)}`,
  };
}

function limitsOf(options: PolicyOptions, limits: TurnLimits): TurnLimits {
  const pick = (asked: number | undefined, own: number | undefined): number | undefined =>
    asked === undefined ? own : asked === 0 ? undefined : asked;
  return {
    ...limits,
    seconds: pick(options.timeout, limits.seconds),
    steps: pick(options.maxSteps, limits.steps),
    costUsd: pick(options.maxCost, limits.costUsd),
    problemCostUsd: pick(options.maxProblemCost, limits.problemCostUsd),
    idleSeconds: pick(options.idle, limits.idleSeconds),
    retries: pick(options.retries, limits.retries),
  };
}
