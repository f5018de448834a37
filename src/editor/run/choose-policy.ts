import * as vscode from "vscode";
import { withSeconds, type RunPolicy } from "../../core/model/policy.js";
import { SHIPPED_POLICIES, shippedPolicy } from "../../core/model/shipped-policies.js";
import { policyWords } from "../../core/report/policy-words.js";
import { policiesOf } from "../product.js";
import type { Choice, Questions } from "./questions.js";

/** Where a policy is chosen. */
export interface PolicyPlace {
  /** Workspace folder whose `.slop-lens/policies` are offered. */
  readonly base: string;
  /** The setting for the agent's time, which takes the place of a policy's; undefined where it is not set. */
  readonly seconds: number | undefined;
}

/** What the shipped policies mean; those of SCB's that are left out say it by their names. */
function meaningOf(name: string): string {
  switch (name) {
    case "any":
      return vscode.l10n.t("one attempt, every checkpoint is taken");
    case "fail-stop":
      return vscode.l10n.t("one attempt, ends at the first checkpoint with a failed test");
    case "independent(4)":
      return vscode.l10n.t("four attempts, a run each; a failed test ends one");
    case "roundwise(4, 1)":
      return vscode.l10n.t("four tries at each checkpoint, the best that passes goes on");
    case "reference":
      return vscode.l10n.t("each checkpoint from the reference solution of the one before (SR)");
    default:
      return vscode.l10n.t("one attempt, SCB's pass policy");
  }
}

/**
 * Asks for the policy of a run: the shipped ones, the default first, then the workspace's own.
 * @param isFork leaves out the policies that say themselves what a run begins from
 * @returns undefined when the user left
 */
export async function choosePolicy(
  ask: Questions,
  { base, seconds }: PolicyPlace,
  isFork = false,
): Promise<RunPolicy | undefined> {
  const own = await policiesOf(base);
  for (const fault of own.faults) void vscode.window.showWarningMessage(fault.message);
  const items = [
    ...SHIPPED_POLICIES.flatMap(shippedChoice),
    ...own.policies.map((policy): Choice<RunPolicy> => ({
      label: `$(file) ${policy.name}`,
      description: [".slop-lens/policies", policyWords({ ...policy, name: "" })].filter(Boolean).join(" · "),
      value: policy,
    })),
  ].filter(({ value }) => !isFork || value.start.kind === "empty");
  const policy = await ask.pick(
    {
      id: "policy",
      step: vscode.l10n.t("Policy"),
      placeHolder: vscode.l10n.t(
        "Choose how often it is tried, and what lets it go on to the next checkpoint",
      ),
    },
    items,
  );
  return policy === undefined ? undefined : { ...policy, limits: withSeconds(policy.limits, seconds) };
}

function shippedChoice(name: string): Choice<RunPolicy>[] {
  const policy = shippedPolicy(name);
  return policy === undefined ? [] : [{ label: name, description: meaningOf(name), value: policy }];
}
