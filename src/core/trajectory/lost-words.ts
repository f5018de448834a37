import type { LostTry } from "../store/candidates.js";

/** Which tries cannot be compared with the others, and so are taken anew. */
export function lostWords(lost: readonly LostTry[]): string {
  const numbers = lost.flatMap(({ index }) => (index === undefined ? [] : [index]));
  if (numbers.length < lost.length) {
    return numbers.length === 0
      ? "the record of the chosen try cannot be read: taken anew"
      : `the records of the chosen try and of try ${numbers.join(", ")} cannot be read: taken anew`;
  }
  return `the record of try ${numbers.join(", ")} cannot be read: taken anew`;
}
