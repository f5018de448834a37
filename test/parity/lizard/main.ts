import { readFile } from "node:fs/promises";
import { relative } from "node:path";
import { discover } from "../../../src/core/analysis/discovery.js";
import { languageById } from "../../../src/core/analysis/languages/languages.js";
import { Parsers } from "../../../src/core/analysis/tree/parsers.js";
import type { LanguageId } from "../../../src/core/model/quality.js";
import { Explainer, type Difference } from "./explain.js";
import { FEATURES, type Feature } from "./features.js";
import { runLizard, type LizardFile, type LizardFunction } from "./lizard.js";
import { readOurs, type OurCallable, type OurFile } from "./ours.js";
import { pageOf, type Comparison } from "./page.js";
import { pairUp, type Pair, type Pairing } from "./pairs.js";

export interface Options {
  readonly language: LanguageId;
  readonly folder: string;
  readonly python: string;
  readonly script: string;
  readonly source: string;
  readonly dist: string;
  readonly reasons: string;
}

/** language → `path:line` → what lizard does there. */
type Reasons = Partial<Record<LanguageId, Readonly<Record<string, string>>>>;

/** @returns the page, and the exit code: 1 when a difference has no reason */
export async function main(options: Options): Promise<{ exitCode: number; page: string }> {
  const comparison = await compare(options);
  const unexplained = comparison.differences.filter(({ explained }) => !explained);
  const { compared, differences, oursOnly, theirsOnly, files } = comparison;
  console.log(
    `${options.language}: ${files} files, ${compared} compared, ${compared - differences.length} equal, ` +
      `${differences.length} different (${unexplained.length} unexplained), ` +
      `${oursOnly.length} only here, ${theirsOnly.length} only in lizard`,
  );
  for (const { ours, theirs, path, reasons } of unexplained) {
    console.log(
      `${path}:${ours.start} ${ours.qualifiedName} here ${ours.cc} lizard ${theirs.cc} (${theirs.start}–${theirs.end}): ${reasons.join("; ")}`,
    );
  }
  return { exitCode: unexplained.length > 0 ? 1 : 0, page: pageOf(comparison) };
}

async function compare(options: Options): Promise<Comparison> {
  const { language, folder } = options;
  const discovered = await discover([folder], "scb-0.1.3", new AbortController().signal);
  const files = discovered.files.filter((file) => file.language === language).map(({ file }) => file);
  const theirs = await runLizard(options.python, options.script, files);
  const known = (JSON.parse(await readFile(options.reasons, "utf8")) as Reasons)[language] ?? {};
  const parsers = new Parsers(options.dist);
  const skipped: string[] = [];
  const found: ComparedFile[] = [];
  for (const file of files.sort()) {
    const path = relative(discovered.root, file);
    const ours = await readOurs(parsers, languageById(language), file);
    if (ours === undefined) skipped.push(path);
    else found.push(compareFile(path, ours, theirs.get(file) ?? NOTHING, FEATURES[language] ?? [], known));
  }
  return {
    language,
    source: options.source,
    files: files.length,
    skipped,
    incomplete: found.filter(({ lostLines }) => lostLines > 0).map(({ path }) => path),
    compared: found.reduce((total, { compared }) => total + compared, 0),
    differences: found.flatMap(({ differences }) => differences),
    oursOnly: found.flatMap(({ oursOnly }) => oursOnly),
    theirsOnly: found.flatMap(({ theirsOnly }) => theirsOnly),
  };
}

const NOTHING: LizardFile = { functions: [], tokens: [] };

type ComparedFile = Pick<Comparison, "compared" | "differences" | "oursOnly" | "theirsOnly"> & {
  readonly path: string;
  readonly lostLines: number;
};

function compareFile(
  path: string,
  ours: OurFile,
  theirs: LizardFile,
  features: readonly Feature[],
  known: Readonly<Record<string, string>>,
): ComparedFile {
  const pairing = pairUp(ours.callables, theirs.functions);
  const explainer = new Explainer(ours, theirs, pairing, features);
  const explain = (pair: Pair): Difference => {
    const reason = known[`${path}:${pair.ours.start}`];
    return reason === undefined ? explainer.explain(pair) : { ...pair, reasons: [reason], explained: true };
  };
  return {
    path,
    lostLines: ours.lostLines,
    compared: pairing.pairs.length,
    differences: pairing.pairs
      .filter((pair) => pair.ours.cc !== pair.theirs.cc)
      .map((pair) => ({ ...explain(pair), path })),
    oursOnly: pairing.oursOnly.map((own) => ({
      ...own,
      path,
      reason: missedBecause(ours, own, theirs.functions),
    })),
    theirsOnly: pairing.theirsOnly.map((other) => ({
      ...other,
      path,
      reason: extraBecause(other, ours, pairing),
    })),
  };
}

function missedBecause(file: OurFile, own: OurCallable, functions: readonly LizardFunction[]): string {
  const what = file.tree.nameOf(own.node).replaceAll("_", " ");
  if (functions.length === 0) return `${what}: lizard finds no function in the file`;
  const around = functions.some(({ start, end }) => start < own.start && end >= own.end);
  return around
    ? `${what}: lizard takes it for part of the function around`
    : `${what}: lizard does not see it`;
}

function extraBecause(other: LizardFunction, file: OurFile, { pairs }: Pairing): string {
  if (/anonymous|lambda/i.test(other.name)) return "closure without a name: counts for the callable around";
  if (pairs.some(({ ours }) => ours.start === other.start)) return "a second function on the same line";
  const bodyless = /[;,]\s*$/.test(file.tree.source.text.split("\n")[other.end - 1] ?? "");
  if (other.start === other.end && bodyless)
    return "a declaration or a call that lizard takes for a function";
  return "lizard takes something else for a function";
}
