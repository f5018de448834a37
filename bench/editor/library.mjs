/**
 * Reads runs as the extension does, cold, and times the trees of many of them.
 *
 *   library.mjs BUNDLE FOLDER
 *
 * Prints JSON. BUNDLE is what bundle-of.mjs made of the library.
 */
import files from "node:fs/promises";
import { syncBuiltinESMExports } from "node:module";
import process from "node:process";
import { pathToFileURL } from "node:url";

/** As many runs as a large library has: 36 problems, 15 runs each. */
const manyRuns = 540;

const [bundle = "", folder = ""] = process.argv.slice(2);
let snapshotReads = 0;
watchSnapshots();
const library = await import(pathToFileURL(bundle).href);
const { readRuns, runRows, searchEntries, findEntries, Forest, EMPTY_STATE, DEFAULT_OPTIONS } = library;

const [runs, read] = await timed(() => readRuns(folder));
const [, again] = await timed(() => readRuns(folder));
const reads = snapshotReads;
const many = copies(runs, manyRuns);
const state = { ...EMPTY_STATE, runs: many };
const turnFiles = {
  promptBytes: () => Promise.resolve(undefined),
  snapshot: () => Promise.resolve({ files: [], left: 0 }),
  outcomes: (turn) => Promise.resolve(turn.outcomes),
};
let options = DEFAULT_OPTIONS;
const forest = new Forest(() => runRows({ state, files: turnFiles, measure: () => undefined, options }));
for (const problem of await forest.children()) await forest.children(problem);
options = { ...options, filter: { outcomes: "regressions", group: undefined } };
const [, filter] = await timed(() => forest.refresh());
const [entries, search] = await timed(() => searchEntries(state));
const [, find] = await timed(() => findEntries(entries, "error", 200));
const turns = runs.flatMap((run) => run.problems.flatMap((part) => part.turns)).length;
const counts = { runs: runs.length, turns, manyRuns: many.length, entries: entries.length };
process.stdout.write(JSON.stringify({ ...counts, read, again, snapshotReads: reads, filter, search, find }));

/** Counts what is opened, listed or read below a folder `snapshot`. */
function watchSnapshots() {
  for (const name of ["readFile", "readdir", "open", "opendir"]) {
    const original = files[name];
    files[name] = (place, ...rest) => {
      if (/[\\/]snapshot([\\/]|$)/.test(String(place))) snapshotReads += 1;
      return original.call(files, place, ...rest);
    };
  }
  syncBuiltinESMExports();
}

/**
 * @template T
 * @param {() => T | Promise<T>} work
 */
async function timed(work) {
  const [start, before] = [performance.now(), process.cpuUsage()];
  const result = await work();
  const { user, system } = process.cpuUsage(before);
  return /** @type {const} */ ([result, { wall: performance.now() - start, cpu: (user + system) / 1000 }]);
}

/** So many runs with objects of their own, because what was looked at once is kept by object. */
function copies(originals, count) {
  const texts = originals.map((run) => JSON.stringify(run));
  return Array.from({ length: texts.length === 0 ? 0 : count }, (_, index) => {
    const run = JSON.parse(texts[index % texts.length] ?? "");
    return { ...run, folder: `${run.folder}-${index}` };
  });
}
