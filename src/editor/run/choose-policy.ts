import * as vscode from "vscode";
import { withSeconds, type RunPolicy } from "../../core/model/policy.js";
import { SHIPPED_POLICIES, shippedPolicy } from "../../core/model/shipped-policies.js";
import { policyWords } from "../../core/report/policy-words.js";
import { policiesOf } from "../product.js";
import { pick, type Choice } from "./pick.js";

/** What the shipped policies mean; those of SCB's that are left out say it by their names. */
const MEANING: Readonly<Record<string, string>> = {
  any: "one attempt, every checkpoint is taken",
  "fail-stop": "one attempt, ends at the first checkpoint with a failed test",
  "independent(4)": "four attempts, a run each; a failed test ends one",
  "roundwise(4, 1)": "four tries at each checkpoint, the best that passes goes on",
  reference: "each checkpoint from the reference solution of the one before (SR)",
};

/**
 * Asks for the policy of a run: the shipped ones, the default first, then the workspace's own.
 * @param base workspace folder whose `.slop-lens/policies` are offered
 * @param seconds the setting for the agent's time, which takes the place of a policy's; undefined where it is not set
 * @returns undefined when the user left
 */
export async function choosePolicy(
  base: string,
  seconds: number | undefined,
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
  ];
  const placeHolder = "Choose how the run goes on (Enter for one attempt)";
  const policy = (await pick(items, "Run Trajectory: Policy", placeHolder))?.value;
  return policy === undefined ? undefined : { ...policy, limits: withSeconds(policy.limits, seconds) };
}

function shippedChoice(name: string): Choice<RunPolicy>[] {
  const policy = shippedPolicy(name);
  if (policy === undefined) return [];
  const description = MEANING[name] ?? "one attempt, SCB's pass policy";
  return [{ label: name, description, value: policy }];
}
