/**
 * Compares our figures with those of the real scb-check 0.1.3, number by number.
 *
 *   python3.12 -m venv VENV && VENV/bin/pip install scb-check==0.1.3
 *   SCB_VENV=VENV npm run parity -- [--rules] [--each] [--json] PATH…
 *
 * Every PATH is compared as one tree. With --each every folder right below a PATH is a tree of its own. With --rules
 * both apply the rules of the installed package; without, neither applies any. Files that make scb-check itself
 * raise are left out on both sides and listed. Exit code 1 when a number differs.
 */
import { execFile } from "node:child_process";
import { cp, mkdtemp, readdir, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import process from "node:process";
import { parseArgs, promisify } from "node:util";
import { loadAnalyzer } from "./bundle.mjs";

const run = promisify(execFile);
const LARGE = { maxBuffer: 256 * 1024 * 1024 };

const { values: flags, positionals } = parseArgs({
  allowPositionals: true,
  options: { rules: { type: "boolean" }, each: { type: "boolean" }, json: { type: "boolean" } },
});
const venv = process.env.SCB_VENV;
if (venv === undefined || positionals.length === 0) {
  console.error("usage: SCB_VENV=VENV npm run parity -- [--rules] [--each] [--json] PATH…");
  process.exit(2);
}
const bin = path.resolve(venv, "bin");
const places = positionals.map((place) => path.resolve(place));
const env = { ...process.env, PATH: `${bin}${path.delimiter}${process.env.PATH}` };

const { create, toScbReport } = await loadAnalyzer();
const analyzer = create({ mode: "pool" });
const rules = flags.rules ? [await wheelRules()] : [];
const totals = { trees: 0, files: 0, lines: 0, functions: 0, keys: 0, equal: 0, leftOut: 0 };
const differences = [];

for (const tree of await trees(places)) await compare(tree);
await analyzer[Symbol.asyncDispose]();

if (flags.json) console.log(JSON.stringify({ ...totals, differences }, undefined, 2));
else {
  for (const { tree, key, ours, theirs } of differences)
    console.log(`${tree}: ${key} ${ours} (scb-check: ${theirs})`);
  console.log(
    `${totals.trees} trees, ${totals.files} files, ${totals.lines} lines of code, ${totals.functions} functions: ` +
      `${totals.equal} of ${totals.keys} numbers equal, ${totals.leftOut} files left out`,
  );
}
process.exitCode = differences.length > 0 ? 1 : 0;

/** Folders that are compared one by one. */
async function trees(paths) {
  if (!flags.each) return paths;
  const found = [];
  for (const place of paths) {
    const entries = await readdir(place, { withFileTypes: true });
    found.push(...entries.filter((e) => e.isDirectory()).map((e) => path.resolve(place, e.name)));
  }
  return found.sort();
}

async function compare(tree) {
  const theirs = await scbCheck(tree);
  if (theirs.trouble === undefined) return record(tree, tree, theirs.report);
  if (theirs.trouble.includes("no Python files")) return;
  const { stdout } = await run(
    path.join(bin, "python"),
    [path.join(import.meta.dirname, "unreadable.py"), tree],
    {
      ...LARGE,
      env,
    },
  );
  const leftOut = stdout
    .split("\n")
    .filter((line) => line.startsWith("{"))
    .map((line) => JSON.parse(line));
  if (leftOut.length === 0) throw new Error(`scb-check fails on ${tree}: ${theirs.trouble}`);
  if (!flags.json) for (const { file, reason } of leftOut) console.log(`left out: ${file}: ${reason}`);
  totals.leftOut += leftOut.length;
  await withMirror(tree, new Set(leftOut.map(({ file }) => file)), async (mirror) => {
    const { report, trouble } = await scbCheck(mirror);
    if (report === undefined) throw new Error(`scb-check fails on ${tree} without ${stdout}: ${trouble}`);
    await record(tree, mirror, report);
  });
}

async function scbCheck(tree) {
  const args = ["check", "--report", "--include-all", ...(flags.rules ? [] : ["--disable-sg"]), tree];
  try {
    // A folder without a configuration of its own, so that none is picked up.
    const { stdout } = await run(path.join(bin, "scb-check"), args, { ...LARGE, env, cwd: "/" });
    return { report: JSON.parse(stdout.slice(stdout.indexOf('{"verbosity"'))) };
  } catch (error) {
    return { trouble: `${error.stderr ?? ""}${error.stdout ?? ""}`.slice(-400) || String(error) };
  }
}

async function record(name, tree, theirs) {
  const report = await analyzer.analyzePaths(
    [tree],
    { profile: "scb-0.1.3", rules },
    AbortSignal.timeout(3_600_000),
  );
  const ours = toScbReport(report);
  totals.trees++;
  totals.files += theirs.files_scanned;
  totals.lines += theirs.total_loc;
  totals.functions += theirs.total_functions;
  for (const [key, value] of Object.entries(theirs)) {
    totals.keys++;
    if (Object.is(ours[key], value)) totals.equal++;
    else differences.push({ tree: name, key, ours: ours[key], theirs: value });
  }
}

/** Runs with a copy of the Python files of a tree, without those in `leftOut`. */
async function withMirror(tree, leftOut, use) {
  const folder = await mkdtemp(path.join(tmpdir(), "parity-"));
  const mirror = path.join(folder, path.basename(tree));
  try {
    await cp(tree, mirror, {
      recursive: true,
      filter: async (source) =>
        !leftOut.has(source) &&
        !["site-packages", "__pycache__", ".git"].includes(path.basename(source)) &&
        (source.endsWith(".py") || (await stat(source)).isDirectory()),
    });
    await use(mirror);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function wheelRules() {
  const script =
    "import scb_check.resources as r, pathlib; print(pathlib.Path(r.__file__).parent / 'slop_rules')";
  const { stdout } = await run(path.join(bin, "python"), ["-c", script]);
  return stdout.trim();
}
