#!/usr/bin/env node
/**
 * Makes ready whatever the tests need, then runs all checks and all tests, and counts.
 *
 *   npm test
 *
 * On Debian and Ubuntu, as root, missing packages are installed; elsewhere they are named. Nothing is skipped because
 * something is missing. The last line is `N passed, N failed`; a check that fails counts as one failed test.
 */
import { mkdir } from "node:fs/promises";
import path from "node:path";
import { performance } from "node:perf_hooks";
import process from "node:process";
import { succeeds } from "./lib/commands.mjs";
import { closingLine, runSuite, runSuiteTwice } from "./lib/counts.mjs";
import { hostTarget } from "./lib/native.mjs";

/** @typedef {import("./lib/counts.mjs").SuiteResult} SuiteResult */

const image = "slop-lens-test/python:bookworm";
const vscode = path.resolve(process.env["SLOP_LENS_VSCODE_DIR"] ?? ".cache/vscode");
const oldVscode = `${vscode}-floor`;

/** What the tests are told about what was made ready for them. */
const env = {
  SLOP_LENS_TEST_IMAGE: image,
  SLOP_LENS_VSCODE_DIR: vscode,
  SLOP_LENS_VSIX: path.resolve(`slop-lens-${hostTarget()}.vsix`),
};

/**
 * Steps that count nothing when they succeed.
 * @param {string} name
 * @param {readonly string[]} command
 */
const check = (name, command) => ({
  name,
  run: async () => ({
    passed: 0,
    failed: (await succeeds(command, { minutes: 10 })) ? 0 : 1,
    skipped: 0,
    failures: [],
  }),
});

/**
 * @param {string} name
 * @param {string} config
 * @param {number} minutes
 * @param {Readonly<Record<string, string>>} own what these tests are told besides, or instead
 */
const suite = (name, config, minutes, run = runSuite, own = {}) => ({
  name: `${name} tests`,
  run: () => run(name, config, { minutes, env: { ...env, ...own } }),
});

/** What stands in one row is done side by side: fetching what a later row needs leaves the cores to the checks. */
const rows = [
  [check("Docker engine", ["scripts/docker-engine.sh", "start"])],
  [check("test image", ["scripts/test-image.sh", image])],
  [check("ssh server", ["scripts/ssh-server.sh"])],
  [check("VS Code", ["scripts/vscode-setup.sh", vscode]), check("lint", ["npm", "run", "--silent", "lint"])],
  [
    check("old VS Code", ["scripts/vscode-setup.sh", "--floor", oldVscode]),
    check("types", ["npm", "run", "--silent", "typecheck"]),
  ],
  [check("package", ["npm", "run", "--silent", "package"])],
  [suite("unit", "vitest.config.mts", 15)],
  [suite("docker", "vitest.docker.config.mts", 16)],
  [suite("floor", "vitest.floor.config.mts", 3, runSuiteTwice, { SLOP_LENS_VSCODE_DIR: oldVscode })],
  [suite("e2e", "vitest.e2e.config.mts", 20, runSuiteTwice)],
];

await mkdir("test-results", { recursive: true });
/** @type {{ name: string, counts: SuiteResult, seconds: number }[]} */
const results = [];
for (const row of rows) {
  const done = row.map(async ({ name, run }) => {
    console.log(`\n── ${name}`);
    const start = performance.now();
    const counts = await run();
    return { name, counts, seconds: (performance.now() - start) / 1000 };
  });
  results.push(...(await Promise.all(done)));
}

// Told once more at the end, where somebody who sees only that still learns what to look for.
console.log("");
for (const { name, counts } of results) {
  for (const failure of counts.failures) console.log(`${name}: ${failure}`);
}
for (const { name, counts, seconds } of results) {
  const outcome = counts.failed > 0 ? "FAILED" : "ok";
  const tests = counts.passed + counts.failed + counts.skipped;
  const detail = counts.passed > 0 ? `${counts.passed} of ${tests} passed` : "";
  console.log(
    `${outcome.padEnd(7)}${name.padEnd(15)}${seconds.toFixed(0).padStart(5)} s   ${detail}`.trimEnd(),
  );
}
const all = results.map((result) => result.counts);
console.log(closingLine(all));
process.exitCode = all.every((counts) => counts.failed === 0) ? 0 : 1;
