/** Number of single-character insertions, deletions, replacements and swaps of neighbours between two words. */
function editDistance(from: string, to: string): number {
  let before: Uint32Array = new Uint32Array(to.length + 1);
  let previous = Uint32Array.from({ length: to.length + 1 }, (_, index) => index);
  for (let row = 1; row <= from.length; row += 1) {
    const current = new Uint32Array(to.length + 1).fill(row, 0, 1);
    for (let column = 1; column <= to.length; column += 1) {
      const isSame = from[row - 1] === to[column - 1];
      const isSwap = row > 1 && from[row - 1] === to[column - 2] && from[row - 2] === to[column - 1];
      current[column] = Math.min(
        at(previous, column - 1) + (isSame ? 0 : 1),
        at(previous, column) + 1,
        at(current, column - 1) + 1,
        isSwap ? at(before, column - 2) + 1 : Infinity,
      );
    }
    [before, previous] = [previous, current];
  }
  return at(previous, to.length);
}

function at(distances: Uint32Array, index: number): number {
  return distances[index] ?? 0;
}

/** Keys of one file that are compared with known words: comparing costs time, and thousands are no misspelling. */
export const MOST_COMPARED = 500;

/** Shorter words are like a part of anything. */
const SHORTEST_PART = 4;

/** The known word that `word` is most likely a misspelling of; undefined when none is near. */
export function nearestWord(word: string, known: readonly string[]): string | undefined {
  const whole = nearest(
    word,
    known.map((candidate) => ({ word: candidate, forms: [candidate] })),
  );
  if (whole !== undefined || word.length < SHORTEST_PART) return whole;
  return nearest(
    word,
    known.map((candidate) => ({ word: candidate, forms: partsOf(candidate) })),
  );
}

/** What somebody may write of `except-pass-silence`: a part of it, or its beginning. */
function partsOf(candidate: string): string[] {
  const parts = candidate.split(/[^A-Za-z0-9]+/u);
  const beginnings = parts.map((_, index) => parts.slice(0, index + 1).join(""));
  return [...parts, ...beginnings].filter(({ length }) => length >= SHORTEST_PART);
}

interface Candidate {
  readonly word: string;
  readonly forms: readonly string[];
}

function nearest(word: string, candidates: readonly Candidate[]): string | undefined {
  const plain = (text: string): string => text.toLowerCase().replaceAll(/[^a-z0-9]/gu, "");
  const own = plain(word);
  const limit = Math.max(1, Math.floor(word.length / 3));
  let best: { readonly word: string; readonly distance: number } | undefined;
  for (const candidate of candidates.filter((one) => !differsInNumbers(word, one.word))) {
    const forms = candidate.forms.map(plain).filter((form) => Math.abs(form.length - own.length) <= limit);
    const distance = Math.min(...forms.map((form) => editDistance(own, form)));
    if (distance <= limit && (best === undefined || distance < best.distance)) {
      best = { word: candidate.word, distance };
    }
  }
  return best?.word;
}

/** `checkpoint_9` is no misspelling of `checkpoint_1`. */
function differsInNumbers(word: string, candidate: string): boolean {
  const shape = (text: string): string => text.replaceAll(/\d+/gu, "0");
  return /\d/u.test(word) && shape(word) === shape(candidate);
}

/** `; did you mean "x"?`, or nothing. */
export function suggestion(word: string, known: readonly string[]): string {
  const found = nearestWord(word, known);
  return found === undefined ? "" : `; did you mean "${found}"?`;
}
