import { scrypt } from "node:crypto";
import { isSecretName } from "./redact.js";

/**
 * Bytes that are kept of a secret's hash. Records are handed on, so a whole hash, salted or slow, would let anybody who
 * guesses a short password see that the guess is right. Of two bytes one guess in 65,536 looks right by chance, for ever:
 * with the same salt everywhere all records together tell no more than one. The price: one change in 65,536 goes unseen.
 */
const KEPT_BYTES = 2;
const SALT = "slop-lens secret mark";

/**
 * Marks by which another value of a variable that sounds secret is seen, and by which the value is not found.
 * @returns JSON, names to marks; undefined when no variable sounds secret
 */
export async function secretMarks(variables: Readonly<Record<string, string>>): Promise<string | undefined> {
  const secrets = Object.entries(variables)
    .filter(([name]) => isSecretName(name))
    .sort(([left], [right]) => (left < right ? -1 : 1));
  if (secrets.length === 0) return undefined;
  const marks = await Promise.all(secrets.map(async ([name, value]) => [name, await markOf(value)] as const));
  return JSON.stringify(Object.fromEntries(marks));
}

/** Names of variables that both know and whose marks differ. What cannot be read tells nothing. */
export function changedSecrets(before: string | undefined, now: string | undefined): string[] {
  const [old, current] = [readMarks(before), readMarks(now)];
  return [...old].flatMap(([name, mark]) => {
    const own = current.get(name);
    return own === undefined || own === mark ? [] : [name];
  });
}

function readMarks(text: string | undefined): ReadonlyMap<string, unknown> {
  try {
    const marks: unknown = JSON.parse(text ?? "{}");
    return new Map(typeof marks === "object" && marks !== null ? Object.entries(marks) : []);
  } catch {
    return new Map();
  }
}

/** Marks made so far, by value: each turn of a run asks for the same. */
const known = new Map<string, Promise<string>>();
const MOST_KNOWN = 100;

function markOf(value: string): Promise<string> {
  const before = known.get(value);
  if (before !== undefined) return before;
  if (known.size >= MOST_KNOWN) known.clear();
  const mark = makeMark(value);
  known.set(value, mark);
  return mark;
}

/** Slow on purpose, some tens of milliseconds: a mark that leaves few guesses over costs time at least. */
function makeMark(value: string): Promise<string> {
  return new Promise((resolve, reject) => {
    scrypt(value, SALT, KEPT_BYTES, (error, mark) => {
      if (error === null) resolve(mark.toString("hex"));
      else reject(error);
    });
  });
}
