import { readFile } from "node:fs/promises";
import { relative } from "node:path";
import { discover } from "../../../src/core/analysis/discovery.js";
import { languageById } from "../../../src/core/analysis/languages/languages.js";
import { Parsers } from "../../../src/core/analysis/tree/parsers.js";
import type { LanguageId } from "../../../src/core/model/quality.js";
import { Explainer } from "./explain.js";
import { FEATURES } from "./features.js";
import { runLizard, type LizardFunction } from "./lizard.js";
import { readOurs, type OurCallable, type OurFile } from "./ours.js";
import { pageOf, type Comparison } from "./page.js";
import { pairUp, type Pairing } from "./pairs.js";

export interface Options {
  readonly language: LanguageId;
  readonly folder: string;
  readonly lizard: string;
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
  const found = await discover([folder], "scb-0.1.3", new AbortController().signal);
  const files = found.files.filter((file) => file.language === language).map(({ file }) => file);
  const theirs = await runLizard(options.lizard, files);
  const known = (JSON.parse(await readFile(options.reasons, "utf8")) as Reasons)[language] ?? {};
  const parsers = new Parsers(options.dist);
  const result = {
    language,
    source: options.source,
    files: files.length,
    skipped: [] as string[],
    incomplete: [] as string[],
    compared: 0,
    differences: [] as Comparison["differences"][number][],
    oursOnly: [] as Comparison["oursOnly"][number][],
    theirsOnly: [] as Comparison["theirsOnly"][number][],
  };
  for (const file of files.sort()) {
    const path = relative(found.root, file);
    const ours = await readOurs(parsers, languageById(language), file);
    if (ours === undefined) {
      result.skipped.push(path);
      continue;
    }
    if (ours.lostLines > 0) result.incomplete.push(path);
    const functions = theirs.get(file) ?? [];
    const pairing = pairUp(ours.callables, functions);
    result.compared += pairing.pairs.length;
    const explainer = new Explainer(ours, pairing, FEATURES[language] ?? []);
    for (const pair of pairing.pairs) {
      if (pair.ours.cc === pair.theirs.cc) continue;
      const reason = known[`${path}:${pair.ours.start}`];
      const difference =
        reason === undefined ? explainer.explain(pair) : { ...pair, reasons: [reason], explained: true };
      result.differences.push({ ...difference, path });
    }
    result.oursOnly.push(
      ...pairing.oursOnly.map((own) => ({ ...own, path, reason: missedBecause(ours, own, functions) })),
    );
    result.theirsOnly.push(
      ...pairing.theirsOnly.map((other) => ({ ...other, path, reason: extraBecause(other, ours, pairing) })),
    );
  }
  return result;
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
