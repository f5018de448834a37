import { createHash } from "node:crypto";

/** Hash of anything that JSON can hold; keys that are undefined do not count, nor does the order of keys. */
export function hashOf(value: unknown): string {
  return createHash("sha256").update(JSON.stringify(value, sortKeys)).digest("hex");
}

function sortKeys(_key: string, value: unknown): unknown {
  if (value instanceof Map) return Object.fromEntries(value);
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).sort(([left], [right]) => (left < right ? -1 : 1)));
}
