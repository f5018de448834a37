import { stat } from "node:fs/promises";
import path from "node:path";
import { type Command, Option } from "commander";
import {
  DEFAULT_POLICY,
  withSeconds,
  type RunPolicy,
  type Start,
  type TurnLimits,
} from "../core/model/policy.js";
import { withAttempts } from "../core/model/policy-attempts.js";
import { SHIPPED_POLICIES } from "../core/model/shipped-policies.js";
import { SlopLensError } from "../core/model/errors.js";
import { suggestion } from "../core/problem/suggest.js";
import type { SessionMode } from "../core/model/turn.js";
import { findPolicy } from "../core/trajectory/policy-file.js";
import { numberOf } from "./option-values.js";

/** What changes a policy; undefined leaves it as it is, 0 is no limit. */
export interface PolicyOptions {
  readonly policy: string | undefined;
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
      `when to go on, how often to try: ${SHIPPED_POLICIES.join(", ")}, or a YAML file (default: any)`,
    )
    .option(
      "--attempts <k>",
      "independent attempts, a run folder each; with --beam tries a checkpoint",
      numberOf("attempts"),
    )
    .option(
      "--beam <b>",
      "roundwise attempts: the best tries that are gone on from at each checkpoint",
      numberOf("attempts"),
    )
    .option(
      "--start <start>",
      "empty, reference (of the checkpoint before), or RUN/PROBLEM/CHECKPOINT: a fork",
    )
    .addOption(
      new Option("--session <session>", "the agent's conversation at the next checkpoint").choices(SESSIONS),
    )
    .option(
      "--timeout <seconds>",
      "of the agent at a checkpoint, 0 for no limit (default: 7200)",
      numberOf("seconds"),
    )
    .option("--max-steps <steps>", "of the agent at a checkpoint, 0 for no limit", numberOf("steps"))
    .option("--max-cost <usd>", "of a checkpoint, 0 for no limit", numberOf("dollars"))
    .option(
      "--max-problem-cost <usd>",
      "of the problem: no further turn is begun then; 0 for no limit",
      numberOf("dollars"),
    )
    .option("--idle <seconds>", "without a word from the agent, 0 for no limit", numberOf("seconds"))
    .option(
      "--retries <times>",
      "an agent whose trouble may pass is asked to go on (default: 2)",
      numberOf("retries"),
    );
}

/**
 * The policy that the options name, or the one that holds without, as the other options change it.
 * @throws SlopLensError bad-input
 */
export async function choosePolicy(
  options: PolicyOptions,
  cwd: string,
  otherwise = DEFAULT_POLICY,
): Promise<RunPolicy> {
  const policy = options.policy === undefined ? otherwise : await findPolicy(options.policy, cwd);
  return {
    ...withAttempts(policy, options.attempts, options.beam),
    start: (await startOf(options.start, cwd)) ?? policy.start,
    session: options.session ?? policy.session,
    limits: limitsOf(options, policy.limits),
  };
}

/** @throws SlopLensError bad-input when it is neither a word nor a folder with a snapshot */
async function startOf(start: string | undefined, cwd: string): Promise<Start | undefined> {
  if (start === undefined) return undefined;
  if (start === "empty" || start === "reference") return { kind: start };
  const turn = path.resolve(cwd, start);
  const snapshot = await stat(path.join(turn, "snapshot")).catch(() => undefined);
  if (snapshot?.isDirectory() !== true) {
    throw new SlopLensError(
      "bad-input",
      `--start ${start} is no checkpoint of a run with a snapshot${suggestion(start, ["empty", "reference"])}`,
      "Give empty, reference, or the folder of a checkpoint: RUN/PROBLEM/CHECKPOINT.",
    );
  }
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
    ...withSeconds(limits, options.timeout),
    steps: pick(options.maxSteps, limits.steps),
    costUsd: pick(options.maxCost, limits.costUsd),
    problemCostUsd: pick(options.maxProblemCost, limits.problemCostUsd),
    idleSeconds: pick(options.idle, limits.idleSeconds),
    retries: pick(options.retries, limits.retries),
  };
}
