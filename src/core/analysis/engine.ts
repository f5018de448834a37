import { basename, extname } from "node:path";
import { SlopLensError } from "../model/errors.js";
import type { QualityReport, RuleSetInfo, SkippedFile } from "../model/quality.js";
import { SHIPPED_RULES, type AnalysisOptions, type Analyzer } from "./analysis.js";
import { assemble, type MeasuredFile } from "./assemble.js";
import { CloneMemory } from "./clone-memory.js";
import { discover, type Discovery } from "./discovery.js";
import { languageOfEditorId } from "./languages/languages.js";
import type { FileJob, FileResult, Measurer } from "./measurer.js";
import { moduleNames } from "./modules.js";

/** Measures many files; the order of results is that of the jobs. */
export interface Batch extends AsyncDisposable {
  measure(
    jobs: readonly FileJob[],
    options: AnalysisOptions,
    signal: AbortSignal,
  ): Promise<readonly FileResult[]>;
}

/** The analyzer without a thread of its own: texts are measured here, files by the batch. */
export class Engine implements Analyzer {
  readonly #clones = new CloneMemory();

  constructor(
    private readonly measurer: Measurer,
    private readonly batch: Batch,
  ) {}

  ruleSet(): Promise<RuleSetInfo> {
    return this.measurer.ruleSet(SHIPPED_RULES);
  }

  async analyzePaths(
    paths: readonly string[],
    options: AnalysisOptions,
    signal: AbortSignal,
  ): Promise<QualityReport> {
    try {
      signal.throwIfAborted();
      const found = await discover(paths, options.profile, signal);
      const [rules, results] = await Promise.all([
        this.measurer.ruleSet(options.rules),
        this.batch.measure(found.files, options, signal),
      ]);
      const { measured, skipped } = await sortOut(found, results);
      const candidates = measured.map(({ path, measures }) => ({
        path,
        candidates: measures.cloneCandidates,
      }));
      this.#clones.remember(found.root, candidates);
      return assemble(measured, { profile: options.profile, rules, skipped });
    } catch (error) {
      throw signal.aborted ? new SlopLensError("cancelled", "Cancelled") : error;
    }
  }

  async analyzeText(
    path: string,
    languageId: string,
    text: string,
    options: AnalysisOptions,
  ): Promise<QualityReport | undefined> {
    const language = languageOfEditorId(languageId);
    if (language === undefined) return undefined;
    const measures = await this.measurer.measureText(language.id, path, text, options);
    if (measures === undefined) return undefined;
    const otherClones = this.#clones.update(path, measures.cloneCandidates);
    const rules = await this.measurer.ruleSet(options.rules);
    const module = basename(path, extname(path));
    return assemble([{ path, language: language.id, module, measures }], {
      profile: options.profile,
      rules,
      skipped: [],
      otherClones,
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.batch[Symbol.asyncDispose]();
  }
}

async function sortOut(
  found: Discovery,
  results: readonly FileResult[],
): Promise<{ measured: MeasuredFile[]; skipped: SkippedFile[] }> {
  const modules = await moduleNames(found.files.map(({ file }) => file));
  const measured: MeasuredFile[] = [];
  const skipped = [...found.skipped];
  for (const [index, { file, path, language }] of found.files.entries()) {
    const result = results[index];
    if (result === undefined) continue;
    if ("skipped" in result) skipped.push({ path, reason: result.skipped });
    else measured.push({ path, language, module: modules.get(file) ?? "", measures: result.measures });
  }
  return { measured, skipped };
}

/** Measures in the caller's own thread, one file after the other. */
export class InlineBatch implements Batch {
  constructor(private readonly measurer: Measurer) {}

  async measure(
    jobs: readonly FileJob[],
    options: AnalysisOptions,
    signal: AbortSignal,
  ): Promise<readonly FileResult[]> {
    const results: FileResult[] = [];
    for (const job of jobs) {
      await new Promise<void>((resolve) => setImmediate(resolve));
      signal.throwIfAborted();
      results.push(await this.measurer.measureFile(job, options));
    }
    return results;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    // Nothing is held.
  }
}
