#!/usr/bin/env node
/**
 * Builds the product and replays the example problem twice, once from its clean solutions and once from the recording
 * that rots, into the folder demo/, which then is a workspace to open in VS Code.
 *
 *   npm run demo [-- OPTIONS OF slop-lens run]
 *
 * It runs in Docker where an engine answers and the image can be had, else on this machine, and says which.
 */
import { spawnSync } from "node:child_process";
import { cp, rm } from "node:fs/promises";
import path from "node:path";
import process from "node:process";

const root = path.resolve(import.meta.dirname, "..");
const demo = path.join(root, "demo");
const wished = process.argv.slice(2);

const USAGE = `Usage: npm run demo [-- OPTIONS OF slop-lens run]

Builds the product and replays the example problem twice, from its clean solutions and from the recording that rots,
into the folder demo/. It runs in Docker where an engine answers and the image can be had, else on this machine.

  npm run demo -- --image NAME          another Docker image, with Python 3.9 or newer
  npm run demo -- --environment local   on this machine, not isolated

All options: node dist/cli.js run --help`;

if (wished.includes("--help") || wished.includes("-h")) {
  console.log(USAGE);
  process.exit(0);
}

/**
 * Runs node on a script with its output shown.
 * @param {readonly string[]} parameters
 * @param {string} folder
 * @returns {number} exit code
 */
function node(parameters, folder) {
  const { status, error } = spawnSync(process.execPath, parameters, { cwd: folder, stdio: "inherit" });
  if (error !== undefined) throw error;
  return status ?? 130;
}

/**
 * Replays a recording of the example problem.
 * @param {readonly string[]} options
 */
function replay(options) {
  console.log("");
  return node([path.join(root, "dist/cli.js"), "run", "shelf", "--runs", "runs", ...options], demo);
}

if (node(["esbuild.mjs"], root) !== 0) process.exit(1);
// Runs of an earlier demo stay: they are lines in the plot.
await rm(path.join(demo, "shelf"), { recursive: true, force: true });
// The recorded runs would stand beside the two that are made now.
const isWanted = (/** @type {string} */ file) => path.basename(file) !== "shelf-runs";
await cp(path.join(root, "examples"), demo, { recursive: true, filter: isWanted });

let place = wished;
let code = replay(place);
if (code === 2 && wished.length === 0) {
  console.log(
    "\nDocker answers but cannot run the demo (the line above says why), so it runs on this machine.",
  );
  place = ["--environment", "local"];
  code = replay(place);
}
if (code === 0) code = replay(["--replay", "shelf-recordings/rotting", ...place]);
if (code !== 0) process.exit(code);

console.log(`
The second run passes everything at first, and rots. To see where:

  code --extensionDevelopmentPath="${root}" "${demo}"

Open Slop Lens in the activity bar, then run "Slop Lens: Show Erosion Plot" from the command palette. Without VS Code's
development mode: npm run package, install the .vsix file that it makes, and open the folder demo.`);
