/** Counting what test suites report. */
import { readFile, rm } from "node:fs/promises";
import path from "node:path";
import { stripVTControlCharacters } from "node:util";
import { succeeds } from "./commands.mjs";

/** @typedef {{ passed: number, failed: number, skipped: number }} Counts */

/** What a suite came to: its counts, and a line for each failure that somebody should read. */
/** @typedef {Counts & { failures: readonly string[] }} SuiteResult */

/** The part of vitest's JSON report that is read. */
/** @typedef {{ fullName: string, status: string, failureMessages: string[] }} ReportedTest */
/** @typedef {{ name: string, message?: string, status: string, assertionResults: ReportedTest[] }} ReportedFile */

/** @typedef {{ minutes: number, env: Readonly<Record<string, string>> }} SuiteOptions */

/**
 * Runs one vitest configuration and counts its tests. A suite that could not run, or ended badly although no test
 * failed, counts as one failure: a quiet zero would look like success.
 * @param {string} name names the report
 * @param {string} config the configuration file
 * @param {SuiteOptions} options
 * @returns {Promise<SuiteResult>}
 */
export async function runSuite(name, config, options) {
  return summary(await runFiles(name, config, [], options));
}

/**
 * Like {@link runSuite}, but takes the files that failed a second time, and tells those that passed only then. For a
 * suite whose tests steer a program that is not ours by what it draws.
 * @param {string} name
 * @param {string} config
 * @param {SuiteOptions} options
 * @returns {Promise<SuiteResult>}
 */
export async function runSuiteTwice(name, config, options) {
  const first = await runFiles(name, config, [], options);
  const failed = first.files.filter(({ status }) => status === "failed");
  if (failed.length === 0) return summary(first);
  const names = failed.map((file) => file.name);
  const second = await runFiles(`${name}-again`, config, names, options);
  const kept = first.files.filter(({ status }) => status !== "failed");
  const result = summary({ files: [...kept, ...second.files], success: second.success });
  return {
    ...result,
    failures: [...failed.flatMap(failuresOf).map((line) => `at the first try: ${line}`), ...result.failures],
  };
}

/**
 * @param {string} name
 * @param {string} config
 * @param {readonly string[]} files all when empty
 * @param {SuiteOptions} options
 * @returns {Promise<{ files: readonly ReportedFile[], success: boolean }>}
 */
async function runFiles(name, config, files, options) {
  const report = `test-results/${name}.json`;
  await rm(report, { force: true });
  const reporters = ["--reporter=default", "--reporter=json", `--outputFile.json=${report}`];
  const vitest = ["node", "node_modules/vitest/vitest.mjs", "run", "--config", config, ...reporters];
  const success = await succeeds([...vitest, ...files], options);
  const text = await readFile(report, "utf8").catch(() => undefined);
  if (text === undefined) return { files: [], success };
  return { files: /** @type {{ testResults: ReportedFile[] }} */ (JSON.parse(text)).testResults, success };
}

/**
 * @param {{ files: readonly ReportedFile[], success: boolean }} run
 * @returns {SuiteResult}
 */
function summary({ files, success }) {
  const tests = files.flatMap(({ assertionResults }) => assertionResults);
  const count = (/** @type {string} */ status) => tests.filter((test) => test.status === status).length;
  const failures = files.flatMap(failuresOf);
  const [passed, failed] = [count("passed"), failures.length];
  const skipped = tests.length - passed - count("failed");
  if (success && tests.length > 0) return { passed, failed, skipped, failures };
  if (failed > 0) return { passed, failed, skipped, failures };
  return { passed, failed: 1, skipped, failures: ["the suite did not end well"] };
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
