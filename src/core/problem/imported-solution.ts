import { readdir } from "node:fs/promises";
import path from "node:path";
import { literalPattern } from "../model/literal-pattern.js";
import { readText } from "../model/read-text.js";

export interface ImportOfSolution {
  readonly file: string;
  /** 1-based. */
  readonly line: number;
  readonly column: number;
}

/**
 * Finds hidden tests that import the solution instead of starting it: its code then runs in pytest's own process,
 * where it can make up results. A look at the text: imports that are put together at run time are not seen.
 * @param stem the entry file without its ending, for example `shelf`
 * @returns one place a file, in the order of names
 */
export async function importsOfSolution(tests: string, stem: string): Promise<ImportOfSolution[]> {
  const names = (await readdir(tests).catch(() => [])).filter((name) => name.endsWith(".py"));
  // A helper of the tests may have the same name; then the import means that.
  if (names.includes(`${stem}.py`)) return [];
  const pattern = importPattern(stem);
  const found = names.sort().map(async (name) => {
    const file = path.join(tests, name);
    const text = await readText(file).catch(() => "");
    const match = pattern.exec(text);
    if (match === null) return undefined;
    const before = text.slice(0, match.index).split("\n");
    return { file, line: before.length, column: (before.at(-1)?.length ?? 0) + 1 };
  });
  return (await Promise.all(found)).filter((one) => one !== undefined);
}

/** A character of a Python name; `\w` is only ASCII. */
const LETTER = "[\\p{L}\\p{M}\\p{N}_]";

/** `import shelf`, `from shelf import x`, `import_module("shelf")`, also indented and among others. */
function importPattern(stem: string): RegExp {
  const name = literalPattern(stem);
  const before = `(?:(?:${LETTER}|\\.)+(?:[ \\t]+as[ \\t]+${LETTER}+)?[ \\t]*,[ \\t]*)*`;
  const statement = `(?<=^[ \\t]*)(?:import[ \\t]+${before}|from[ \\t]+)${name}(?!${LETTER})`;
  const call = `\\b(?:import_module|__import__)\\([ \\t]*["']${name}["'.]`;
  return new RegExp(`${statement}|${call}`, "mu");
}
