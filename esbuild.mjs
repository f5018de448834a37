/**
 * Bundles the hosts into dist/ and lays the files beside them that are loaded at run time.
 *
 *   node esbuild.mjs [--watch] [--release] [--target PLATFORM]
 */
import { cp, mkdir, rm, writeFile } from "node:fs/promises";
import { createRequire, isBuiltin } from "node:module";
import path from "node:path";
import { parseArgs } from "node:util";
import * as esbuild from "esbuild";
import { grammars, hostTarget, isNativeTarget, layNative, universal } from "./scripts/lib/native.mjs";
import { notices } from "./scripts/lib/notices.mjs";

const require = createRequire(import.meta.url);
const { values } = parseArgs({
  options: { watch: { type: "boolean" }, release: { type: "boolean" }, target: { type: "string" } },
});
const watch = values.watch === true;
const release = values.release === true;

/** What a bundle may ask its host for: `cpu-features` speeds ssh up where it happens to be installed. */
const hosts = ["vscode", "cpu-features"];

/** @satisfies {esbuild.BuildOptions} */
const shared = {
  bundle: true,
  minify: release,
  sourcemap: !release,
  logLevel: "info",
  metafile: true,
  outdir: "dist",
};

/** @satisfies {esbuild.BuildOptions} */
const node = {
  ...shared,
  platform: "node",
  target: "node20",
  format: "cjs",
  external: hosts,
  loader: { ".node": "empty" },
};

/** @type {esbuild.BuildOptions[]} */
const bundles = [
  { ...node, entryPoints: { extension: "src/editor/extension.ts" } },
  { ...node, entryPoints: { cli: "src/cli/main.ts" }, banner: { js: "#!/usr/bin/env node" } },
  { ...node, entryPoints: { "analysis-worker": "src/core/analysis/worker.ts" } },
  {
    ...shared,
    platform: "browser",
    target: "es2022",
    format: "iife",
    entryPoints: { plot: "webview/plot/main.ts" },
    outdir: "dist/webview",
  },
];

/** @returns {import("./scripts/lib/native.mjs").Target} */
function chosenTarget() {
  if (values.target === undefined) return hostTarget();
  if (values.target === universal || isNativeTarget(values.target)) return values.target;
  throw new Error(`unknown platform: ${values.target}`);
}

async function layAssets() {
  await mkdir("dist/wasm", { recursive: true });
  const wasm = [
    require.resolve("web-tree-sitter/web-tree-sitter.wasm"),
    require.resolve("tree-sitter-python/tree-sitter-python.wasm"),
  ];
  await Promise.all(wasm.map((file) => cp(file, path.join("dist/wasm", path.basename(file)))));
  await layNative(chosenTarget(), "dist/native");
}

/**
 * A package holds no node_modules: what a bundle still imports must come from its host.
 * @param {esbuild.Metafile} metafile
 */
function assertStandsAlone(metafile) {
  for (const [file, output] of Object.entries(metafile.outputs)) {
    const strays = output.imports.filter(
      (entry) => entry.external === true && !hosts.includes(entry.path) && !isBuiltin(entry.path),
    );
    if (strays.length > 0) throw new Error(`${file} imports ${strays.map((entry) => entry.path).join(", ")}`);
  }
}

/** @param {readonly esbuild.Metafile[]} metafiles */
async function writeNotices(metafiles) {
  const laid = ["@ast-grep/napi", "web-tree-sitter", "tree-sitter-python"];
  laid.push(...grammars.map((name) => `@ast-grep/lang-${name}`));
  await writeFile("dist/THIRD-PARTY-NOTICES.txt", await notices(metafiles, laid));
}

if (!watch) await rm("dist", { recursive: true, force: true });
await layAssets();
if (watch) {
  const contexts = await Promise.all(bundles.map((bundle) => esbuild.context(bundle)));
  await Promise.all(contexts.map((context) => context.watch()));
} else {
  const results = await Promise.all(bundles.map((bundle) => esbuild.build(bundle)));
  const metafiles = results.flatMap((result) => result.metafile ?? []);
  metafiles.forEach(assertStandsAlone);
  await writeNotices(metafiles);
}
