import { InvalidArgumentError } from "commander";

const MOST_CHECKPOINTS = 1000;

/**
 * Reads a choice of checkpoints: `2`, `1-3`, `1,3-4`, or names as they stand, `checkpoint_2`.
 * @returns checkpoint names in the order given, each once
 */
export function checkpointNames(text: string): string[] {
  const names = text.split(",").flatMap((part) => namesOfPart(part.trim()));
  return [...new Set(names)];
}

function namesOfPart(part: string): string[] {
  const range = /^(?<from>\d+)(?:-(?<to>\d+))?$/u.exec(part)?.groups;
  if (range === undefined) {
    if (part === "" || /^[\d-]+$/u.test(part))
      throw new InvalidArgumentError("Give 2, 1-3, or checkpoint_2.");
    return [part];
  }
  const from = Number(range["from"]);
  const to = Number(range["to"] ?? range["from"]);
  if (from < 1 || to < from || to > MOST_CHECKPOINTS) {
    throw new InvalidArgumentError("A range goes upwards from 1, for example 1-3.");
  }
  return Array.from({ length: to - from + 1 }, (_, index) => `checkpoint_${from + index}`);
}

/** Reads a number of seconds above zero; `0` stands for no limit. */
export function seconds(text: string): number {
  const value = Number(text);
  if (text.trim() === "" || !Number.isFinite(value) || value < 0) {
    throw new InvalidArgumentError("Give a number of seconds, 0 for no limit.");
  }
  return value;
}

/** Reads a number of 0 or more. */
export function amount(text: string): number {
  const value = Number(text);
  if (text.trim() === "" || !Number.isFinite(value) || value < 0) {
    throw new InvalidArgumentError("Give a number, 0 for no limit.");
  }
  return value;
}

/** Reads a whole number above zero. */
export function count(text: string): number {
  const value = Number(text);
  if (!Number.isInteger(value) || value < 1) throw new InvalidArgumentError("Give a whole number above 0.");
  return value;
}

/** Reads an amount of memory above zero, in GiB. */
export function gibibytes(text: string): number {
  const value = Number(text);
  if (!Number.isFinite(value) || value <= 0) throw new InvalidArgumentError("Give a number of GiB above 0.");
  return value;
}

/** Gathers an option that may be given more than once. */
export function gather(value: string, before: readonly string[] | false | undefined): string[] {
  return [...(before === false ? [] : (before ?? [])), value];
}
