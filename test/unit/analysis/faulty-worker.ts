import { parentPort, workerData } from "node:worker_threads";
import { Measurer } from "../../../src/core/analysis/measurer.js";
import type { MeasurerCalls, WorkerStart } from "../../../src/core/analysis/threads/protocol.js";
import { serve } from "../../../src/core/analysis/threads/thread.js";
import { SlopLensError } from "../../../src/core/model/errors.js";

/** A measuring worker that dies, hangs or refuses on files of certain names. */
if (parentPort === null) throw new Error("runs as a worker");
const measurer = new Measurer((workerData as WorkerStart).files, () =>
  Promise.resolve({ info: { name: "none", count: 0, hash: "none" }, match: () => [] }),
);
serve<MeasurerCalls>(parentPort, {
  ping: () => Promise.resolve(null),
  measure: async ({ job, options }) => {
    if (job.path === "exits.py") process.exit(7);
    if (job.path === "throws.py") setImmediate(() => expectNothing());
    if (job.path === "hangs.py") for (;;);
    if (job.path === "refuses.py") throw new SlopLensError("rules-invalid", "No rules", "Mend them.");
    if (job.path === "throws.py") return new Promise(() => undefined);
    return measurer.measureFile(job, options);
  },
});

function expectNothing(): never {
  throw new Error("nobody catches this");
}
