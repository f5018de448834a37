import path from "node:path";
import * as l10n from "@vscode/l10n";
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
    policy.session === "continued" ? l10n.t("session continued") : "",
  ];
  return parts.filter((part) => part !== "").join(" · ");
}

function startWords({ start, name }: RunPolicy): string {
  if (start.kind === "snapshot") return l10n.t("from {0}", checkpointOf(start));
  return start.kind === "reference" && name !== "reference" ? l10n.t("from reference") : "";
}

function checkpointOf({ turn }: SnapshotStart): string {
  const name = turn.split("/").at(-1) ?? turn;
  const number = /^checkpoint_(\d+)$/.exec(name)?.[1];
  return number === undefined ? name : l10n.t("Checkpoint {0}", number).toLowerCase();
}

/** `attempt 1 of 4`; empty for a run that stands alone. */
export function attemptWords(attempt: AttemptOf | undefined): string {
  return attempt === undefined || attempt.of === 1
    ? ""
    : l10n.t("attempt {0} of {1}", attempt.index, attempt.of);
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
    policy.name === policy.pass
      ? l10n.t("Policy {0}", policyWords(policy))
      : l10n.t("Policy {0}, goes on while {1}", policyWords(policy), policy.pass),
    ...(attempt === undefined || attempt.of === 1
      ? []
      : [l10n.t("Attempt {0} of {1}, group {2}", attempt.index, attempt.of, attempt.group)]),
    ...forkLine(policy),
    ...limitsLine(policy.limits),
  ];
}

function forkLine({ start }: RunPolicy): string[] {
  if (start.kind !== "snapshot") return [];
  return [l10n.t("Forked from {0} of {1}", checkpointOf(start), path.basename(start.run))];
}

function limitsLine(limits: TurnLimits): string[] {
  const { seconds, steps, costUsd, problemCostUsd, idleSeconds } = limits;
  const parts = [
    seconds === undefined ? "" : l10n.t("{0} a checkpoint", duration(seconds)),
    steps === undefined ? "" : l10n.t("{0} steps", steps),
    costUsd === undefined ? "" : l10n.t("{0} a checkpoint", `$${costUsd}`),
    problemCostUsd === undefined ? "" : l10n.t("{0} a problem", `$${problemCostUsd}`),
    idleSeconds === undefined ? "" : l10n.t("{0} without a word", duration(idleSeconds)),
  ].filter((part) => part !== "");
  return parts.length === 0 ? [] : [l10n.t("Limits: {0}", parts.join(", "))];
}
