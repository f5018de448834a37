/**
 * Sets up the programs that `npm run bench` compares with, each at a fixed release, in .cache/bench-peers: what comes
 * from PyPI in a virtual environment of its own through uv, what comes from npm in a folder of its own. What is there
 * is left alone; what cannot be had is named, and the bench leaves it out.
 *
 *   node scripts/bench-peers.mjs
 */
import { execFile } from "node:child_process";
import { mkdir } from "node:fs/promises";
import path from "node:path";
import process from "node:process";
import { promisify } from "node:util";
import { findPeers, peersFolder, pythonPeers, npmPeers } from "../bench/peers.mjs";

const run = promisify(execFile);
/** scb-check asks for Python 3.12; uv fetches one where there is none. */
const PYTHON = "3.13";
const UV = "0.11.6";

await mkdir(peersFolder, { recursive: true });
const there = await findPeers();
const trouble = [];
/** @type {[string, () => Promise<unknown>][]} */
const peers = [];
for (const [name, { packages }] of Object.entries(pythonPeers))
  peers.push([name, () => makeEnvironment(name, packages)]);
for (const [name, peer] of Object.entries(npmPeers)) peers.push([name, () => installNpm(name, peer.package)]);

for (const [name, setUp] of peers) {
  if (there[name] !== undefined) continue;
  console.log(`${name}: setting up`);
  try {
    await setUp();
  } catch (error) {
    trouble.push(name);
    console.error(`${name}: ${firstLine(error)}`);
  }
}
console.log(`${Object.keys(await findPeers()).length} programs to compare with in ${peersFolder}`);
process.exitCode = trouble.length > 0 ? 1 : 0;

/**
 * @param {string} name
 * @param {readonly string[]} packages
 */
async function makeEnvironment(name, packages) {
  const uv = await findUv();
  const folder = path.join(peersFolder, name);
  await run(uv, ["venv", "--clear", "--python", PYTHON, folder]);
  await run(uv, ["pip", "install", "--python", folder, ...packages]);
}

/**
 * @param {string} name
 * @param {string} what
 */
async function installNpm(name, what) {
  const folder = path.join(peersFolder, name);
  await mkdir(folder, { recursive: true });
  await run("npm", ["install", "--prefix", folder, "--no-audit", "--no-fund", what], {
    shell: process.platform === "win32",
  });
}

/** uv from PATH, or one in an environment of its own. */
async function findUv() {
  if (await answers("uv")) return "uv";
  const folder = path.join(peersFolder, "uv");
  const own = path.join(folder, process.platform === "win32" ? "Scripts/uv.exe" : "bin/uv");
  if (await answers(own)) return own;
  await run("python3", ["-m", "venv", folder]);
  await run(path.join(path.dirname(own), "python"), ["-m", "pip", "install", "--quiet", `uv==${UV}`]);
  return own;
}

/** @param {string} program */
async function answers(program) {
  return run(program, ["--version"]).then(
    () => true,
    () => false,
  );
}

/** @param {unknown} error */
function firstLine(error) {
  const words = error instanceof Error && "stderr" in error ? String(error.stderr) : String(error);
  return words.trim().split("\n").slice(-2).join(" ");
}
