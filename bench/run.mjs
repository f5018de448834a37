/**
 * Measures `slop-lens analyze` and its alternatives side by side, in turns, so that a busy moment hits all of them, and
 * holds the figures against the targets.
 *
 *   npm run build && node scripts/bench-peers.mjs
 *   npm run bench -- [--runs 5] [--only PART,…] [--batch-only] [PATH…]
 *
 * Without a path: the standard library of `python3` on PATH, and the recorded agent run of the examples. All programs
 * get the same files: a copy of the Python files that Slop Lens would find. `--only` leaves out commands whose name
 * holds none of the words. Behind the batch come the editor's figures, the agreement of our rules with scb-check's, and
 * the engine's part of trajectories where Docker answers.
 */
import { execFile } from "node:child_process";
import { access, mkdtemp, rm } from "node:fs/promises";
import { loadavg, tmpdir } from "node:os";
import path from "node:path";
import process from "node:process";
import { parseArgs, promisify } from "node:util";
import { commandsFor, prepare } from "./commands.mjs";
import { layCorpus } from "./corpus.mjs";
import { findPeers, npmPeers, pythonPeers } from "./peers.mjs";
import { measure } from "./measure.mjs";
import { compareTargets, figures, printCommands, printTargets } from "./report.mjs";

const run = promisify(execFile);
const repository = path.resolve(import.meta.dirname, "..");

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    runs: { type: "string", default: "5" },
    only: { type: "string" },
    "batch-only": { type: "boolean", default: false },
  },
});
const peers = await findPeers();
const left = [...Object.keys(pythonPeers), ...Object.keys(npmPeers)].filter((name) => !(name in peers));
if (left.length > 0) console.log(`left out, see scripts/bench-peers.mjs: ${left.join(", ")}`);

const paths = positionals.length > 0 ? positionals : await usualPaths();
for (const place of paths) await batch(path.resolve(place));
if (!values["batch-only"])
  for (const name of ["editing.mjs", "rule-agreement.mjs", "trajectory.mjs"]) await further(name);

/** @param {string} place */
async function batch(place) {
  const scratch = await mkdtemp(path.join(tmpdir(), "slop-lens-bench-"));
  try {
    const corpus = await layCorpus(place, path.join(scratch, "corpus"));
    console.log(
      `\n${place}: ${corpus.files} Python files, ${corpus.lines} lines; ${new Date().toISOString().slice(0, 10)}, ` +
        `${values.runs} runs each in turns, load ${loadavg()[0]?.toFixed(1)} at the start`,
    );
    const words = values.only?.split(",");
    const commands = (await commandsFor(corpus.folder, scratch, peers)).filter(
      ({ name }) => words === undefined || words.some((word) => name.includes(word)),
    );
    /** @type {Map<string, import("./measure.mjs").Cost[]>} */
    const costs = new Map(commands.map(({ name }) => [name, []]));
    for (let round = 0; round < Number(values.runs); round++) {
      for (const command of commands) {
        await prepare(command);
        costs.get(command.name)?.push(await measure(command.argv));
      }
    }
    const all = figures(costs);
    printCommands(all, corpus.lines);
    printTargets(compareTargets(all));
    console.log(`load ${loadavg()[0]?.toFixed(1)} at the end`);
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}

async function usualPaths() {
  const script = "import sysconfig; print(sysconfig.get_paths()['stdlib'])";
  const { stdout } = await run("python3", ["-c", script]);
  return [stdout.trim(), path.join(repository, "examples/shelf-recordings")];
}

/**
 * Another bench with its own output.
 * @param {string} name
 */
async function further(name) {
  const file = path.join(import.meta.dirname, name);
  if (
    !(await access(file).then(
      () => true,
      () => false,
    ))
  )
    return;
  console.log(`\n${name}`);
  try {
    const { stdout, stderr } = await run(process.execPath, [file], { maxBuffer: 64 * 1024 * 1024 });
    console.log(`${stdout}${stderr}`.trimEnd());
  } catch (error) {
    console.log(error instanceof Error ? error.message : String(error));
  }
}
