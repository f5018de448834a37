import type { LostTry } from "../store/candidates.js";
import type { LostTries } from "./plan-reason.js";

/** Which tries are lost: numbers, and whether the chosen one is. */
export function lostTries(lost: readonly LostTry[]): LostTries {
  const numbers = lost.flatMap(({ index }) => (index === undefined ? [] : [index]));
  return { chosen: numbers.length < lost.length, numbers };
}

/** Which tries cannot be compared with the others, and so are taken anew, in the English of logs. */
export function lostWords({ chosen, numbers }: LostTries): string {
  if (chosen) {
    return numbers.length === 0
      ? "the record of the chosen try cannot be read: taken anew"
      : `the records of the chosen try and of try ${numbers.join(", ")} cannot be read: taken anew`;
  }
  return `the record of try ${numbers.join(", ")} cannot be read: taken anew`;
}
