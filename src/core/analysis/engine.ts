import { setImmediate } from "node:timers/promises";
import { SlopLensError } from "../model/errors.js";
import type {
  LanguageId,
  LocatedCallable,
  QualityReport,
  RuleSetInfo,
  SkippedFile,
} from "../model/quality.js";
import {
  LARGEST_MARKED,
  SHIPPED_RULES,
  type AnalysisOptions,
  type Analyzer,
  type QualitySummary,
} from "./analysis.js";
import { assemble, type MeasuredFile } from "./assemble.js";
import type { ChosenRules } from "./cache/chosen-rules.js";
import { CloneMemory } from "./clone-memory.js";
import { discover, type Discovery } from "./discovery.js";
import { Documents } from "./document/documents.js";
import type {
  DocumentListener,
  DocumentSession,
  DocumentSource,
  DocumentThread,
} from "./document/reading.js";
import { Session } from "./document/session.js";
import { LANGUAGES } from "./languages/languages.js";
import type { FileMeasures } from "./measure.js";
import type { FileJob, FileResult, Measurer } from "./measurer.js";
import type { PythonOutline } from "./python-outline.js";
import { moduleNames } from "./modules.js";

/** Measures many files; the order of results is that of the jobs. */
export interface Batch extends AsyncDisposable {
  /**
   * @param languages those that the rules will be applied to
   * @throws SlopLensError rules-invalid when the rule folders cannot be used
   */
  ruleSet(rules: ChosenRules, languages: readonly LanguageId[], signal: AbortSignal): Promise<RuleSetInfo>;
  measure(jobs: readonly FileJob[], rules: ChosenRules, signal: AbortSignal): Promise<readonly FileResult[]>;
}

/** When so many files were not measured before, the others are looked up where they would be measured. */
const MISSES_LOOKED_UP = 24;
/** The caller's thread is held no longer than this before it may do something else, in milliseconds. */
const SLICE_MS = 25;

/** The analyzer without a thread of its own: texts are measured here, files by the batch. */
export class Engine implements Analyzer {
  readonly #clones = new CloneMemory();
  /** The documents that are open here. */
  readonly documents: DocumentThread;

  constructor(
    private readonly measurer: Measurer,
    private readonly batch: Batch,
  ) {
    this.documents = new Documents(measurer, this.#clones);
  }

  async ruleSet(): Promise<RuleSetInfo> {
    const languages = LANGUAGES.map(({ id }) => id);
    return this.measurer.ruleSet(await this.measurer.chooseRules(SHIPPED_RULES), languages);
  }

  async analyzePaths(
    paths: readonly string[],
    options: AnalysisOptions,
    signal: AbortSignal,
  ): Promise<QualityReport> {
    const { measured, rules, skipped, excluded } = await this.#read(paths, options, signal);
    const report = assemble(measured, { profile: options.profile, rules, skipped });
    return excluded === undefined ? report : { ...report, excluded };
  }

  async summarizePaths(
    paths: readonly string[],
    options: AnalysisOptions & { readonly most: number },
    signal: AbortSignal,
  ): Promise<QualitySummary> {
    const { profile, totals, functions } = await this.analyzePaths(paths, options, signal);
    const heaviest = functions.toSorted((a, b) => b.mass - a.mass).slice(0, options.most);
    return { profile, totals, heaviest: heaviest.map(located) };
  }

  async learnPaths(paths: readonly string[], options: AnalysisOptions, signal: AbortSignal): Promise<void> {
    await this.#read(paths, options, signal);
  }

  /** Measures files and remembers their clones. */
  async #read(paths: readonly string[], options: AnalysisOptions, signal: AbortSignal): Promise<ReadPaths> {
    try {
      signal.throwIfAborted();
      const found = await discover(paths, options.profile, signal, options);
      const chosen = await this.measurer.chooseRules(options.rules);
      const languages = languagesOf(found);
      const [rules, results] = await Promise.all([
        this.measurer.knownRuleSet(chosen, languages) ?? this.batch.ruleSet(chosen, languages, signal),
        this.#measure(found.files, chosen, signal),
      ]);
      const { measured, skipped } = await sortOut(found, results);
      // A file alone would stand for its whole folder, whose clones would be forgotten.
      if (found.hasFolder) {
        this.#clones.remember(
          found.asked,
          measured.filter(({ bytes }) => bytes <= LARGEST_MARKED),
        );
      }
      const faults = results.flatMap((result) => ("skipped" in result ? [] : (result.faults ?? [])));
      const told = faults.length === 0 ? rules : { ...rules, faults: [...(rules.faults ?? []), ...faults] };
      return { measured, rules: told, skipped, excluded: found.excluded };
    } catch (error) {
      throw signal.aborted ? new SlopLensError("cancelled", "Cancelled") : error;
    }
  }

  async outlinePython(
    files: readonly string[],
    signal: AbortSignal,
  ): Promise<readonly (PythonOutline | undefined)[]> {
    const outlines: (PythonOutline | undefined)[] = [];
    for (const file of files) {
      await setImmediate();
      signal.throwIfAborted();
      outlines.push(await this.measurer.outlines.of(file));
    }
    return outlines;
  }

  openDocument(
    source: DocumentSource,
    options: AnalysisOptions,
    listener: DocumentListener,
  ): DocumentSession {
    return new Session(this.documents, source, options, listener);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.batch[Symbol.asyncDispose]();
  }

  /** Looks files up here and gives the others to the batch, which need not be woken when there are none. */
  async #measure(
    jobs: readonly FileJob[],
    rules: ChosenRules,
    signal: AbortSignal,
  ): Promise<readonly FileResult[]> {
    const results: FileResult[] = [];
    const missing: number[] = [];
    let breath = performance.now() + SLICE_MS;
    for (const [index, job] of jobs.entries()) {
      const known = missing.length < MISSES_LOOKED_UP ? this.measurer.knownResult(job, rules) : undefined;
      if (known === undefined) missing.push(index);
      else results[index] = known;
      if (performance.now() < breath) continue;
      await setImmediate();
      signal.throwIfAborted();
      breath = performance.now() + SLICE_MS;
    }
    const missed = missing.flatMap((index) => jobs[index] ?? []);
    const measured = missed.length > 0 ? await this.batch.measure(missed, rules, signal) : [];
    for (const [place, index] of missing.entries()) {
      const result = measured[place];
      if (result !== undefined) results[index] = result;
    }
    return results;
  }
}

