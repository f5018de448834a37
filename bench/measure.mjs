/** What a command costs. */
import { execFile } from "node:child_process";
import path from "node:path";
import process from "node:process";
import { promisify } from "node:util";

const run = promisify(execFile);

/**
 * Seconds and MB of a command with everything that it starts.
 * @typedef {{ wall: number, cpu: number, memory: number, exit: number, trouble: string }} Cost
 */

/**
 * Runs a command; its output is thrown away. Programs beside it are found before those on PATH.
 * @param {readonly string[]} argv
 * @returns {Promise<Cost>}
 */
export async function measure(argv) {
  const script = path.join(import.meta.dirname, "measure.py");
  const beside = path.dirname(argv[0] ?? "");
  const { stdout } = await run("python3", [script, ...argv], {
    cwd: "/",
    env: { ...process.env, PATH: `${beside}${path.delimiter}${process.env.PATH ?? ""}` },
  });
  return JSON.parse(stdout);
}
