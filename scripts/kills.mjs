#!/usr/bin/env node
/**
 * Kills the command with SIGKILL at random moments of replays of the example, goes on with each run, and compares.
 *
 *   npm run kills [-- --kills 200] [--each 10] [--checkpoints 1-3] [--longest SECONDS] [--seed N] [--image IMAGE] [--engine]
 *
 * Without an image the runs are local. With --engine (Linux, as root, and an image) they have an engine of their own, which
 * is killed as often as the command, and every other run has a command for its agent, so that agents' containers die too.
 */
import { spawnSync } from "node:child_process";
import path from "node:path";
import process from "node:process";
import { parseArgs } from "node:util";
import { killAndResume } from "./lib/kills.mjs";
import { OwnEngine } from "./lib/own-engine.mjs";

const root = path.resolve(import.meta.dirname, "..");
const { values } = parseArgs({
  options: {
    kills: { type: "string", default: "200" },
    each: { type: "string", default: "10" },
    checkpoints: { type: "string", default: "1-3" },
    longest: { type: "string" },
    seed: { type: "string" },
    image: { type: "string" },
    engine: { type: "boolean", default: false },
  },
});

/** An agent that takes its time and whose work can be told. */
const COMMAND_AGENT = ["--agent", "command", "--command", "sleep 2; echo 'print(1)' >> shelf.py; sleep 1"];

/** The same moments for the same seed, as far as the machine allows (mulberry32). @param {number} seed */
function generator(seed) {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

if (
  spawnSync(process.execPath, [path.join(root, "esbuild.mjs")], { cwd: root, stdio: "inherit" }).status !== 0
) {
  process.exit(1);
}
const seed = Number(values.seed ?? Date.now() % 1_000_000);
console.log(`seed ${seed}`);
if (values.engine && values.image === undefined) throw new Error("--engine needs an image");
const engine = values.engine ? await OwnEngine.withImage(values.image ?? "") : undefined;
for (const name of ["SIGINT", "SIGTERM"]) {
  process.once(name, () => void engine?.remove().finally(() => process.exit(1)));
}
const report = await killAndResume({
  kills: Number(values.kills),
  each: Number(values.each),
  place:
    values.image === undefined
      ? ["--environment", "local"]
      : ["--environment", "docker", "--image", values.image],
  checkpoints: values.checkpoints,
  longestMs: values.longest === undefined ? undefined : Number(values.longest) * 1000,
  random: generator(seed),
  ...(engine === undefined ? {} : { engine, share: 0.7, agents: [[], COMMAND_AGENT] }),
  tell: (line) => {
    console.log(line);
  },
}).finally(() => engine?.remove());
for (const [moment, count] of Object.entries(report.moments)) console.log(`  ${count} ${moment}`);
for (const fault of report.faults) console.log(`FAULT ${fault}`);
console.log(`${report.kills} kills in ${report.runs} runs, ${report.faults.length} faults`);
process.exitCode = report.faults.length === 0 ? 0 : 1;
