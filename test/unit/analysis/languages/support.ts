import type { Language } from "../../../../src/core/analysis/languages/language.js";
import {
  measureTree,
  type FileMeasures,
  type MeasuredCallable,
} from "../../../../src/core/analysis/measure.js";
import { Parsers } from "../../../../src/core/analysis/tree/parsers.js";
import { productFiles } from "../support.js";

const parsers = new Parsers(productFiles.dist);

/** Measures of a text in a language; lines are joined by newlines. */
export async function measureAs(language: Language, ...lines: string[]): Promise<FileMeasures> {
  const tree = (await parsers.load(language))(lines.join("\n"));
  if (tree === undefined) throw new Error("syntax error");
  return measureTree(tree);
}

/** The callables of a text as `qualified name → value`. */
export async function callablesOf<Value>(
  language: Language,
  lines: readonly string[],
  value: (callable: MeasuredCallable) => Value,
): Promise<Record<string, Value>> {
  const { callables } = await measureAs(language, ...lines);
  return Object.fromEntries(callables.map((callable) => [callable.qualifiedName, value(callable)]));
}

/** Label and line of each decision of the only callable of a text. */
export async function decisionsOf(language: Language, ...lines: string[]): Promise<[string, number][]> {
  const { callables } = await measureAs(language, ...lines);
  const [callable, ...others] = callables;
  if (callable === undefined || others.length > 0) throw new Error(`${callables.length} callables`);
  return callable.decisions.map(({ label, line }) => [label, line]);
}
