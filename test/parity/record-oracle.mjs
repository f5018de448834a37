/**
 * Records what the real scb-check says about every snippet of the unit tests, each a tree of its own: profile →
 * snippet → report, without rules.
 *
 *   SCB_VENVS=V012:V013:V020 node test/parity/record-oracle.mjs
 */
import { readdir, writeFile } from "node:fs/promises";
import path from "node:path";
import process from "node:process";
import { loadAnalyzer } from "./bundle.mjs";
import { Release } from "./release.mjs";

const folder = path.join(import.meta.dirname, "../unit/analysis/snippets");
const { profiles } = await loadAnalyzer();
const names = (await readdir(folder)).filter((name) => name !== "oracle.json").sort();

const recorded = new Map();
for (const venv of (process.env.SCB_VENVS ?? "").split(path.delimiter)) {
  const release = new Release(venv);
  recorded.set(await release.version(), await reports(release));
}
const oracle = Object.entries(profiles).map(([profile, definition]) => {
  const found = recorded.get(definition.release);
  if (found === undefined) throw new Error(`scb-check ${definition.release} is in none of SCB_VENVS`);
  return [profile, found];
});
const document = Object.fromEntries(oracle);
await writeFile(path.join(folder, "oracle.json"), `${JSON.stringify(document, undefined, 2)}\n`);

/** Null stands for a snippet in which scb-check finds nothing that it can parse. */
async function reports(release) {
  const found = {};
  for (const name of names) {
    const { report, trouble = "" } = await release.check(path.join(folder, name), false);
    if (report === undefined && !trouble.includes("could be parsed")) throw new Error(`${name}: ${trouble}`);
    found[name] = report ?? null;
  }
  return found;
}
