/**
 * Builds dist/.
 *
 *   node esbuild.mjs [--watch] [--release] [--target PLATFORM]
 */
import { mkdir, readdir, rename, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { parseArgs } from "node:util";
import * as esbuild from "esbuild";
import { assertStandsAlone, bundle, bundleNames, layAssets, wasmGrammars } from "./scripts/lib/build.mjs";
import { chosenTarget, grammars } from "./scripts/lib/native.mjs";
import { notices } from "./scripts/lib/notices.mjs";

const { values } = parseArgs({
  options: { watch: { type: "boolean" }, release: { type: "boolean" }, target: { type: "string" } },
});

/** What is built is laid here and takes the place of dist/ when it is whole: until then the last build goes on working. */
const aside = "dist.next";

/** @param {readonly esbuild.Metafile[]} metafiles */
async function writeNotices(metafiles) {
  const laid = ["@ast-grep/napi", "web-tree-sitter", ...wasmGrammars.map((file) => path.dirname(file))];
  laid.push(...grammars.map((name) => `@ast-grep/lang-${name}`));
  await writeFile(path.join(aside, "THIRD-PARTY-NOTICES.txt"), await notices(metafiles, laid));
}

/** @param {string} folder */
const remove = (folder) => rm(folder, { recursive: true, force: true });

/** @param {string} folder */
const filesIn = async (folder) => {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
  const files = entries.filter((entry) => !entry.isDirectory());
  return files.map((entry) => path.relative(folder, path.join(entry.parentPath, entry.name)));
};

/** Each file takes the place of the one before in one step, those last that load others, so that none is ever missing. */
async function swap() {
  const [built, stale] = [await filesIn(aside), await filesIn("dist")];
  const isEntry = (/** @type {string} */ file) => ["cli.js", "extension.js"].includes(file);
  for (const file of [...built.filter((one) => !isEntry(one)), ...built.filter(isEntry)]) {
    await mkdir(path.dirname(path.join("dist", file)), { recursive: true });
    await rename(path.join(aside, file), path.join("dist", file));
  }
  for (const file of stale.filter((one) => !built.includes(one))) await remove(path.join("dist", file));
  await remove(aside);
}

const options = bundleNames.map((name) =>
  bundle(name, values.release === true, values.watch === true ? "dist" : aside),
);
if (values.watch === true) {
  await layAssets(chosenTarget(values.target));
  // Sources change while they are watched, so nothing that is measured may outlive a process.
  const watched = options.map((one) => ({ ...one, define: {}, logLevel: /** @type {const} */ ("info") }));
  const contexts = await Promise.all(watched.map((one) => esbuild.context(one)));
  await Promise.all(contexts.map((context) => context.watch()));
} else {
  await remove(aside);
  await layAssets(chosenTarget(values.target), aside);
  const metafiles = (await Promise.all(options.map((one) => esbuild.build(one)))).map(
    (result) => result.metafile,
  );
  metafiles.forEach(assertStandsAlone);
  await writeNotices(metafiles);
  await swap();
}
