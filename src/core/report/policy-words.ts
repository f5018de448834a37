import path from "node:path";
import type { AttemptOf, Attempts, RunPolicy, SnapshotStart, TurnLimits } from "../model/policy.js";
import type { Run } from "../model/run.js";
import { duration } from "./format.js";

/** How often a problem is tried, as it is written: `independent(4)`, `roundwise(4, 1)`; empty for once. */
export function attemptsWords(attempts: Attempts): string {
  switch (attempts.kind) {
    case "single":
      return "";
    case "independent":
      return `independent(${attempts.count})`;
    case "roundwise":
      return `roundwise(${attempts.count}, ${attempts.beam})`;
  }
}

/** A policy in a few words: its name, and what that does not tell: `careful · roundwise(4, 1) · from reference`. */
export function policyWords(policy: RunPolicy): string {
  const attempts = attemptsWords(policy.attempts);
  const parts = [
    policy.name,
    attempts === policy.name ? "" : attempts,
    startWords(policy),
    policy.session === "continued" ? "session continued" : "",
  ];
  return parts.filter((part) => part !== "").join(" · ");
}

function startWords({ start, name }: RunPolicy): string {
  if (start.kind === "snapshot") return `from ${checkpointOf(start)}`;
  return start.kind === "reference" && name !== "reference" ? "from reference" : "";
}

function checkpointOf({ turn }: SnapshotStart): string {
  return (turn.split("/").at(-1) ?? turn).replace("_", " ");
}

/** `attempt 1 of 4`; empty for a run that stands alone. */
export function attemptWords(attempt: AttemptOf | undefined): string {
  return attempt === undefined || attempt.of === 1 ? "" : `attempt ${attempt.index} of ${attempt.of}`;
}

/** What is worth a place in a run's heading: nothing for the policy of most runs, one try of everything. */
export function runPolicyWords({ policy, attempt }: Run): string {
  const words =
    policy === undefined ? "" : policyWords({ ...policy, name: policy.name === "any" ? "" : policy.name });
  return [attemptWords(attempt), words].filter((part) => part !== "").join(" · ");
}

/** All of a policy, a line each, for a tooltip. */
export function policyLines({ policy, attempt }: Run): string[] {
  if (policy === undefined) return [];
  return [
    `Policy ${policyWords(policy)}${policy.name === policy.pass ? "" : `, goes on while ${policy.pass}`}`,
    ...(attempt === undefined || attempt.of === 1
      ? []
      : [`Attempt ${attempt.index} of ${attempt.of}, group ${attempt.group}`]),
    ...forkLine(policy),
    ...limitsLine(policy.limits),
  ];
}

function forkLine({ start }: RunPolicy): string[] {
  if (start.kind !== "snapshot") return [];
  return [`Forked from ${checkpointOf(start)} of ${path.basename(start.run)}`];
}

function limitsLine(limits: TurnLimits): string[] {
  const { seconds, steps, costUsd, problemCostUsd, idleSeconds } = limits;
  const parts = [
    seconds === undefined ? "" : `${duration(seconds)} a checkpoint`,
    steps === undefined ? "" : `${steps} steps`,
    costUsd === undefined ? "" : `$${costUsd} a checkpoint`,
    problemCostUsd === undefined ? "" : `$${problemCostUsd} a problem`,
    idleSeconds === undefined ? "" : `${duration(idleSeconds)} without a word`,
  ].filter((part) => part !== "");
  return parts.length === 0 ? [] : [`Limits: ${parts.join(", ")}`];
}
