/**
 * Measures how far our Python rules flag the same lines as those of scb-check: precision, recall and F1 of flagged SLOC.
 *
 *   npm run build
 *   node bench/rule-agreement.mjs [--venv DIR] [--show ID [--places 20]] [--worst 25] [FOLDER…]
 *
 * The reference is the rule folder inside scb-check's wheel, applied by our own engine; that this engine finds what
 * scb-check finds with the same rules is measured by `npm run parity`. A line is flagged when it is SLOC and lies in the
 * span of a match. Files with the same text count once; installed packages and files with syntax errors do not count.
 * `--venv` is a virtual environment with scb-check, by default the one of `node scripts/bench-peers.mjs`. `--show` lists
 * the places where only one side matches a rule. Without a folder: the recorded agent run of the examples.
 *
 * The rules were written on one half of the SlopCodeBench problems and are judged on the other. The problems, sorted by
 * their names, are dealt in turns:
 *
 *   dev       cfgpipe code_search database_migration dynamic_buffer env_manager eve_industry eve_market_tools
 *             execution_server file_merger forge layered_config_synthesizer meshctl migrate_configs mvvault recli sheeteval
 *             test_translator trajectory_api
 *   held out  circuit_eval dag_execution datagate dynamic_config_service_api etl_pipeline eve_jump_planner
 *             eve_route_planner file_backup file_query_tool l2m log_query metric_transform_lang mocked_http pwd_manager
 *             rejector sith textdrop xjq
 *
 * Written on: all agent snapshots of the dev problems in the 32 runs that Dongximing/slop-code-bench publishes under
 * outputs/ (14 of the problems occur there; 778 different files without installed packages), the reference solutions and
 * tests of the dev problems, CPython 3.11's standard library, and the packages installed in those snapshots. Judged on: all
 * agent snapshots of the held-out problems in the same runs (13 occur there; 909 different files, 900 of them without syntax
 * errors), which nobody had looked at.
 */
import { createHash } from "node:crypto";
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import path from "node:path";
import process from "node:process";
import { parseArgs } from "node:util";
import * as esbuild from "esbuild";
import { peersFolder } from "./peers.mjs";

const repository = path.resolve(import.meta.dirname, "..");
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    venv: { type: "string", default: path.join(peersFolder, "scb-check-0.1.3") },
    show: { type: "string" },
    places: { type: "string", default: "20" },
    worst: { type: "string", default: "25" },
  },
});
const folders = positionals.length > 0 ? positionals : [path.join(repository, "examples/shelf-recordings")];

const theirFolder = await wheelRules(path.resolve(values.venv));
const core = await loadCore();
const total = { files: 0, sloc: 0, both: 0, ours: 0, theirs: 0 };
/** @type {Map<string, { both: number, ours: number, theirs: number, oursLines: number, theirsLines: number }>} */
const rules = new Map();
const places = [];
for await (const { file, text } of pythonTexts(folders)) {
  const tree = core.parse(text);
  if (tree === undefined) continue;
  const sloc = new Set(core.sloc(tree));
  compare(file, sloc, core.ours.scan(file, tree).matches, core.theirs.scan(file, tree).matches);
}
report();

/** Adds up one file. */
function compare(file, sloc, ours, theirs) {
  const flagged = { ours: flaggedLines(ours, sloc), theirs: flaggedLines(theirs, sloc) };
  total.files++;
  total.sloc += sloc.size;
  for (const line of flagged.ours) total[flagged.theirs.has(line) ? "both" : "ours"]++;
  for (const line of flagged.theirs) if (!flagged.ours.has(line)) total.theirs++;
  compareMatches(file, "ours", ours, theirs, difference(flagged.ours, flagged.theirs));
  compareMatches(file, "theirs", theirs, ours, difference(flagged.theirs, flagged.ours));
}

/** @param lines the lines that only this side flags */
function compareMatches(file, side, mine, other, lines) {
  const known = new Set(other.map(spanOf));
  for (const match of mine) {
    const row = rules.get(match.rule) ?? { both: 0, ours: 0, theirs: 0, oursLines: 0, theirsLines: 0 };
    rules.set(match.rule, row);
    if (known.has(spanOf(match))) {
      if (side === "ours") row.both++;
      continue;
    }
    row[side]++;
    for (let line = match.start; line <= match.end; line++) if (lines.has(line)) row[`${side}Lines`]++;
    if (match.rule === values.show) places.push(`only ${side}: ${file}:${match.start}-${match.end}`);
  }
}

