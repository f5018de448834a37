import { isAmount } from "../model/amounts.js";
import {
  DEFAULT_LIMITS,
  passPolicy,
  PASS_POLICIES,
  type AgentNetwork,
  type AttemptOf,
  type Attempts,
  type RunPolicy,
  type Start,
  type TurnLimits,
} from "../model/policy.js";
import type { Fields } from "../model/fields.js";
import { placeOf, storedPlace } from "./places.js";

/**
 * A policy as it stands in a run record.
 * @param runFolder where the run lies, or another folder beside it
 */
export function policyDocument(policy: RunPolicy, runFolder: string): Readonly<Record<string, unknown>> {
  const { start } = policy;
  if (start.kind !== "snapshot") return { ...policy };
  return { ...policy, start: { ...start, run: storedPlace(runFolder, start.run) } };
}

/** @returns undefined when there is none; records of the first form have the name of a pass policy only */
export function readPolicy(record: Fields, runFolder: string): RunPolicy | undefined {
  const named = record.oneOf("policy", PASS_POLICIES);
  if (named !== undefined) return passPolicy(named);
  const fields = record.fields("policy");
  const pass = fields.oneOf("pass", PASS_POLICIES);
  if (pass === undefined) return undefined;
  return {
    name: fields.text("name") ?? pass,
    pass,
    attempts: readAttempts(fields.fields("attempts")),
    start: readStart(fields.fields("start"), runFolder),
    session: fields.oneOf("session", ["fresh", "continued"]) ?? "fresh",
    limits: readLimits(fields.fields("limits")),
  };
}

function readAttempts(fields: Fields): Attempts {
  const kind = fields.oneOf("kind", ["independent", "roundwise"]) ?? "single";
  if (kind === "single") return { kind };
  const told = fields.numberOr("count", 1);
  const count = isAmount("attempts", told) ? told : 1;
  return kind === "independent" ? { kind, count } : { kind, count, beam: fields.numberOr("beam", 1) };
}

function readStart(fields: Fields, runFolder: string): Start {
  const kind = fields.oneOf("kind", ["reference", "snapshot"]) ?? "empty";
  if (kind !== "snapshot") return { kind };
  const [run, turn] = [fields.text("run"), fields.text("turn")];
  return run === undefined || turn === undefined
    ? { kind: "empty" }
    : { kind, run: placeOf(runFolder, run), turn };
}

/** What a record leaves out was off. */
function readLimits(fields: Fields): TurnLimits {
  const numbers = Object.keys(DEFAULT_LIMITS).map((key) => [key, fields.number(key)] as const);
  const read: Readonly<Record<string, number | undefined>> = Object.fromEntries(numbers);
  return { ...DEFAULT_LIMITS, ...read, network: readNetwork(fields) };
}

const NETWORKS = ["bridge", "none"] as const;

function readNetwork(limits: Fields): AgentNetwork | undefined {
  const hosts = limits.fields("network").texts("hosts");
  const named = limits.oneOf("network", NETWORKS);
  return named ?? (hosts.length > 0 ? { hosts } : undefined);
}

/** @returns undefined for a run that stands alone */
export function readAttempt(fields: Fields): AttemptOf | undefined {
  const [of, index, group] = [fields.number("of"), fields.number("index"), fields.text("group")];
  if (of === undefined || index === undefined || group === undefined) return undefined;
  return isAmount("attempts", of) && isAmount("attempts", index) ? { of, index, group } : undefined;
}
