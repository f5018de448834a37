import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { loadShippedRules } from "../../../src/core/analysis/analyzer.js";
import { Engine } from "../../../src/core/analysis/engine.js";
import { Measurer } from "../../../src/core/analysis/measurer.js";
import { Pool } from "../../../src/core/analysis/threads/pool.js";
import { productFiles } from "./product-files.js";

/** Backtracks through all ways to split a name that does not end as it should. */
const ENDLESS = "id: endless\nlanguage: python\nrule:\n  kind: identifier\n  regex: ^(a+a+)+$\n";
const PRINT = "id: no-print\nlanguage: python\nrule:\n  pattern: print($A)\n";

it("a rule without an end costs its own matches in the file that it does not come back from, and is named", async () => {
  const folder = await mkdtemp(path.join(tmpdir(), "slop-lens-endless-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  const [code, rules] = [path.join(folder, "code"), path.join(folder, "rules")];
  await Promise.all([mkdir(code), mkdir(rules)]);
  await writeFile(path.join(rules, "all.yml"), `${ENDLESS}---\n${PRINT}`);
  await writeFile(path.join(code, "long.py"), `${"a".repeat(60)}b = 1\nprint(1)\n`);
  await writeFile(path.join(code, "short.py"), "aaaa = 1\nprint(1)\n");

  const start = { files: productFiles, workerFile: path.join(productFiles.dist, "analysis-worker.js") };
  const measurer = new Measurer(productFiles, loadShippedRules);
  await using engine = new Engine(measurer, new Pool({ start, threads: 2, secondsPerFile: 5 }));
  const report = await engine.analyzePaths(
    [code],
    { profile: "scb-0.1.3", rules: { folders: [rules], added: [], off: [] } },
    new AbortController().signal,
  );
  expect(report.skipped).toEqual([]);
  expect(report.totals).toMatchObject({ filesScanned: 2, totalLoc: 4 });
  expect(report.rules.faults).toEqual([
    {
      file: path.join(rules, "all.yml"),
      line: 1,
      column: 1,
      message: "rule endless: took longer than 5 s on long.py, which was measured without it",
      severity: "error",
    },
  ]);
  expect(report.matches.map(({ path: file, rule }) => `${file} ${rule}`)).toEqual([
    "long.py no-print",
    "short.py endless",
    "short.py no-print",
  ]);
});
