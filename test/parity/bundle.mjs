/** Bundles the analyzer by itself, so that a comparison needs neither a build nor a host. */
import { createRequire } from "node:module";
import path from "node:path";
import process from "node:process";
import * as esbuild from "esbuild";
import { bundle, layAssets } from "../../scripts/lib/build.mjs";
import { hostTarget } from "../../scripts/lib/native.mjs";

const repository = path.resolve(import.meta.dirname, "../..");
const outdir = path.join(repository, ".cache/parity");

/** @returns a maker of analyzers, the report in scb-check's words, and what tells the profiles apart */
export async function loadAnalyzer() {
  process.chdir(repository);
  await layAssets(hostTarget());
  await esbuild.build({
    ...bundle("analysis-worker", false),
    entryPoints: {
      "analysis-worker": "src/core/analysis/worker.ts",
      analyzer: "src/core/analysis/analyzer.ts",
      "scb-report": "src/core/report/scb-report.ts",
      profiles: "src/core/analysis/profiles.ts",
      files: "src/core/model/files.ts",
    },
    outdir,
    absWorkingDir: repository,
  });
  const require = createRequire(import.meta.url);
  const { createAnalyzer } = require(path.join(outdir, "analyzer.js"));
  const { productFilesIn } = require(path.join(outdir, "files.js"));
  const { toScbReport } = require(path.join(outdir, "scb-report.js"));
  const files = productFilesIn(repository);
  const workerFile = path.join(outdir, "analysis-worker.js");
  const { PROFILE_DEFINITIONS: profiles } = require(path.join(outdir, "profiles.js"));
  return { create: (options) => createAnalyzer(files, { workerFile, ...options }), toScbReport, profiles };
}
