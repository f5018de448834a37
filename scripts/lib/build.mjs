/** What is built into dist/: bundles of the hosts, and beside them the files that are loaded at run time. */
import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { copyFile, mkdir } from "node:fs/promises";
import { createRequire, isBuiltin } from "node:module";
import path from "node:path";
import { hostsOnce } from "./hosts-once.mjs";
import { layNative } from "./native.mjs";

/** @typedef {import("esbuild").BuildOptions} BuildOptions */

const require = createRequire(import.meta.url);

/**
 * What a bundle may ask its host for. All but the first is asked for in a `try`, or only by what is never used: compiled
 * parts that speed ssh up, a watcher of template files, and a database for a cache of answers.
 */
const hosts = ["vscode", "cpu-features", "./crypto/build/Release/sshcrypto.node", "chokidar", "node:sqlite"];

/**
 * Parts that a host loads only when it needs them, so that it starts fast: what sources import → the bundle beside it.
 * @type {Readonly<Record<string, string>>}
 */
const late = {
  "./reading.js": "./reading.js",
  "./measuring.js": "./measuring.js",
  "./running.js": "./running.js",
  "./trajectories.js": "./trajectories.js",
  "./rules/engine.js": "./rules.js",
};

/** @type {import("esbuild").Plugin} */
const keepLatePartsApart = {
  name: "keep-late-parts-apart",
  setup(build) {
    build.onResolve({ filter: /^\.\// }, ({ path: file, kind }) => {
      const part = kind === "dynamic-import" ? late[file] : undefined;
      return part === undefined ? undefined : { path: part, external: true };
    });
  },
};

/** @satisfies {BuildOptions} */
const node = {
  bundle: true,
  platform: "node",
  target: "node20",
  format: "cjs",
  external: hosts,
  // Its ES module asks for import.meta.url, which a CommonJS bundle does not have.
  alias: { "web-tree-sitter": require.resolve("web-tree-sitter") },
  loader: { ".node": "empty" },
  plugins: [hostsOnce],
  outdir: "dist",
};

/** The grammars that `src/core/analysis/languages` names, by package and file. */
export const wasmGrammars = [
  "tree-sitter-python/tree-sitter-python.wasm",
  "tree-sitter-javascript/tree-sitter-javascript.wasm",
  "tree-sitter-typescript/tree-sitter-typescript.wasm",
  "tree-sitter-typescript/tree-sitter-tsx.wasm",
  "tree-sitter-go/tree-sitter-go.wasm",
  "tree-sitter-rust/tree-sitter-rust.wasm",
  "tree-sitter-java/tree-sitter-java.wasm",
  "tree-sitter-c/tree-sitter-c.wasm",
  "tree-sitter-cpp/tree-sitter-cpp.wasm",
  "tree-sitter-c-sharp/tree-sitter-c_sharp.wasm",
  "tree-sitter-ruby/tree-sitter-ruby.wasm",
  "tree-sitter-php/tree-sitter-php.wasm",
];

/** The bundles by the name of their output; `release` builds are small, others can be debugged. */
const bundles = {
  /** @satisfies {BuildOptions} */
  extension: {
    ...node,
    entryPoints: { extension: "src/editor/extension.ts" },
    plugins: [hostsOnce, keepLatePartsApart],
    // A late part is required, not imported, because VS Code's host loads extensions as CommonJS.
    supported: { "dynamic-import": false },
  },
  /** @satisfies {BuildOptions} */
  reading: { ...node, entryPoints: { reading: "src/editor/reading.ts" } },
  /** @satisfies {BuildOptions} */
  measuring: {
    ...node,
    entryPoints: { measuring: "src/editor/measuring.ts" },
    plugins: [hostsOnce, keepLatePartsApart],
    supported: { "dynamic-import": false },
  },
  /** @satisfies {BuildOptions} */
  rules: { ...node, entryPoints: { rules: "src/core/analysis/rules/engine.ts" } },
  /** @satisfies {BuildOptions} */
  running: { ...node, entryPoints: { running: "src/editor/running.ts" } },
  /** @satisfies {BuildOptions} */
  cli: {
    ...node,
    entryPoints: { cli: "src/cli/main.ts" },
    banner: { js: "#!/usr/bin/env node" },
    plugins: [hostsOnce, keepLatePartsApart],
  },
  /** @satisfies {BuildOptions} */
  trajectories: { ...node, entryPoints: { trajectories: "src/cli/trajectories.ts" } },
  /** @satisfies {BuildOptions} */
  "analysis-worker": { ...node, entryPoints: { "analysis-worker": "src/core/analysis/worker.ts" } },
  /** @satisfies {BuildOptions} */
  plot: {
    bundle: true,
    platform: "browser",
    target: "es2022",
    format: "iife",
    entryPoints: { plot: "webview/plot/main.ts" },
    outdir: "dist/webview",
  },
  /** @satisfies {BuildOptions} */
  play: {
    bundle: true,
    platform: "browser",
    target: "es2022",
    format: "iife",
    entryPoints: { play: "webview/play/main.ts" },
    outdir: "dist/webview",
  },
  /** @satisfies {BuildOptions} */
  transcript: {
    bundle: true,
    platform: "browser",
    target: "es2022",
    format: "iife",
    entryPoints: { transcript: "webview/transcript/main.ts" },
    outdir: "dist/webview",
  },
};

