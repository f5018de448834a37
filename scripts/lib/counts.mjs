/** Counting what test suites report. */
import { readFile, rm } from "node:fs/promises";
import { succeeds } from "./commands.mjs";

/** @typedef {{ passed: number, failed: number, skipped: number }} Counts */

/**
 * Runs one vitest configuration and counts its tests. A suite that could not run, or ended badly although no test
 * failed, counts as one failure: a quiet zero would look like success.
 * @param {string} name names the report
 * @param {string} config the configuration file
 * @param {{ minutes: number, env: Readonly<Record<string, string>> }} options
 * @returns {Promise<Counts>}
 */
export async function runSuite(name, config, options) {
  const report = `test-results/${name}.json`;
  await rm(report, { force: true });
  const reporters = ["--reporter=default", "--reporter=json", `--outputFile.json=${report}`];
  const vitest = ["node", "node_modules/vitest/vitest.mjs", "run", "--config", config, ...reporters];
  const success = await succeeds(vitest, options);
  const counts = await readCounts(report);
  return success || counts.failed > 0 ? counts : { ...counts, failed: 1 };
}

/**
 * @param {string} report vitest's JSON report
 * @returns {Promise<Counts>}
 */
async function readCounts(report) {
  const text = await readFile(report, "utf8").catch(() => undefined);
  if (text === undefined) return { passed: 0, failed: 1, skipped: 0 };
  const result =
    /** @type {{ numPassedTests: number, numFailedTests: number, numPendingTests: number, numTodoTests: number }} */ (
      JSON.parse(text)
    );
  return {
    passed: result.numPassedTests,
    failed: result.numFailedTests,
    skipped: result.numPendingTests + result.numTodoTests,
  };
}

/**
 * The closing line of a test run.
 * @param {readonly Counts[]} all
 */
export function closingLine(all) {
  const sum = (/** @type {keyof Counts} */ key) => all.reduce((total, counts) => total + counts[key], 0);
  const skipped = sum("skipped");
  return `${sum("passed")} passed, ${sum("failed")} failed${skipped > 0 ? `, ${skipped} skipped` : ""}`;
}
