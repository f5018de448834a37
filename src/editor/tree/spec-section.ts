/** Which section of a spec a hidden test is about, judged by the words of its name. */
import { testLabel } from "../words.js";

export interface SpecSection {
  readonly heading: string;
  /** 1-based line of the heading. */
  readonly line: number;
  /** The heading's anchor in a Markdown preview. */
  readonly anchor: string;
}

interface Section extends SpecSection {
  readonly inHeading: ReadonlySet<string>;
  readonly inText: ReadonlySet<string>;
}

/** A word in a heading weighs as much as this many in the text. */
const HEADING_WEIGHT = 3;

/**
 * The section that shares the rarest words with the name of a test.
 * @param spec Markdown
 * @param testId pytest's name of the test
 * @returns undefined when no section shares a word with it
 */
export function specSection(spec: string, testId: string): SpecSection | undefined {
  const sections = sectionsOf(spec);
  const wanted = wordsOf(testLabel(testId));
  const rarity = new Map(
    [...wanted].map((word) => {
      const holding = sections.filter(({ inHeading, inText }) => inHeading.has(word) || inText.has(word));
      return [word, holding.length === 0 ? 0 : Math.log(1 + sections.length / holding.length)];
    }),
  );
  // A spec begins with its title and what it is about, which shares words with everything.
  const [title, ...rest] = sections;
  const best = bestOf(rest, rarity) ?? (title && bestOf([title], rarity));
  return best && { heading: best.heading, line: best.line, anchor: best.anchor };
}

function bestOf(sections: readonly Section[], rarity: ReadonlyMap<string, number>): Section | undefined {
  let best: Section | undefined;
  let most = 0;
  for (const section of sections) {
    const score = scoreOf(section, rarity);
    if (score > most) [best, most] = [section, score];
  }
  return best;
}

function scoreOf({ inHeading, inText }: Section, rarity: ReadonlyMap<string, number>): number {
  let score = 0;
  for (const [word, weight] of rarity) {
    if (inHeading.has(word)) score += HEADING_WEIGHT * weight;
    if (inText.has(word)) score += weight;
  }
  return score;
}

interface Part {
  readonly heading: string;
  readonly line: number;
  readonly text: string[];
}

function sectionsOf(spec: string): Section[] {
  const anchors = new Map<string, number>();
  return partsOf(spec).map(({ heading, line, text }) => ({
    heading: heading.replaceAll(/[`*]/g, ""),
    line,
    anchor: anchorOf(heading, anchors),
    inHeading: wordsOf(heading),
    inText: wordsOf(text.join(" ")),
  }));
}

/** Headings in code blocks are none. */
function partsOf(spec: string): Part[] {
  const found: Part[] = [];
  let fence: string | undefined;
  for (const [index, line] of spec.split(/\r\n|\r|\n/).entries()) {
    const mark = /^\s*(```|~~~)/.exec(line)?.[1];
    const heading = fence === undefined ? /^#{1,6}\s+(.*?)\s*#*$/.exec(line)?.[1] : undefined;
    if (mark !== undefined) fence = fence === undefined ? mark : fence === mark ? undefined : fence;
    if (heading === undefined) found.at(-1)?.text.push(line);
    else found.push({ heading, line: index + 1, text: [] });
  }
  return found;
}

/** As VS Code's preview names headings: lower case, blanks as dashes, repeated names numbered. */
function anchorOf(heading: string, taken: Map<string, number>): string {
  const plain = heading
    .trim()
    .toLowerCase()
    .replaceAll(/[^\p{Letter}\p{Mark}\p{Number}\s_-]/gu, "")
    .replaceAll(/\s/g, "-");
  const count = taken.get(plain);
  taken.set(plain, (count ?? 0) + 1);
  return count === undefined ? plain : `${plain}-${count}`;
}

/** Words that stand in tests and specs of all kinds. */
const COMMON = new Set(
  "a an and are as at be by can does for from has in is it its not of on one only or that the then this to with without".split(
    " ",
  ),
);

function wordsOf(text: string): Set<string> {
  const words = text.toLowerCase().match(/[\p{Letter}\p{Number}]+/gu) ?? [];
  return new Set(words.filter((word) => word.length > 1 && !COMMON.has(word)).map(stem));
}

/** Takes off the endings that a name and a sentence differ by: `drops`, `dropped`, `moving`, `move`. */
function stem(word: string): string {
  const bare = word.replace(/(?:ing|ed|es|s)$/, "");
  if (bare.length < 3) return word;
  return bare.replace(/([b-df-hj-np-tv-z])\1$/, "$1").replace(/e$/, "");
}