export const bundleNames = /** @type {(keyof typeof bundles)[]} */ (Object.keys(bundles));

/**
 * @param {keyof typeof bundles} name
 * @param {boolean} release small, without source maps
 * @param {string} dist the folder that it is built into, beside the sources
 */
export function bundle(name, release, dist = "dist") {
  return {
    ...bundles[name],
    outdir: bundles[name].outdir.replace(/^dist/, dist),
    define: { SLOP_LENS_MEASURES: JSON.stringify(measuresVersion()) },
    minify: release,
    sourcemap: !release,
    metafile: /** @type {const} */ (true),
    logLevel: /** @type {const} */ ("warning"),
  };
}

/** Packages that decide what is measured; a new release of one makes kept results worthless. */
const measuringPackages = /^(@ast-grep\/|web-tree-sitter$|tree-sitter-|@[^/]+\/tree-sitter-)/;

/** Sources that decide what is measured. */
const measuringSources = ["src/core/analysis", "src/core/model/quality.ts"];

/** @type {string | undefined} */
let version;

/**
 * A hash over the sources and packages that decide what is measured. It is part of the key of every kept result, so
 * that nobody has to remember to change a number when a definition changes.
 */
export function measuresVersion() {
  version ??= readMeasuresVersion();
  return version;
}

function readMeasuresVersion() {
  const hash = createHash("sha256");
  for (const place of measuringSources) {
    const files = place.endsWith(".ts") ? [place] : sourcesBelow(place);
    for (const file of files) hash.update(readFileSync(file));
  }
  const { dependencies, devDependencies } = JSON.parse(readFileSync("package.json", "utf8"));
  const packages = Object.entries({ ...dependencies, ...devDependencies })
    .filter(([name]) => measuringPackages.test(name))
    .sort();
  return hash.update(JSON.stringify(packages)).digest("hex").slice(0, 16);
}

/** @param {string} folder */
function sourcesBelow(folder) {
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".ts"))
    .sort()
    .map((name) => path.join(folder, name));
}

/**
 * Lays grammars and compiled parts into a folder.
 * @param {import("./native.mjs").Target} target
 */
export async function layAssets(target, dist = "dist") {
  await mkdir(path.join(dist, "wasm"), { recursive: true });
  for (const name of ["web-tree-sitter/web-tree-sitter.wasm", ...wasmGrammars])
    await copyFile(require.resolve(name), path.join(dist, "wasm", path.basename(name)));
  await layNative(target, path.join(dist, "native"));
}

/**
 * A package holds no node_modules: what a bundle still imports must come from its host.
 * @param {import("esbuild").Metafile} metafile
 * @throws Error that names what is imported from elsewhere
 */
export function assertStandsAlone(metafile) {
  for (const [file, output] of Object.entries(metafile.outputs)) {
    const strays = output.imports.filter(
      ({ external, path: file }) =>
        external === true && !hosts.includes(file) && !Object.values(late).includes(file) && !isBuiltin(file),
    );
    if (strays.length > 0) throw new Error(`${file} imports ${strays.map((entry) => entry.path).join(", ")}`);
  }
}
