import { InvalidArgumentError } from "commander";
import { amountWords, decimal, isAmount, type AmountKind } from "../core/model/amounts.js";

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

/**
 * Makes the reader of an option that holds a number.
 * @returns refuses with the words that say what the number may be
 */
export function numberOf(kind: AmountKind): (text: string) => number {
  return (text) => {
    const value = decimal(text);
    if (value === undefined || !isAmount(kind, value)) {
      throw new InvalidArgumentError(`Give ${amountWords(kind, text)}.`);
    }
    return value;
  };
}

/** Gathers an option that may be given more than once. */
export function gather(value: string, before: readonly string[] | false | undefined): string[] {
  return [...(before === false ? [] : (before ?? [])), value];
}
