#!/usr/bin/env node
/**
 * Checks that a packaged extension holds what it needs to run, nothing else, and not too much.
 *
 *   check-package.mjs FILE.vsix TARGET
 */
import { readFile } from "node:fs/promises";
import path from "node:path";
import process from "node:process";
import { pathToFileURL } from "node:url";
import { unzipSync } from "fflate";
import { wasmGrammars } from "./lib/build.mjs";
import { platformOf } from "./lib/executable.mjs";
import { chosenTarget, grammars, universal } from "./lib/native.mjs";
import { languages } from "./lib/texts.mjs";

const maximumBytes = 8_000_000;

/** What VS Code loads when the extension starts; more would be felt. */
const maximumStartBytes = 300_000;

/** Files without which something would not work. */
const needed = [
  "package.json",
  "package.nls.json",
  "readme.md",
  "changelog.md",
  "LICENSE.txt",
  "dist/extension.js",
  "dist/reading.js",
  "dist/measuring.js",
  "dist/running.js",
  "dist/cli.js",
  "dist/trajectories.js",
  "dist/rules.js",
  "dist/analysis-worker.js",
  "dist/webview/plot.js",
  "dist/webview/transcript.js",
  "dist/webview/play.js",
  "dist/wasm/web-tree-sitter.wasm",
  ...wasmGrammars.map((file) => `dist/wasm/${path.basename(file)}`),
  "dist/THIRD-PARTY-NOTICES.txt",
];

/** The manifest's texts in each language that the package speaks. */
const manifestTexts = languages().map((language) => `package.nls.${language}.json`);

/** Folders of which at least one file must be there, with the kinds of file that belong in them. */
const folders = {
  environments: /\.ya?ml$/,
  agents: /\.ya?ml$/,
  examples: /./,
  harness: /\.py$/,
  l10n: /\/bundle\.l10n\.[\w-]+\.json$/,

  media: /\.(svg|png)$/,
  rules: /\.ya?ml$/,
  templates: /\.jinja$/,
};

/** Names that give away a file which slipped in, wherever it lies. */
const strays =
  /(^|\/)(node_modules|__pycache__|\.pytest_cache|\.git|\.venv|\.env)(\/|$)|\.(map|pyc|ts|log|vsix)$/;

/**
 * @param {string} file
 * @param {import("./lib/native.mjs").Target} target the platform it was packaged for
 * @returns {Promise<string[]>} what is wrong, as sentences; empty when all is well
 */
export async function checkPackage(file, target) {
  const archive = await readFile(file);
  const entries = unzipSync(archive);
  const names = Object.keys(entries)
    .filter((name) => name.startsWith("extension/") && !name.endsWith("/"))
    .map((name) => name.slice("extension/".length));
  const native = nativeFiles(target);
  const faults = [...needed, ...native, ...manifestTexts]
    .filter((name) => !names.includes(name))
    .map((name) => `${name} is missing`);
  faults.push(...faultsOfFolders(names));
  faults.push(...names.filter((name) => !isExpected(name, native)).map((name) => `${name} does not belong`));
  faults.push(...faultsOfNative(entries, native, target));
  if (archive.byteLength > maximumBytes) {
    faults.push(`it has ${archive.byteLength} bytes, ${maximumBytes} are allowed`);
  }
  const startBytes = entries["extension/dist/extension.js"]?.byteLength ?? 0;
  if (startBytes > maximumStartBytes) {
    faults.push(`dist/extension.js has ${startBytes} bytes, ${maximumStartBytes} are allowed`);
  }
  return faults;
}

/**
 * @param {import("./lib/native.mjs").Target} target
 * @returns {string[]}
 */
function nativeFiles(target) {
  if (target === universal) return [];
  return ["ast-grep.node", ...grammars.map((name) => `${name}.so`)].map((name) => `dist/native/${name}`);
}

/** @param {readonly string[]} names */
function faultsOfFolders(names) {
  return Object.keys(folders)
    .filter((folder) => !names.some((name) => name.startsWith(`${folder}/`)))
    .map((folder) => `${folder}/ is empty or missing`);
}

/**
 * @param {string} name
 * @param {readonly string[]} native
 */
function isExpected(name, native) {
  if (strays.test(name)) return false;
  if (needed.includes(name) || native.includes(name) || manifestTexts.includes(name)) return true;
  if (/^dist\/webview\/[\w-]+\.(js|css|ttf)$/.test(name) || /^dist\/wasm\/[\w-]+\.wasm$/.test(name))
    return true;
  return Object.entries(folders).some(([folder, kind]) => name.startsWith(`${folder}/`) && kind.test(name));
}

/**
 * @param {Readonly<Record<string, Uint8Array>>} entries
 * @param {readonly string[]} native
 * @param {import("./lib/native.mjs").Target} target
 */
function faultsOfNative(entries, native, target) {
  return native.flatMap((name) => {
    const bytes = entries[`extension/${name}`];
    const platform = bytes === undefined ? undefined : platformOf(bytes);
    return bytes === undefined || platform === target
      ? []
      : [`${name} is for ${platform ?? "no known platform"}`];
  });
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  const [file, platform] = process.argv.slice(2);
  if (file === undefined || platform === undefined)
    throw new Error("usage: check-package.mjs FILE.vsix TARGET");
  const faults = await checkPackage(file, chosenTarget(platform));
  for (const fault of faults) console.error(`${file}: ${fault}`);
  process.exitCode = faults.length === 0 ? 0 : 1;
}
