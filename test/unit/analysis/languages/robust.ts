import { expect, it } from "vitest";
import type { Language } from "../../../../src/core/analysis/languages/language.js";
import { measureAs } from "./support.js";

const LEVELS = 5000;

interface Samples {
  /** One callable with one decision, as lines; its first and last line are the callable's. */
  readonly callable: readonly string[];
  /** Texts of nothing but comments. */
  readonly comments: readonly string[];
  /** What stands around an expression to make it the body of a callable. */
  readonly body: readonly [string, string];
  /** Name → text before, between and behind 5,000 levels, and the decisions that they add. */
  readonly nested: Readonly<
    Record<string, readonly [open: string, inside: string, close: string, each: number]>
  >;
}

/** What holds of every language, however its texts are written down. */
export function itMeasuresTexts(language: Language, samples: Samples): void {
  it("finds nothing in an empty text, and no code in comments", async () => {
    for (const text of ["", "\n", " \t\r\n\n", ...samples.comments]) {
      expect(await measureAs(language, text), JSON.stringify(text)).toMatchObject({
        sloc: [],
        callables: [],
        cloneCandidates: [],
      });
    }
  });

  it("measures the same with a byte order mark, with CRLF, and without a last newline", async () => {
    const lines = samples.callable;
    const plain = await measureAs(language, ...lines, "");
    expect(plain.callables).toMatchObject([{ start: 1, end: lines.length, cc: 2 }]);
    expect(await measureAs(language, `\ufeff${lines.join("\n")}`)).toEqual(plain);
    expect(await measureAs(language, lines.join("\r\n"))).toEqual(plain);
    expect(await measureAs(language, ...lines)).toEqual(plain);
  });

  it.each(Object.entries(samples.nested))("measures 5,000 levels of %s", async (_, nested) => {
    const [open, inside, close, each] = nested;
    const [before, behind] = samples.body;
    const text = [before, open.repeat(LEVELS), inside, close.repeat(LEVELS), behind].join("");
    const { callables } = await measureAs(language, text);
    expect(callables).toHaveLength(1);
    expect(callables[0]?.cc).toBe(1 + each * LEVELS);
  });
}
