import { isAmount } from "./amounts.js";
import {
  FAIL_STOP,
  FROM_REFERENCE,
  independent,
  PASS_POLICIES,
  passPolicy,
  roundwise,
  type RunPolicy,
} from "./policy.js";

/** Attempts of `independent` and `roundwise` without a number, as EvoCode-Bench takes them. */
const USUAL_COUNT = 4;

/** Names of the shipped policies, the default first, SCB's other pass policies last. */
export const SHIPPED_POLICIES: readonly string[] = [
  "any",
  FAIL_STOP.name,
  independent(USUAL_COUNT).name,
  roundwise(USUAL_COUNT, 1).name,
  FROM_REFERENCE.name,
  ...PASS_POLICIES.filter((pass) => pass !== "any"),
];

/** A shipped policy: a pass policy's name, `fail-stop`, `reference`, `independent(4)`, `roundwise(4, 1)`. */
export function shippedPolicy(name: string): RunPolicy | undefined {
  const pass = PASS_POLICIES.find((one) => one === name);
  if (pass !== undefined) return passPolicy(pass);
  if (name === FAIL_STOP.name) return FAIL_STOP;
  if (name === FROM_REFERENCE.name) return FROM_REFERENCE;
  return withNumbers(name);
}

function withNumbers(name: string): RunPolicy | undefined {
  const told = /^(?<kind>independent|roundwise)(?:\((?<count>\d+)(?:, *(?<beam>\d+))?\))?$/u.exec(
    name,
  )?.groups;
  if (told === undefined) return undefined;
  const count = numberOr(told["count"], USUAL_COUNT);
  const beam = numberOr(told["beam"], 1);
  if (!isAmount("attempts", count) || beam < 1 || beam > count) return undefined;
  return told["kind"] === "independent" ? independent(count) : roundwise(count, beam);
}

function numberOr(text: string | undefined, otherwise: number): number {
  return text === undefined ? otherwise : Number(text);
}
