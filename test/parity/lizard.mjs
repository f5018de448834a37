#!/usr/bin/env node
/**
 * Compares the cyclomatic complexity of every callable of a folder with lizard's, and tells for each difference where it
 * comes from. What cannot be told ends the comparison with an error.
 *
 *   lizard.mjs LANGUAGE FOLDER --python COMMAND [--source NAME] [--page FILE]
 *
 * `--python` can import lizard 1.24 (`pip install lizard==1.24.0`), `--source` says what the folder is (`owner/name at commit`),
 * `--page` writes the result as Markdown. Reasons that only a reader can find stand in `lizard/reasons.json`.
 */
import { writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import path from "node:path";
import process from "node:process";
import { parseArgs } from "node:util";
import * as esbuild from "esbuild";
import * as prettier from "prettier";
import { bundle } from "../../scripts/lib/build.mjs";

const repository = path.resolve(import.meta.dirname, "../..");
const outdir = path.join(repository, ".cache/parity");

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { python: { type: "string" }, source: { type: "string" }, page: { type: "string" } },
});
const [language, folder] = positionals;
if (language === undefined || folder === undefined) {
  throw new Error("usage: lizard.mjs LANGUAGE FOLDER --python COMMAND [--source NAME] [--page FILE]");
}

await esbuild.build({
  ...bundle("analysis-worker", false),
  entryPoints: { lizard: path.join(repository, "test/parity/lizard/main.ts") },
  outdir,
  absWorkingDir: repository,
});
const { main } = createRequire(import.meta.url)(path.join(outdir, "lizard.js"));
const { exitCode, page } = await main({
  language,
  folder: path.resolve(folder),
  python: values.python ?? "python3",
  script: path.join(repository, "test/parity/lizard/conditions.py"),
  source: values.source ?? path.basename(folder),
  dist: path.join(repository, "dist"),
  reasons: path.join(repository, "test/parity/lizard/reasons.json"),
});
process.exitCode = exitCode;
if (values.page !== undefined) {
  await writeFile(values.page, await prettier.format(page, { parser: "markdown", printWidth: 110 }));
}
