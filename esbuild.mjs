/** Bundles the hosts into dist/ and lays the files beside them that are loaded at run time. */
import { cp, mkdir, rm } from "node:fs/promises";
import { createRequire } from "node:module";
import path from "node:path";
import process from "node:process";
import * as esbuild from "esbuild";

const require = createRequire(import.meta.url);
const watch = process.argv.includes("--watch");
const release = process.argv.includes("--release");

const shared = { bundle: true, minify: release, sourcemap: !release, logLevel: "info", metafile: true };
const node = {
  ...shared,
  platform: "node",
  target: "node20",
  format: "cjs",
  external: ["vscode", "@ast-grep/*", "cpu-features"],
  // Its ES module asks for import.meta.url, which a CommonJS bundle does not have.
  alias: { "web-tree-sitter": require.resolve("web-tree-sitter") },
  loader: { ".node": "empty" },
};

const bundles = [
  { ...node, entryPoints: { extension: "src/editor/extension.ts" }, outdir: "dist" },
  { ...node, entryPoints: { cli: "src/cli/main.ts" }, outdir: "dist", banner: { js: "#!/usr/bin/env node" } },
  { ...node, entryPoints: { "analysis-worker": "src/core/analysis/worker.ts" }, outdir: "dist" },
  {
    ...shared,
    platform: "browser",
    target: "es2022",
    format: "iife",
    entryPoints: { plot: "webview/plot/main.ts" },
    outdir: "dist/webview",
  },
];

async function layAssets() {
  await mkdir("dist/wasm", { recursive: true });
  const wasm = [
    require.resolve("web-tree-sitter/web-tree-sitter.wasm"),
    require.resolve("tree-sitter-python/tree-sitter-python.wasm"),
  ];
  await Promise.all(wasm.map((file) => cp(file, path.join("dist/wasm", path.basename(file)))));
}

if (!watch) await rm("dist", { recursive: true, force: true });
await layAssets();
if (watch) {
  const contexts = await Promise.all(bundles.map((bundle) => esbuild.context(bundle)));
  await Promise.all(contexts.map((context) => context.watch()));
} else {
  await Promise.all(bundles.map((bundle) => esbuild.build(bundle)));
}
