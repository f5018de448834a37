import { createHash } from "node:crypto";
import type { Fields } from "./fields.js";

/**
 * What a turn was made with beside its prompt, its parent's snapshot and its hidden tests, each as a hash: a run that is gone
 * on with compares them with what there is now, so that nothing is mixed unseen. Undefined is not known.
 */
export interface TurnInputs {
  /** Who took the turn: description, program file, recording. */
  readonly agent: string | undefined;
  /** Where an agent worked; undefined for recordings, which work nowhere. */
  readonly environment: string | undefined;
  /** The pack's static assets. */
  readonly assets: string | undefined;
  /** The snapshot that the turn began from, where it is no turn of the same run. */
  readonly start: string | undefined;
  /** How its hidden tests were run: environment, dependencies, variables, time limits. */
  readonly evaluation: string | undefined;
}

/** Hash of anything that JSON can hold; keys that are undefined do not count, nor does the order of keys. */
export function hashOf(value: unknown): string {
  return createHash("sha256").update(JSON.stringify(value, sortKeys)).digest("hex");
}

function sortKeys(_key: string, value: unknown): unknown {
  if (value instanceof Map) return Object.fromEntries(value);
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).sort(([left], [right]) => (left < right ? -1 : 1)));
}

/** As they stand in a turn's record; undefined in records that have none. */
export function readInputs(fields: Fields): TurnInputs | undefined {
  if (fields.keys.length === 0) return undefined;
  return {
    agent: fields.text("agent"),
    environment: fields.text("environment"),
    assets: fields.text("assets"),
    start: fields.text("start"),
    evaluation: fields.text("evaluation"),
  };
}
