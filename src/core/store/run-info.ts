import type { Run } from "../model/run.js";
import type { Turn, Usage } from "../model/turn.js";
import { modelName } from "./yaml-documents.js";
import type { RunSetting } from "./yaml-documents.js";

export interface RunEnd {
  readonly state: Run["state"];
  readonly reason: string | undefined;
  readonly startedAt: Date;
  readonly finishedAt: Date;
}

/** SCB's `run_info.yaml`, written when a problem has ended. */
export function runInfoDocument(
  run: RunSetting,
  turns: readonly Turn[],
  end: RunEnd,
): Readonly<Record<string, unknown>> {
  return {
    agent_type: run.agent.type,
    agent_version: run.agent.version ?? null,
    model_name: modelName(run.agent),
    seed: 42,
    template: run.prompt.source,
    image: run.environment.docker?.image ?? null,
    pass_policy: run.policy.pass,
    skip_evaluation: false,
    verbose: false,
    debug: false,
    compress_artifacts: false,
    snapshot_dir: "snapshot",
    agent_dir: "agent",
    agent_tar: "agent.tar.gz",
    inference_result_file: "inference_result.json",
    run_info_file: "run_info.yaml",
    prompt_file: "prompt.txt",
    checkpoint_file: "checkpoint.yaml",
    problem_file: "problem.yaml",
    environment_file: "environment.yaml",
    summary: summarySection(turns, end),
  };
}

function summarySection(turns: readonly Turn[], end: RunEnd): Readonly<Record<string, unknown>> {
  const usages = turns.map(({ usage }) => usage);
  const total = (figure: (usage: Usage) => number | undefined): number =>
    usages.reduce((sum, usage) => sum + (figure(usage) ?? 0), 0);
  const tokens = {
    input: total((usage) => usage.inputTokens),
    output: total((usage) => usage.outputTokens),
    cache_read: total((usage) => usage.cacheReadTokens),
    cache_write: total((usage) => usage.cacheWriteTokens),
    reasoning: total((usage) => usage.reasoningTokens),
  };
  const cost = total((usage) => usage.costUsd);
  const steps = total((usage) => usage.steps);
  const failed = turns.find((turn) => checkpointState(turn) === "error");
  const reached = turns.every((turn) => checkpointState(turn) === "ran");
  const message = end.reason ?? failed?.reason;
  return {
    started: end.startedAt.toISOString(),
    ended: end.finishedAt.toISOString(),
    duration_seconds: (end.finishedAt.getTime() - end.startedAt.getTime()) / 1000,
    total_cost: cost,
    total_steps: steps,
    total_usage: { cost, steps, net_tokens: tokens, current_tokens: tokens },
    checkpoints: Object.fromEntries(turns.map((turn) => [turn.checkpoint, checkpointState(turn)])),
    state: end.state === "finished" && failed === undefined ? "completed" : "error",
    error_type: message === undefined ? null : "SlopLens",
    error_message: message ?? null,
    error_traceback: null,
    passed_policy: end.state === "finished" && end.reason === undefined && reached,
  };
}

function checkpointState({ verdict }: Turn): "ran" | "skipped" | "error" {
  if (verdict === "passed" || verdict === "failed") return "ran";
  return verdict === "not-reached" || verdict === "skipped" ? "skipped" : "error";
}
