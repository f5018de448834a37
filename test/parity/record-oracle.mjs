/**
 * Records what the real scb-check 0.1.3 says about every snippet of the unit tests, each a tree of its own.
 *
 *   SCB_VENV=VENV node test/parity/record-oracle.mjs
 */
import { execFile } from "node:child_process";
import { readdir, writeFile } from "node:fs/promises";
import path from "node:path";
import process from "node:process";
import { promisify } from "node:util";

const run = promisify(execFile);
const folder = path.join(import.meta.dirname, "../unit/analysis/snippets");
const tool = path.resolve(process.env.SCB_VENV ?? "", "bin/scb-check");

const oracle = {};
for (const name of (await readdir(folder)).filter((entry) => entry.endsWith(".py")).sort()) {
  try {
    const args = ["check", "--report", "--include-all", "--disable-sg", path.join(folder, name)];
    const { stdout } = await run(tool, args, { cwd: "/" });
    oracle[name] = JSON.parse(stdout.slice(stdout.indexOf('{"verbosity"')));
  } catch (error) {
    if (!String(error.stderr).includes("could be parsed")) throw error;
    oracle[name] = null;
  }
}
await writeFile(path.join(folder, "oracle.json"), `${JSON.stringify(oracle, undefined, 2)}\n`);
