import { parentPort, workerData, type MessagePort } from "node:worker_threads";
import { encodeResult } from "../../../src/core/analysis/cache/encode.js";
import { Engine, InlineBatch } from "../../../src/core/analysis/engine.js";
import { Measurer } from "../../../src/core/analysis/measurer.js";
import type {
  AnalyzerCalls,
  MeasurerCalls,
  WorkerStart,
} from "../../../src/core/analysis/threads/protocol.js";
import { serve } from "../../../src/core/analysis/threads/thread.js";
import { SlopLensError } from "../../../src/core/model/errors.js";

/** A worker that dies, hangs or refuses on files and texts of certain names. */
if (parentPort === null) throw new Error("runs as a worker");
const { role, files } = workerData as WorkerStart;
if (role === "measurer") serveMeasurer(parentPort);
else serveAnalyzer(parentPort);

function measurerWithoutRules(): Measurer {
  const noRules = {
    hash: "none",
    describe: () => Promise.resolve({ name: "none", count: 0, hash: "none" }),
    rulesFor: () => Promise.resolve(undefined),
  };
  return new Measurer(files, () => Promise.resolve(noRules));
}

function serveMeasurer(port: MessagePort): void {
  const measurer = measurerWithoutRules();
  serve<MeasurerCalls>(port, {
    ping: () => Promise.resolve(null),
    ruleSet: ({ rules, languages }) => measurer.ruleSet(rules, languages),
    measure: async ({ job, rules }) => {
      if (job.path === "exits.py") process.exit(7);
      if (job.path === "hangs.py") for (;;);
      if (job.path === "fills.py")
        for (const all: string[][] = []; ;) all.push(new Array<string>(10_000).fill("x"));
      if (job.path === "refuses.py") throw new SlopLensError("rules-invalid", "No rules", "Mend them.");
      if (job.path === "throws.py") {
        setImmediate(() => {
          throw new Error("nobody catches this");
        });
        return new Promise(() => undefined);
      }
      return encodeResult(await measurer.measureFile(job, rules));
    },
    ruleAt: () => Promise.resolve(undefined),
  });
}

function serveAnalyzer(port: MessagePort): void {
  const measurer = measurerWithoutRules();
  const engine = new Engine(measurer, new InlineBatch(measurer));
  serve<AnalyzerCalls>(port, {
    ruleSet: () => Promise.resolve({ name: "faulty", count: 0, hash: "none" }),
    analyzePaths: () => new Promise(() => undefined),
    summarizePaths: () => new Promise(() => undefined),
    learnPaths: () => new Promise(() => undefined),
    outlinePython: () => Promise.resolve([]),
    document: (request) => {
      const edited = request.ask === "edit" ? request.changes.map(({ text }) => text) : [];
      if (edited.some((text) => text.includes("exits"))) process.exit(7);
      if (request.ask === "open" && request.text.includes("always exits")) process.exit(7);
      if (request.ask === "open" && request.text.includes("always hangs")) for (;;);
      return engine.documents.answer(request);
    },
    remedy: (request) => {
      if (request.match.rule === "exits") process.exit(7);
      return engine.documents.remedy(request);
    },
  });
}
