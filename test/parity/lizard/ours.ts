import { readFile } from "node:fs/promises";
import type { Language } from "../../../src/core/analysis/languages/language.js";
import { faultOf, measureTree } from "../../../src/core/analysis/measure.js";
import { findCallables, innerCallables } from "../../../src/core/analysis/measures/callables.js";
import { decode } from "../../../src/core/analysis/source.js";
import type { FlatTree } from "../../../src/core/analysis/tree/flat-tree.js";
import type { Parsers } from "../../../src/core/analysis/tree/parsers.js";

export interface OurCallable {
  readonly node: number;
  readonly name: string;
  readonly qualifiedName: string;
  readonly start: number;
  readonly end: number;
  readonly cc: number;
  readonly labels: readonly string[];
  /** Callables directly inside. */
  readonly inner: readonly number[];
}

export interface OurFile {
  /** As it stands in the file, with Unix newlines. */
  readonly lines: readonly string[];
  readonly tree: FlatTree;
  readonly callables: readonly OurCallable[];
  readonly lostLines: number;
}

/** @returns undefined when the file is skipped */
export async function readOurs(
  parsers: Parsers,
  language: Language,
  file: string,
): Promise<OurFile | undefined> {
  const text = decode(await readFile(file));
  const tree = (await parsers.load(language))(text);
  if (tree === undefined) return undefined;
  const measures = measureTree(tree);
  if (faultOf(measures) !== undefined) return undefined;
  const found = findCallables(tree);
  const inner = innerCallables(tree, found);
  const callables = measures.callables.map((measured, index): OurCallable => {
    const node = found[index]?.node ?? 0;
    return {
      ...measured,
      node,
      labels: measured.decisions.map(({ label }) => label),
      inner: inner.get(node) ?? [],
    };
  });
  return { lines: text.split(/\r\n?|\n/), tree, callables, lostLines: measures.lostLines ?? 0 };
}