function located({
  path,
  name,
  qualifiedName,
  start,
  end,
  cc,
  sloc,
  mass,
}: LocatedCallable): LocatedCallable {
  return { path, name, qualifiedName, start, end, cc, sloc, mass };
}

interface ReadPaths {
  readonly measured: readonly StoredFile[];
  readonly rules: RuleSetInfo;
  readonly skipped: readonly SkippedFile[];
  readonly excluded: Discovery["excluded"];
}

function languagesOf({ files }: Discovery): LanguageId[] {
  return [...new Set(files.map(({ language }) => language))].sort();
}

async function sortOut(
  found: Discovery,
  results: readonly FileResult[],
): Promise<{ measured: StoredFile[]; skipped: SkippedFile[] }> {
  const modules = await moduleNames(found.files.map(({ file }) => file));
  const measured: StoredFile[] = [];
  const skipped = [...found.skipped];
  for (const [index, { file, path, language, bytes }] of found.files.entries()) {
    const result = results[index];
    if (result === undefined) continue;
    if ("skipped" in result) skipped.push({ path, reason: result.skipped });
    else measured.push(new StoredFile(path, language, modules.get(file) ?? "", bytes, result));
  }
  return { measured, skipped };
}

/** A measured file whose result makes its measures when they are asked for. */
class StoredFile implements MeasuredFile {
  constructor(
    readonly path: string,
    readonly language: LanguageId,
    readonly module: string,
    readonly bytes: number,
    private readonly result: { readonly measures: FileMeasures },
  ) {}

  get measures(): FileMeasures {
    return this.result.measures;
  }
}

/** Measures in the caller's own thread, one file after the other. */
export class InlineBatch implements Batch {
  constructor(private readonly measurer: Measurer) {}

  ruleSet(rules: ChosenRules, languages: readonly LanguageId[]): Promise<RuleSetInfo> {
    return this.measurer.ruleSet(rules, languages);
  }

  async measure(
    jobs: readonly FileJob[],
    rules: ChosenRules,
    signal: AbortSignal,
  ): Promise<readonly FileResult[]> {
    const results: FileResult[] = [];
    for (const job of jobs) {
      await setImmediate();
      signal.throwIfAborted();
      results.push(await this.measurer.measureFile(job, rules));
    }
    return results;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    // Nothing is held.
  }
}
