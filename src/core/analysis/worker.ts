import { parentPort, workerData } from "node:worker_threads";
import { cacheAt, loadShippedRules } from "./analyzer.js";
import { encodeResult } from "./cache/encode.js";
import { Engine } from "./engine.js";
import { Measurer } from "./measurer.js";
import { Pool } from "./threads/pool.js";
import { Progress } from "./threads/progress.js";
import type { AnalyzerCalls, MeasurerCalls, WorkerStart } from "./threads/protocol.js";
import { serve } from "./threads/thread.js";

/** Entry of the analysis worker's bundle. */
function main(start: WorkerStart): void {
  if (parentPort === null) throw new Error("this file runs as a worker thread");
  const progress = start.progress === undefined ? undefined : new Progress(start.progress);
  const measurer = new Measurer(start.files, loadShippedRules, cacheAt(start.cacheFolder), progress);
  if (start.role === "measurer") {
    serve<MeasurerCalls>(parentPort, {
      ping: () => Promise.resolve(null),
      ruleSet: ({ rules, languages }) => measurer.ruleSet(rules, languages),
      measure: async ({ job, rules, number }) => encodeResult(await measurer.measureFile(job, rules, number)),
      ruleAt: ({ rules, language, number }) => measurer.ruleAt(rules, language, number),
    });
    return;
  }
  const engine = new Engine(measurer, new Pool({ start }));
  serve<AnalyzerCalls>(parentPort, {
    ruleSet: () => engine.ruleSet(),
    analyzePaths: ({ paths, options }, signal) => engine.analyzePaths(paths, options, signal),
    summarizePaths: ({ paths, options }, signal) => engine.summarizePaths(paths, options, signal),
    learnPaths: async ({ paths, options }, signal) => {
      await engine.learnPaths(paths, options, signal);
      return null;
    },
    outlinePython: ({ files }, signal) => engine.outlinePython(files, signal),
    document: (request) => engine.documents.answer(request),
    remedy: (request) => engine.documents.remedy(request),
  });
}

// What a worker is started with is written by `Thread`, nobody else.
main(workerData as WorkerStart);
