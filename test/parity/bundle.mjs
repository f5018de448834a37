/** Bundles the analyzer by itself, so that comparison and measurement need neither a build nor a host. */
import { createRequire } from "node:module";
import path from "node:path";
import { fileURLToPath } from "node:url";
import * as esbuild from "esbuild";

export const repository = path.resolve(path.dirname(fileURLToPath(import.meta.url)), "../..");
const require = createRequire(import.meta.url);
const outdir = path.join(repository, ".cache/parity");

/** @returns the analyzer's module with `createAnalyzer`, and what to call it with */
export async function loadAnalyzer() {
  await esbuild.build({
    absWorkingDir: repository,
    entryPoints: {
      "analysis-worker": "src/core/analysis/worker.ts",
      analyzer: "src/core/analysis/analyzer.ts",
      "scb-report": "src/core/report/scb-report.ts",
    },
    outdir,
    bundle: true,
    platform: "node",
    target: "node20",
    format: "cjs",
    external: ["@ast-grep/*"],
    alias: { "web-tree-sitter": require.resolve("web-tree-sitter") },
    logLevel: "warning",
  });
  const { createAnalyzer } = require(path.join(outdir, "analyzer.js"));
  const { toScbReport } = require(path.join(outdir, "scb-report.js"));
  const at = (folder) => path.join(repository, folder);
  const files = {
    dist: at("dist"),
    rules: at("rules"),
    harness: at("harness"),
    templates: at("templates"),
    environments: at("environments"),
    examples: at("examples"),
  };
  const create = (options) =>
    createAnalyzer(files, { workerFile: path.join(outdir, "analysis-worker.js"), ...options });
  return { create, toScbReport };
}
