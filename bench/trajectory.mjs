/**
 * Measures the engine's part of a trajectory with the example problem in Docker:
 *
 *   npm run build && node bench/trajectory.mjs [--runs 5] [--replays 20] [--jobs 1,2] [--checkpoints 1-2] [--image IMAGE]
 *
 * - overhead a checkpoint: wall time of a turn without the agent's and without pytest's own;
 * - throughput of a queue of replays: wall time, checkpoints a minute, and most containers at a time;
 * - start: from the command to the first outcome of a hidden test on a terminal.
 *
 * Only the first two checkpoints by default: the others are nearly all pytest. An image is made ready before anything is
 * measured. Without a Docker engine it says so and measures nothing.
 */
import { spawn } from "node:child_process";
import { cp, mkdtemp, rm } from "node:fs/promises";
import { loadavg, tmpdir } from "node:os";
import path from "node:path";
import process from "node:process";
import { parseArgs } from "node:util";
import Docker from "dockerode";

const repository = path.resolve(import.meta.dirname, "..");
const cli = path.join(repository, "dist/cli.js");

const { values } = parseArgs({
  options: {
    runs: { type: "string", default: "5" },
    replays: { type: "string", default: "20" },
    jobs: { type: "string", default: "1,2" },
    checkpoints: { type: "string", default: "1-2" },
    image: { type: "string", default: process.env["SLOP_LENS_TEST_IMAGE"] },
  },
});
const options = [
  ...["--checkpoints", values.checkpoints],
  ...(values.image === undefined ? ["--environment", "docker"] : ["--image", values.image]),
];

const docker = new Docker();
const answers = await docker.ping().then(
  () => true,
  () => false,
);
if (answers) await measureAll();
else console.log("no Docker engine answers: trajectories are not measured");

async function measureAll() {
  const folder = await mkdtemp(path.join(tmpdir(), "slop-lens-bench-"));
  try {
    await cp(path.join(repository, "examples/shelf"), path.join(folder, "shelf"), { recursive: true });
    await finished(folder, ["run", "shelf", ...options]);
    console.log(
      `examples/shelf, checkpoints ${values.checkpoints}; ${new Date().toISOString().slice(0, 10)}, ${load()} at the start`,
    );
    await overheads(folder);
    for (const jobs of values.jobs.split(",")) await throughput(folder, Number(jobs));
    await start(folder);
    console.log(`${load()} at the end`);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** @param {string} folder */
async function overheads(folder) {
  /** @type {number[]} */
  const found = [];
  for (let round = 0; round < Number(values.runs); round++) {
    const { err } = await finished(folder, ["--debug", "run", "shelf", ...options]);
    for (const match of err.matchAll(/overhead (-?\d+) ms/gu)) found.push(Number(match[1]));
  }
  console.log(`overhead a checkpoint: ${spread(found)} ms, ${found.length} checkpoints`);
}

/**
 * @param {string} folder
 * @param {number} jobs
 */
async function throughput(folder, jobs) {
  let peak = 0;
  const filters = { label: ["slop-lens.kind=session"] };
  const watch = setInterval(() => {
    docker.listContainers({ filters }).then(
      (containers) => {
        const own = containers.filter(({ Labels }) => Labels["slop-lens.run"]?.startsWith(folder));
        peak = Math.max(peak, own.length);
      },
      () => undefined,
    );
  }, 200);
  const queue = ["queue", "shelf", "--attempts", values.replays, "--jobs", String(jobs), "--memory", "1"];
  const { out, seconds } = await finished(folder, [...queue, ...options, "--json"]);
  clearInterval(watch);
  const turns = out.split("\n").filter((line) => line.startsWith('{"type":"turn"')).length;
  console.log(
    `queue of ${values.replays} replays, ${jobs} at once: ${seconds.toFixed(1)} s, ` +
      `${((turns * 60) / seconds).toFixed(1)} checkpoints a minute, at most ${peak} containers, ${load()}`,
  );
}

/** @param {string} folder */
async function start(folder) {
  /** @type {number[]} */
  const found = [];
  for (let round = 0; round < Number(values.runs); round++) found.push(await firstOutcome(folder));
  console.log(`start to the first outcome: ${spread(found)} ms`);
}

/**
 * Milliseconds until a terminal shows that a hidden test has ended; then the command is interrupted.
 * @param {string} folder
 * @returns {Promise<number>}
 */
function firstOutcome(folder) {
  const terminal = "import pty, sys; sys.exit(pty.spawn(sys.argv[1:]))";
  const argv = ["-c", terminal, process.execPath, cli, "run", "shelf", ...options];
  const begin = performance.now();
  const child = spawn("python3", argv, { cwd: folder, stdio: ["pipe", "pipe", "inherit"] });
  return new Promise((resolve, reject) => {
    let text = "";
    let found = 0;
    child.stdout.on("data", (chunk) => {
      text += String(chunk);
      if (found > 0 || !/running hidden tests, [1-9]\d* of/u.test(text)) return;
      found = performance.now() - begin;
      // Ctrl+C on the command's own terminal.
      child.stdin.write("\u0003");
    });
    child.on("error", reject);
    child.on("close", () => {
      if (found > 0) resolve(found);
      else reject(new Error(`no outcome was shown:\n${text}`));
    });
  });
}

/**
 * Runs the command to its end.
 * @param {string} folder
 * @param {readonly string[]} args
 * @returns {Promise<{ out: string; err: string; seconds: number }>}
 */
function finished(folder, args) {
  const begin = performance.now();
  const child = spawn(process.execPath, [cli, ...args], { cwd: folder, stdio: ["ignore", "pipe", "pipe"] });
  return new Promise((resolve, reject) => {
    let [out, err] = ["", ""];
    child.stdout.on("data", (chunk) => (out += String(chunk)));
    child.stderr.on("data", (chunk) => (err += String(chunk)));
    child.on("error", reject);
    child.on("close", (code) => {
      if (code === 0) resolve({ out, err, seconds: (performance.now() - begin) / 1000 });
      else reject(new Error(`slop-lens ${args.join(" ")} ended with ${code}:\n${err}`));
    });
  });
}

/** @param {number[]} numbers */
function spread(numbers) {
  const sorted = numbers.map(Math.round).sort((a, b) => a - b);
  return `median ${sorted[Math.floor(sorted.length / 2)]} (${sorted[0]} to ${sorted.at(-1)})`;
}

function load() {
  return `load ${loadavg()[0]?.toFixed(1)}`;
}
