/** Counting what test suites report. */
import { readFile, rm } from "node:fs/promises";
import path from "node:path";
import { stripVTControlCharacters } from "node:util";
import { succeeds } from "./commands.mjs";

/** @typedef {{ passed: number, failed: number, skipped: number }} Counts */

/** What a suite came to: its counts, and a line for each test that failed. */
/** @typedef {Counts & { failures: readonly string[] }} SuiteResult */

/** The part of vitest's JSON report that is read. */
/** @typedef {{ fullName: string, status: string, failureMessages: string[] }} ReportedTest */
/** @typedef {{ name: string, message?: string, status: string, assertionResults: ReportedTest[] }} ReportedFile */
/**
 * @typedef {{ numPassedTests: number, numFailedTests: number, numPendingTests: number, numTodoTests: number,
 *   testResults: ReportedFile[] }} Report
 */

/**
 * Runs one vitest configuration and counts its tests. A suite that could not run, or ended badly although no test
 * failed, counts as one failure: a quiet zero would look like success.
 * @param {string} name names the report
 * @param {string} config the configuration file
 * @param {{ minutes: number, env: Readonly<Record<string, string>> }} options
 * @returns {Promise<SuiteResult>}
 */
export async function runSuite(name, config, options) {
  const report = `test-results/${name}.json`;
  await rm(report, { force: true });
  const reporters = ["--reporter=default", "--reporter=json", `--outputFile.json=${report}`];
  const vitest = ["node", "node_modules/vitest/vitest.mjs", "run", "--config", config, ...reporters];
  const success = await succeeds(vitest, options);
  const counts = await readCounts(report);
  if (success || counts.failed > 0) return counts;
  return { ...counts, failed: 1, failures: [...counts.failures, "the suite did not end well"] };
}

/**
 * @param {string} report vitest's JSON report
 * @returns {Promise<SuiteResult>}
 */
async function readCounts(report) {
  const text = await readFile(report, "utf8").catch(() => undefined);
  if (text === undefined) return { passed: 0, failed: 1, skipped: 0, failures: ["the suite left no report"] };
  const result = /** @type {Report} */ (JSON.parse(text));
  return {
    passed: result.numPassedTests,
    failed: result.numFailedTests,
    skipped: result.numPendingTests + result.numTodoTests,
    failures: result.testResults.flatMap(failuresOf),
  };
}

/**
 * @param {ReportedFile} file
 * @returns {string[]}
 */
function failuresOf(file) {
  const tests = file.assertionResults
    .filter(({ status }) => status === "failed")
    .map(({ fullName, failureMessages }) => `${fullName}: ${firstLines(failureMessages[0] ?? "")}`);
  if (tests.length > 0 || file.status !== "failed") return tests;
  return [`${path.basename(file.name)}: ${firstLines(file.message ?? "")}`];
}

/**
 * What a message says before its stack begins, on one line.
 * @param {string} message
 */
function firstLines(message) {
  const said = stripVTControlCharacters(message).split(/\n\s+at /)[0] ?? "";
  return said.replaceAll(/\s+/g, " ").trim().slice(0, 300);
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
