/**
 * Compares our figures with those of the real scb-check, number by number, for every release that is installed.
 *
 *   python3.13 -m venv V013 && V013/bin/pip install scb-check==0.1.3
 *   python3.13 -m venv V020 && V020/bin/pip install scb-check==0.2.0
 *   SCB_VENVS=V013:V020 npm run parity -- [--rules] [--each] [--json] [PATH…]
 *
 * Compared are Python's standard library, or every PATH as one tree, and hostile files that the script writes itself.
 * With --each every folder right below a PATH is a tree of its own. With --rules both apply the rules of the installed
 * package; without, neither applies any. Files that make scb-check itself raise are left out on both sides and listed;
 * we measure them all the same. Exit code 1 when a number differs.
 */
import { readdir } from "node:fs/promises";
import path from "node:path";
import process from "node:process";
import { parseArgs } from "node:util";
import { loadAnalyzer } from "./bundle.mjs";
import { writeHostile } from "./hostile.mjs";
import { isMixed, withMirror } from "./mirror.mjs";
import { Release } from "./release.mjs";

const { values: flags, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    rules: { type: "boolean" },
    each: { type: "boolean" },
    json: { type: "boolean" },
    "no-hostile": { type: "boolean" },
  },
});
const venvs = (process.env.SCB_VENVS ?? "").split(path.delimiter).filter((venv) => venv !== "");
if (venvs.length === 0) {
  console.error("usage: SCB_VENVS=VENV[:VENV…] npm run parity -- [--rules] [--each] [--json] [PATH…]");
  process.exit(2);
}

const { create, toScbReport, profiles } = await loadAnalyzer();
const analyzer = create({ mode: "pool" });
const hostile = flags["no-hostile"] ? [] : await writeHostile();
const releases = [];
for (const venv of venvs) releases.push(await compareRelease(new Release(venv)));
await analyzer[Symbol.asyncDispose]();

if (flags.json) console.log(JSON.stringify(releases, undefined, 2));
process.exitCode = releases.some(({ differences }) => differences.length > 0) ? 1 : 0;

async function compareRelease(release) {
  const version = await release.version();
  const [profile] = Object.entries(profiles).find(([, definition]) => definition.release === version) ?? [];
  if (profile === undefined) throw new Error(`no profile follows scb-check ${version}`);
  const rules = { folders: flags.rules ? [await release.rules()] : [], added: [], off: [] };
  const totals = { trees: 0, files: 0, lines: 0, functions: 0, keys: 0, equal: 0, leftOut: 0 };
  const comparison = { version, profile, totals, differences: [], release, rules };
  const places = positionals.length > 0 ? positionals : [await release.standardLibrary()];
  for (const tree of [...(await treesOf(places)), ...hostile]) await compareTree(comparison, tree);
  tell(comparison);
  return { version, profile, ...totals, differences: comparison.differences };
}

function tell({ version, profile, totals, differences }) {
  if (flags.json) return;
  for (const { tree, key, ours, theirs } of differences)
    console.log(`${tree}: ${key} ${ours} (scb-check ${version}: ${theirs})`);
  console.log(
    `scb-check ${version}, profile ${profile}: ${totals.trees} trees, ${totals.files} files, ${totals.lines} lines of ` +
      `code, ${totals.functions} functions: ${totals.equal} of ${totals.keys} numbers equal, ` +
      `${totals.leftOut} files left out`,
  );
}

/** Folders that are compared one by one. */
async function treesOf(paths) {
  const places = paths.map((place) => path.resolve(place));
  if (!flags.each) return places;
  const found = [];
  for (const place of places) {
    const entries = await readdir(place, { withFileTypes: true });
    found.push(...entries.filter((e) => e.isDirectory()).map((e) => path.resolve(place, e.name)));
  }
  return found.sort();
}

/** Compares a tree; where scb-check raises or counts other languages too, a copy without what stands in the way. */
async function compareTree(comparison, tree) {
  const { release } = comparison;
  const mixed = await isMixed(tree);
  if (!mixed) {
    const theirs = await release.check(tree, flags.rules);
    if (theirs.trouble === undefined) return record(comparison, tree, tree, theirs.report);
    if (isEmpty(theirs.trouble)) return;
  }
  const leftOut = await release.unreadable(tree);
  comparison.totals.leftOut += leftOut.length;
  for (const { file, reason } of leftOut) await measureAlone(comparison, file, reason);
  await withMirror(tree, new Set(leftOut.map(({ file }) => file)), async (mirror) => {
    const { report, trouble } = await release.check(mirror, flags.rules);
    if (report !== undefined) return record(comparison, tree, mirror, report);
    if (!isEmpty(trouble)) throw new Error(`scb-check fails on ${tree}: ${trouble}`);
  });
}

function isEmpty(trouble) {
  return /no (?:Python|supported source) files|could be parsed/u.test(trouble);
}

/** What scb-check cannot take must be measured by us, or skipped with a reason. */
async function measureAlone({ profile, rules, version }, file, reason) {
  const signal = AbortSignal.timeout(120_000);
  const { totals, skipped } = await analyzer.analyzePaths([file], { profile, rules }, signal);
  const ours = skipped.length > 0 ? `skipped: ${skipped[0].reason}` : `${totals.totalLoc} lines of code`;
  if (!flags.json) console.log(`left out: ${file}: scb-check ${version}: ${reason}; we: ${ours}`);
}

async function record({ profile, rules, totals, differences }, name, tree, theirs) {
  const report = await analyzer.analyzePaths([tree], { profile, rules }, AbortSignal.timeout(3_600_000));
  const ours = toScbReport(report);
  totals.trees++;
  totals.files += theirs.files_scanned;
  totals.lines += theirs.total_loc;
  totals.functions += theirs.total_functions;
  const keys = Object.keys(theirs);
  compare("order of keys", Object.keys(ours).slice(0, keys.length).join(" "), keys.join(" "));
  for (const key of keys) compare(key, plain(ours[key]), plain(theirs[key]));

  function compare(key, mine, other) {
    totals.keys++;
    if (Object.is(mine, other)) totals.equal++;
    else differences.push({ tree: name, key, ours: mine, theirs: other });
  }
}

/** Numbers as they are, objects as text. */
function plain(value) {
  return typeof value === "object" ? JSON.stringify(value) : value;
}
