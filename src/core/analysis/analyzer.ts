import { join } from "node:path";
import { SlopLensError } from "../model/errors.js";
import type { ProductFiles } from "../model/files.js";
import type { QualityReport, RuleSetInfo } from "../model/quality.js";
import type { AnalysisOptions, Analyzer, QualitySummary } from "./analysis.js";
import { MeasureCache } from "./cache/measure-cache.js";
import type {
  DocumentListener,
  DocumentSession,
  DocumentSource,
  DocumentThread,
} from "./document/reading.js";
import type { PythonOutline } from "./python-outline.js";
import { Session } from "./document/session.js";
import { Engine, InlineBatch } from "./engine.js";
import { Measurer, type RuleLoader } from "./measurer.js";
import { Pool } from "./threads/pool.js";
import type { AnalyzerCalls, WorkerStart } from "./threads/protocol.js";
import { Thread, ThreadLost } from "./threads/thread.js";

export interface AnalyzerOptions {
  /**
   * `resident`: everything off the caller's thread, for editors. `pool`: files on worker threads, the rest in the
   * caller's, for commands. `inline`: no threads, for tests and places without a built worker. Default `resident`.
   */
  readonly mode?: "resident" | "pool" | "inline";
  /** The worker's bundle; default `analysis-worker.js` in `files.dist`. */
  readonly workerFile?: string;
  /** Most threads for files; default as many as cores. */
  readonly threads?: number;
  /** The product's cache folder, absolute: a file whose content was measured before is not measured again. */
  readonly cacheFolder?: string | undefined;
  /** For `inline` and `pool`: how rules are loaded in the caller's thread. */
  readonly loadRules?: RuleLoader;
  /** For `resident`: after this time on one edit of a document the thread is given up; default 20. */
  readonly secondsPerEdit?: number;
}

/** Makes an analyzer. It starts its threads on first use. */
export function createAnalyzer(files: ProductFiles, options: AnalyzerOptions = {}): Analyzer {
  const { cacheFolder } = options;
  const workerFile = options.workerFile ?? join(files.dist, "analysis-worker.js");
  const start = { files, workerFile, cacheFolder };
  const mode = options.mode ?? "resident";
  if (mode === "resident") {
    return new ResidentAnalyzer({ role: "analyzer", ...start }, (options.secondsPerEdit ?? 20) * 1000);
  }
  const measurer = new Measurer(files, options.loadRules ?? loadShippedRules, cacheAt(cacheFolder));
  if (mode === "inline") return new Engine(measurer, new InlineBatch(measurer));
  const threads = options.threads === undefined ? {} : { threads: options.threads };
  return new Engine(measurer, new Pool({ start, ...threads }));
}

/** The cache in the product's cache folder, or none. */
export function cacheAt(folder: string | undefined): MeasureCache | undefined {
  return folder === undefined ? undefined : new MeasureCache(folder);
}

/** Loads rules with the engine of this project, which is only then brought into memory. */
export const loadShippedRules: RuleLoader = async (choice, files, parsers, keep) => {
  const { loadRules } = await import("./rules/engine.js");
  return loadRules(choice, files, parsers, keep);
};

/** An engine that lives in a thread of its own, and is started again when that thread is lost. */
class ResidentAnalyzer implements Analyzer {
  #thread: Thread<AnalyzerCalls> | undefined;
  #isDisposed = false;

  /** @param editLimitMs after this time without an answer about a document the thread is given up */
  constructor(
    private readonly start: WorkerStart,
    private readonly editLimitMs: number,
  ) {}

  ruleSet(): Promise<RuleSetInfo> {
    return this.#call((thread) => thread.call("ruleSet", null));
  }

  analyzePaths(
    paths: readonly string[],
    options: AnalysisOptions,
    signal: AbortSignal,
  ): Promise<QualityReport> {
    return this.#call((thread) => thread.call("analyzePaths", { paths, options }, signal));
  }

  summarizePaths(
    paths: readonly string[],
    options: AnalysisOptions & { readonly most: number },
    signal: AbortSignal,
  ): Promise<QualitySummary> {
    return this.#call((thread) => thread.call("summarizePaths", { paths, options }, signal));
  }

  async learnPaths(paths: readonly string[], options: AnalysisOptions, signal: AbortSignal): Promise<void> {
    await this.#call((thread) => thread.call("learnPaths", { paths, options }, signal));
  }

  outlinePython(
    files: readonly string[],
    signal: AbortSignal,
  ): Promise<readonly (PythonOutline | undefined)[]> {
    return this.#call((thread) => thread.call("outlinePython", { files }, signal));
  }

  openDocument(
    source: DocumentSource,
    options: AnalysisOptions,
    listener: DocumentListener,
  ): DocumentSession {
    const thread: DocumentThread = {
      answer: (request) => this.#askOfDocument("overtaken", (living) => living.call("document", request)),
      remedy: (request) => this.#askOfDocument(undefined, (living) => living.call("remedy", request)),
    };
    return new Session(thread, source, options, listener);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isDisposed = true;
    await this.#thread?.close();
  }

  /** @param silence the answer once this is disposed: a document that is still open then must not start a thread */
  async #askOfDocument<Value>(
    silence: Value,
    ask: (thread: Thread<AnalyzerCalls>) => Promise<Value>,
  ): Promise<Value> {
    if (this.#isDisposed) return silence;
    const thread = this.#living();
    const watch = setTimeout(() => {
      void thread.close(`an edit took longer than ${this.editLimitMs / 1000} s`);
    }, this.editLimitMs).unref();
    try {
      return await ask(thread);
    } finally {
      clearTimeout(watch);
    }
  }

  async #call<Value>(ask: (thread: Thread<AnalyzerCalls>) => Promise<Value>): Promise<Value> {
    try {
      return await ask(this.#living());
    } catch (error) {
      if (!(error instanceof ThreadLost)) throw error;
      throw new SlopLensError("internal", `The analysis ended unexpectedly: ${error.message}`, "Try again.", {
        cause: error,
      });
    }
  }

  #living(): Thread<AnalyzerCalls> {
    if (this.#thread?.isLost !== false) this.#thread = new Thread(this.start.workerFile, this.start);
    return this.#thread;
  }
}
