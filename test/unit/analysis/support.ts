import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { onTestFinished } from "vitest";
import { SHIPPED_RULES, type AnalysisOptions, type Analyzer } from "../../../src/core/analysis/analysis.js";
import { Engine, InlineBatch } from "../../../src/core/analysis/engine.js";
import { python } from "../../../src/core/analysis/languages/python.js";
import { measureTree, type FileMeasures } from "../../../src/core/analysis/measure.js";
import { Measurer, type RuleLoader } from "../../../src/core/analysis/measurer.js";
import { Parsers } from "../../../src/core/analysis/tree/parsers.js";
import { productFilesIn } from "../../../src/core/model/files.js";
import type { Profile, QualityReport } from "../../../src/core/model/quality.js";

export const productFiles = productFilesIn(resolve(import.meta.dirname, "../../.."));

export const options: AnalysisOptions = { profile: "scb-0.1.3", rules: SHIPPED_RULES };

export const noRules: RuleLoader = () =>
  Promise.resolve({
    hash: "none",
    describe: () => Promise.resolve({ name: "none", count: 0, hash: "none" }),
    rulesFor: () => Promise.resolve(undefined),
  });

export function inlineAnalyzer(loadRules: RuleLoader = noRules): Analyzer {
  const measurer = new Measurer(productFiles, loadRules);
  return new Engine(measurer, new InlineBatch(measurer));
}

/** Measures of a text in which every line is given as one argument. */
export async function measure(...lines: string[]): Promise<FileMeasures> {
  const parse = await new Parsers(productFiles.dist).load(python);
  const tree = parse(lines.join("\n"));
  if (tree === undefined) throw new Error("syntax error");
  return measureTree(tree);
}

/** A folder with the given files, removed after the test. */
export async function folderOf(files: Readonly<Record<string, string | Uint8Array>>): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "slop-lens-analysis-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  for (const [path, content] of Object.entries(files)) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), content);
  }
  return folder;
}

export async function analyze(
  files: Readonly<Record<string, string | Uint8Array>>,
  loadRules?: RuleLoader,
  profile: Profile = options.profile,
): Promise<QualityReport> {
  return inlineAnalyzer(loadRules).analyzePaths(
    [await folderOf(files)],
    { ...options, profile },
    new AbortController().signal,
  );
}

/**
 * The report of a text that is opened as a document; undefined when syntax errors keep it from being measured.
 * @throws what the document failed with
 */
export function openedReport(
  analyzer: Analyzer,
  path: string,
  text: string,
  languageId = "python",
): Promise<QualityReport | undefined> {
  return new Promise((resolve, reject) => {
    const session = analyzer.openDocument({ path, languageId, read: () => ({ version: 1, text }) }, options, {
      onReading: ({ report, rules }) => {
        if (report !== undefined && rules === "earlier") return;
        session.close();
        resolve(report);
      },
      onFailure: reject,
    });
  });
}
