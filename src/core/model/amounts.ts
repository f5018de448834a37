/** The kinds of numbers that users write, on the command line and in YAML files: what makes sense, and in what words. */

interface Amount {
  readonly isWhole: boolean;
  /** The least above 0. */
  readonly least: number;
  readonly most: number;
  /** What 0 stands for; undefined where it means nothing. */
  readonly zero: "no limit" | "none" | "the default" | undefined;
}

const limit = (isWhole: boolean, least: number, most: number): Amount => ({
  ...{ isWhole, least, most },
  zero: "no limit",
});
const count = (most: number): Amount => ({ isWhole: true, least: 1, most, zero: undefined });

/** Timers hold 24.8 days; this is 23, and longer than anybody waits. */
const MOST_SECONDS = 2_000_000;
/** Engines refuse less than 6 MiB. */
const LEAST_BYTES = 6 * 1024 ** 2;
const MOST_BYTES = 2 ** 50;

/** Bounds are wide: beyond them is a slip of the hand, or what no engine takes. */
export const AMOUNTS = {
  seconds: limit(false, 0.001, MOST_SECONDS),
  /** A time limit that cannot be off. */
  timeout: { ...limit(false, 0.001, MOST_SECONDS), zero: undefined },
  steps: limit(true, 1, 1_000_000),
  dollars: limit(false, 0.000001, 1_000_000),
  /** Dollars for a million tokens. */
  price: { ...limit(false, 0.000001, 1_000_000), zero: "none" },
  retries: { ...limit(true, 1, 100), zero: "none" },
  memoryBytes: { ...limit(true, LEAST_BYTES, MOST_BYTES), zero: "the default" },
  diskBytes: limit(true, 1, MOST_BYTES),
  cpus: limit(false, 0.01, 10_000),
  /** Processes and threads; the kernel counts no further. */
  pids: { ...limit(true, 1, 4_194_304), zero: "the default" },
  gibibytes: { isWhole: false, least: 0.01, most: 2 ** 20, zero: undefined },
  jobs: count(1000),
  /** Each is days of work, and all are counted out before the first begins. */
  attempts: count(1000),
  /** Of a context window. */
  tokens: count(1_000_000_000),
} as const satisfies Readonly<Record<string, Amount>>;

export type AmountKind = keyof typeof AMOUNTS;

/** Whether a number makes sense as what it stands for. */
export function isAmount(kind: AmountKind, value: number): boolean {
  const { isWhole, least, most, zero }: Amount = AMOUNTS[kind];
  if (value === 0) return zero !== undefined;
  return value >= least && value <= most && (!isWhole || Number.isInteger(value));
}

/**
 * What {@link isAmount} asks for: `a whole number from 1 to 1000000, or 0 for no limit`.
 * @param text what was written instead, where its form may be what is wrong
 */
export function amountWords(kind: AmountKind, text?: string): string {
  const { isWhole, least, most, zero }: Amount = AMOUNTS[kind];
  const range = `a ${isWhole ? "whole " : ""}number from ${plain(least)} to ${plain(most)}`;
  const all = zero === undefined ? range : `${range}, or 0 for ${zero}`;
  const isInRange = text !== undefined && isAmount(kind, Number(text));
  return isInRange && decimal(text) === undefined ? `${all}, in decimals` : all;
}

/** Without an exponent. */
function plain(value: number): string {
  return value >= 1 ? String(value) : value.toFixed(6).replace(/0+$/u, "");
}

/**
 * The number that a text writes in decimals, `2`, `0.5`, `.5`; undefined for anything else: a sign, an exponent, a base,
 * a unit. Whoever writes `1e9` or `0x10` for one of these slipped.
 */
export function decimal(text: string): number | undefined {
  return /^(?:\d+(?:\.\d*)?|\.\d+)$/u.test(text.trim()) ? Number(text) : undefined;
}
