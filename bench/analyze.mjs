/**
 * Measures `slop-lens analyze` and its alternatives side by side, in turns, so that a busy moment hits all of them.
 *
 *   npm run build
 *   npm run bench -- [--runs 5] PATH
 *
 * radon and scb-check are taken from PATH, or from the virtual environment that BENCH_VENV names; what is missing is
 * left out. A command that fails is shown as failed: scb-check gives up on trees with files that it cannot take.
 */
import { execFile } from "node:child_process";
import { access } from "node:fs/promises";
import path from "node:path";
import process from "node:process";
import { parseArgs, promisify } from "node:util";

const run = promisify(execFile);
const repository = path.resolve(import.meta.dirname, "..");

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { runs: { type: "string", default: "5" } },
});
const [target] = positionals;
if (target === undefined) {
  console.error("usage: npm run bench -- [--runs 5] PATH");
  process.exit(2);
}
const cli = process.env.SLOP_LENS_CLI ?? path.join(repository, "dist/cli.js");
const place = path.resolve(target);

const candidates = [
  ["slop-lens analyze", process.execPath, cli, "analyze", place, "--json"],
  ["radon cc", "radon", "cc", "-j", place],
  ["scb-check (no rules)", "scb-check", "check", "--report", "--include-all", "--disable-sg", place],
  ["scb-check", "scb-check", "check", "--report", "--include-all", place],
];
const commands = [];
for (const [name, program, ...args] of candidates) {
  const found = await find(program);
  if (found === undefined) console.log(`${name}: not found, left out`);
  else commands.push({ name, argv: [found, ...args], runs: [] });
}

for (let round = 0; round < Number(values.runs); round++) {
  for (const command of commands) command.runs.push(await measure(command.argv));
}
report(commands);

async function find(program) {
  const folders = [
    process.env.BENCH_VENV && path.join(process.env.BENCH_VENV, "bin"),
    ...process.env.PATH.split(":"),
  ];
  for (const place of path.isAbsolute(program)
    ? [program]
    : folders.filter(Boolean).map((f) => path.join(f, program))) {
    if (
      await access(place).then(
        () => true,
        () => false,
      )
    )
      return place;
  }
  return undefined;
}

async function measure(argv) {
  const bin = path.dirname(argv[0]);
  const { stdout } = await run("python3", [path.join(import.meta.dirname, "measure.py"), ...argv], {
    cwd: "/",
    env: { ...process.env, PATH: `${bin}:${process.env.PATH}` },
    maxBuffer: 64 * 1024 * 1024,
  });
  return JSON.parse(stdout);
}

function report(measured) {
  const [ours] = measured;
  const rows = measured.map(({ name, runs }) => {
    const [wall, cpu, memory] = ["wall", "cpu", "memory"].map((key) => median(runs.map((r) => r[key])));
    return {
      command: name,
      "wall s": wall.toFixed(2),
      "cpu s": cpu.toFixed(2),
      "peak MB": memory.toFixed(0),
      "wall ×": (wall / median(ours.runs.map((r) => r.wall))).toFixed(2),
      "cpu ×": (cpu / median(ours.runs.map((r) => r.cpu))).toFixed(2),
      exit: runs.at(-1).exit,
    };
  });
  console.table(rows);
  for (const { name, runs } of measured) {
    const last = runs.at(-1);
    if (last.exit !== 0) console.log(`${name} failed: ${last.trouble.trim().split("\n").at(-1)}`);
  }
  const lines = /"total_loc": ?(\d+)/.exec(ours.runs.at(-1).output)?.[1];
  if (lines !== undefined) console.log(`${lines} lines of code, median of ${ours.runs.length} runs`);
}

function median(numbers) {
  const sorted = [...numbers].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)];
}
