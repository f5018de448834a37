/**
 * What the extension costs in the editor, held against what is promised: size, activation, idling, and the trees of
 * many runs. Processor seconds are told beside the clock, because a busy machine stretches only the clock.
 *
 *   npm run package && node bench/editor.mjs [--runs FOLDER] [--idle SECONDS] [--no-window]
 *
 * `--runs` names a folder with run folders, else the recorded runs of the examples count. The window is a real VS Code,
 * see scripts/vscode-setup.sh.
 */
import { execFile } from "node:child_process";
import { readFile, stat } from "node:fs/promises";
import path from "node:path";
import process from "node:process";
import { parseArgs, promisify } from "node:util";
import { unzipSync } from "fflate";
import { bundleOf } from "./editor/bundle-of.mjs";
import { measureWindow } from "./editor/window.mjs";

const repository = path.resolve(import.meta.dirname, "..");

const { values } = parseArgs({
  options: {
    runs: { type: "string", default: path.join(repository, "examples") },
    idle: { type: "string", default: "30" },
    "no-window": { type: "boolean", default: false },
  },
});
const runs = path.resolve(values.runs);
const vsix =
  process.env.SLOP_LENS_VSIX ?? path.join(repository, `slop-lens-${process.platform}-${process.arch}.vsix`);

/** @typedef {{ figure: string, measured: string, promised: string, met: string }} Row */

/** @type {Row[]} */
const rows = [...(await sizes()), ...(await libraryFigures())];
if (!values["no-window"]) rows.push(...(await windowFigures()));
console.table(rows);
if (rows.some(({ met }) => met === "no")) process.exitCode = 1;

/**
 * @param {string} figure
 * @param {number} value
 * @param {number} limit undefined for a figure without a promise
 * @param {string} unit
 * @param {string} [beside]
 * @returns {Row}
 */
function row(figure, value, limit, unit, beside = "") {
  const told = (number) => `${number.toFixed(number < 10 ? 1 : 0)} ${unit}`;
  return {
    figure,
    measured: `${told(value)}${beside}`,
    promised: limit === undefined ? "" : `below ${told(limit)}`,
    met: limit === undefined ? "" : value < limit ? "yes" : "no",
  };
}

async function sizes() {
  const entries = unzipSync(await readFile(vsix));
  const main = entries["extension/dist/extension.js"]?.byteLength ?? NaN;
  return [row("package", (await stat(vsix)).size / 1e6, 8, "MB"), row("main bundle", main / 1000, 300, "kB")];
}

/** In a process of its own, so that nothing is warm. */
async function libraryFigures() {
  const bundle = await bundleOf("library");
  const script = path.join(import.meta.dirname, "editor/library.mjs");
  const { stdout } = await promisify(execFile)(process.execPath, [script, bundle, runs]);
  const found = JSON.parse(stdout);
  const cpu = ({ cpu: milliseconds }) => ` (${milliseconds.toFixed(0)} ms processor)`;
  const { read, again, filter, search, find } = found;
  return [
    row(`reading ${found.runs} runs, ${found.turns} checkpoints`, read.wall, 1000, "ms", cpu(read)),
    row("reading them again", again.wall, undefined, "ms", cpu(again)),
    row("files opened in snapshots meanwhile", found.snapshotReads, 1, ""),
    row(`regressions only, first time, ${found.manyRuns} runs`, filter.wall, 1000, "ms", cpu(filter)),
    row(`search opened, ${found.entries} entries`, search.wall, 500, "ms", cpu(search)),
    row("search, one key", find.wall, 50, "ms", cpu(find)),
  ];
}

async function windowFigures() {
  const found = await measureWindow(runs, vsix, Number(values.idle));
  const share = (100 * found.idleCpu) / Number(values.idle);
  return [
    row("activation", found.activation, 80, "ms"),
    row("from the click on the icon to the tree", found.tree, 1000, "ms"),
    row("the same while VS Code itself still starts", found.earlyTree, undefined, "ms"),
    row(`idle for ${values.idle} s, share of a core beyond VS Code's own`, share, 1, "%"),
  ];
}
