/** The commands of the bench. */
import { mkdir, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import process from "node:process";
import { measure } from "./measure.mjs";

const repository = path.resolve(import.meta.dirname, "..");
const cli = process.env.SLOP_LENS_CLI ?? path.join(repository, "dist/cli.js");

/** Names of our own commands, by which targets are compared. */
export const ours = {
  structure: "slop-lens, no rules, no cache",
  cold: "slop-lens, cold",
  warm: "slop-lens, warm",
};

/**
 * @typedef {{ name: string, argv: readonly string[], emptied?: string, filled?: string }} Command
 * `emptied` is a folder that is removed before each run; `filled` one that an earlier run must have filled
 */

/**
 * @param {string} corpus folder with the files
 * @param {string} scratch folder for what programs write
 * @param {Readonly<Record<string, string>>} peers name → program
 * @returns {Promise<readonly Command[]>}
 */
export async function commandsFor(corpus, scratch, peers) {
  const at = (/** @type {string} */ name) => path.join(scratch, name);
  const analyze = [process.execPath, cli, "analyze", corpus];
  return [
    { name: ours.structure, argv: [...analyze, "--no-rules", "--no-cache"] },
    { name: ours.cold, argv: [...analyze, "--cache", at("cold")], emptied: at("cold") },
    { name: ours.warm, argv: [...analyze, "--cache", at("warm")], filled: at("warm") },
    ...(await peerCommands(corpus, at, peers)),
  ];
}

/**
 * @param {string} corpus
 * @param {(name: string) => string} at
 * @param {Readonly<Record<string, string>>} peers
 * @returns {Promise<readonly Command[]>}
 */
async function peerCommands(corpus, at, peers) {
  /** @type {Command[]} */
  const commands = [];
  /** @type {(name: string, peer: string, ...args: readonly string[]) => void} */
  const add = (name, peer, ...args) => {
    const program = peers[peer];
    if (program !== undefined) commands.push({ name, argv: [program, ...args] });
  };
  add("radon cc", "radon", "cc", "-j", corpus);
  add("lizard", "lizard", "-l", "python", "--csv", corpus);
  const jscpd = ["-f", "python", "-r", "json", "-o", at("jscpd"), "-z", "5mb", "--no-gitignore"];
  add("jscpd", "jscpd", ...jscpd, corpus);
  const config = await rulesForAstGrep(at("ast-grep"));
  add("ast-grep scan, our rules", "ast-grep", "scan", "-c", config, "--json=stream", corpus);
  for (const release of ["0.1.3", "0.2.0"]) {
    add(`scb-check ${release}`, `scb-check-${release}`, "check", "--report", "--include-all", corpus);
  }
  return commands;
}

/**
 * ast-grep refuses ids that occur twice; ours may, in different languages.
 * @param {string} folder
 */
async function rulesForAstGrep(folder) {
  await mkdir(folder, { recursive: true });
  const config = path.join(folder, "sgconfig.yml");
  await writeFile(config, `ruleDirs: [${JSON.stringify(path.join(repository, "rules/python"))}]\n`);
  return config;
}

/**
 * Brings the cache of a command into the state that it is measured in.
 * @param {Command} command
 */
export async function prepare({ argv, emptied, filled }) {
  if (emptied !== undefined) await rm(emptied, { recursive: true, force: true });
  if (filled !== undefined && (await mkdir(filled, { recursive: true })) !== undefined) await measure(argv);
}