function spanOf({ rule, start, startColumn, end, endColumn }) {
  return `${rule} ${start}:${startColumn}-${end}:${endColumn}`;
}

function flaggedLines(matches, sloc) {
  const lines = new Set();
  for (const { start, end } of matches)
    for (let line = start; line <= end; line++) if (sloc.has(line)) lines.add(line);
  return lines;
}

function difference(lines, others) {
  return new Set([...lines].filter((line) => !others.has(line)));
}

function report() {
  const precision = total.both / (total.both + total.ours);
  const recall = total.both / (total.both + total.theirs);
  console.table(
    Object.fromEntries(
      [...rules]
        .filter(([, row]) => row.ours + row.theirs > 0)
        .sort(([, a], [, b]) => b.oursLines + b.theirsLines - a.oursLines - a.theirsLines)
        .slice(0, Number(values.worst))
        .map(([id, row]) => [
          id,
          {
            "both match": row.both,
            "only ours": row.ours,
            "only theirs": row.theirs,
            "lines only ours": row.oursLines,
            "lines only theirs": row.theirsLines,
          },
        ]),
    ),
  );
  if (values.show !== undefined) {
    const step = Math.max(1, Math.floor(places.length / Number(values.places)));
    for (const [index, place] of places.entries()) if (index % step === 0) console.log(place);
  }
  const count = (number) => number.toLocaleString("en-US");
  console.log(`${count(total.files)} different files, ${count(total.sloc)} SLOC; ${folders.join(" ")}`);
  console.log(
    `flagged by both ${count(total.both)}, only by ours ${count(total.ours)}, only by theirs ${count(total.theirs)}`,
  );
  console.log(
    `precision ${precision.toFixed(4)}, recall ${recall.toFixed(4)}, ` +
      `F1 ${((2 * precision * recall) / (precision + recall)).toFixed(4)}`,
  );
}

/** Parser, SLOC and both sets of rules, from the sources: the built bundles do not offer the parts. */
async function loadCore() {
  const scratch = await mkdtemp(path.join(tmpdir(), "slop-lens-bench-"));
  try {
    const bundle = path.join(scratch, "core.cjs");
    await esbuild.build({
      stdin: {
        contents:
          'export { languageById } from "./src/core/analysis/languages/languages.js";' +
          'export { loadRules } from "./src/core/analysis/rules/engine.js";' +
          'export { Parsers } from "./src/core/analysis/tree/parsers.js";',
        resolveDir: repository,
        loader: "ts",
      },
      bundle: true,
      platform: "node",
      format: "cjs",
      alias: { "web-tree-sitter": createRequire(import.meta.url).resolve("web-tree-sitter") },
      loader: { ".node": "empty" },
      outfile: bundle,
    });
    const { languageById, loadRules, Parsers } = createRequire(bundle)(bundle);
    const files = { dist: path.join(repository, "dist"), rules: path.join(repository, "rules") };
    const parsers = new Parsers(files.dist);
    const python = languageById("python");
    const rulesIn = async (folders) =>
      (await loadRules({ folders, added: [], off: [] }, files, parsers)).rulesFor("python");
    return {
      parse: await parsers.load(python),
      sloc: python.sloc,
      ours: await rulesIn(undefined),
      theirs: await rulesIn([theirFolder]),
    };
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}

/** Python files below folders, each text once. */
async function* pythonTexts(roots) {
  const seen = new Set();
  for (const root of roots) {
    for (const file of await pythonFiles(path.resolve(root))) {
      const bytes = await readFile(file);
      const hash = createHash("sha256").update(bytes).digest("hex");
      if (seen.has(hash)) continue;
      seen.add(hash);
      yield { file, text: bytes.toString("utf8") };
    }
  }
}

async function pythonFiles(root) {
  const entries = await readdir(root, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile() && entry.name.endsWith(".py"))
    .map((entry) => path.join(entry.parentPath, entry.name))
    .filter((file) => !file.split(path.sep).includes("site-packages"))
    .sort();
}

/** The rule folder of the wheel that is installed in a virtual environment. */
async function wheelRules(venv) {
  const entries = await readdir(venv, { recursive: true, withFileTypes: true }).catch(() => []);
  const folder = entries.find((entry) => entry.isDirectory() && entry.name === "slop_rules");
  if (folder !== undefined) return path.join(folder.parentPath, folder.name);
  console.error(
    `There is no scb-check in ${venv}: install it with pip and name the environment with --venv.`,
  );
  process.exit(2);
}
