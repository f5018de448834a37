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

const SESSIONS = ["fresh", "continued"] as const;
const NETWORKS = ["bridge", "none"] as const;

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
    session: fields.oneOf("session", SESSIONS) ?? "fresh",
    limits: readLimits(fields.fields("limits")),
  };
}

/**
 * What of a recorded policy cannot be read, as `policy.limits.network`. Reading falls back where it must show something; a
 * run that is gone on with must not, because a bound that is lost is a bound that is off.
 * @returns undefined when all of it can be read
 */
export function policyFault(record: Fields): string | undefined {
  if (record.oneOf("policy", PASS_POLICIES) !== undefined) return undefined;
  const policy = record.fields("policy");
  const limits = policy.fields("limits");
  const isOf = (key: string): boolean => policy.isMap(key) || !policy.has(key);
  const sound: Readonly<Record<string, boolean>> = {
    policy: record.isMap("policy"),
    "policy.name": policy.text("name") !== undefined || !policy.has("name"),
    "policy.pass": policy.oneOf("pass", PASS_POLICIES) !== undefined,
    "policy.attempts": isOf("attempts") && areAttempts(policy.fields("attempts")),
    "policy.start": isOf("start") && isStart(policy.fields("start")),
    "policy.session": policy.oneOf("session", SESSIONS) !== undefined || !policy.has("session"),
    "policy.limits": policy.isMap("limits"),
    ...Object.fromEntries(
      Object.keys(DEFAULT_LIMITS)
        .filter((key) => key !== "network")
        .map((key) => [`policy.limits.${key}`, !limits.has(key) || limits.numberOr(key, -1) >= 0]),
    ),
    "policy.limits.network": isNetwork(limits),
  };
  return Object.keys(sound).find((key) => sound[key] === false);
}

function areAttempts(fields: Fields): boolean {
  const isCount = (key: string): boolean => isAmount("attempts", fields.numberOr(key, -1));
  switch (fields.oneOf("kind", ["single", "independent", "roundwise"])) {
    case "single":
      return true;
    case "independent":
      return isCount("count");
    case "roundwise":
      return isCount("count") && isCount("beam");
    case undefined:
      return fields.keys.length === 0;
  }
}

function isStart(fields: Fields): boolean {
  const kind = fields.oneOf("kind", ["empty", "reference", "snapshot"]);
  if (kind !== "snapshot") return kind !== undefined || fields.keys.length === 0;
  return fields.text("run") !== undefined && fields.text("turn") !== undefined;
}

function isNetwork(limits: Fields): boolean {
  if (!limits.has("network") || limits.oneOf("network", NETWORKS) !== undefined) return true;
  return limits.fields("network").isTexts("hosts");
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

/** An empty list is one: it lets nothing through, and so does what cannot be read. */
function readNetwork(limits: Fields): AgentNetwork | undefined {
  if (!limits.has("network")) return undefined;
  return limits.oneOf("network", NETWORKS) ?? { hosts: limits.fields("network").texts("hosts") };
}

/** @returns undefined for a run that stands alone */
export function readAttempt(fields: Fields): AttemptOf | undefined {
  const [of, index, group] = [fields.number("of"), fields.number("index"), fields.text("group")];
  if (of === undefined || index === undefined || group === undefined) return undefined;
  return isAmount("attempts", of) && isAmount("attempts", index) ? { of, index, group } : undefined;
}
