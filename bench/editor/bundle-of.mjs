/** Parts of the product and of the tests, which are TypeScript, as modules that Node can load. */
import { mkdir } from "node:fs/promises";
import path from "node:path";
import { build } from "esbuild";

const repository = path.resolve(import.meta.dirname, "../..");

/** What is bundled under a name: files below the repository, and where `import.meta.dirname` stands in them. */
const parts = {
  library: {
    files: [
      "src/editor/reading.ts",
      "src/editor/library/state.ts",
      "src/editor/tree/forest.ts",
      "src/editor/tree/run-rows.ts",
      "src/editor/tree/problem-rows.ts",
      "src/editor/tree/search-index.ts",
      "src/editor/tree/view-options.ts",
    ],
    folder: "src/editor",
  },
  window: {
    files: [
      "test/e2e/support/browser.ts",
      "test/e2e/support/poll.ts",
      "test/e2e/support/server.ts",
      "test/e2e/support/workbench.ts",
    ],
    folder: "test/e2e/support",
  },
};

/**
 * @param {keyof typeof parts} name
 * @returns {Promise<string>} the bundle's path
 */
export async function bundleOf(name) {
  const { files, folder } = parts[name];
  const outfile = path.join(repository, ".cache/bench", `${name}.mjs`);
  await mkdir(path.dirname(outfile), { recursive: true });
  await build({
    stdin: {
      contents: files.map((file) => `export * from "./${file}";`).join("\n"),
      resolveDir: repository,
    },
    bundle: true,
    platform: "node",
    target: "node20",
    format: "esm",
    packages: "external",
    alias: { vscode: path.join(repository, "test/support/vscode.ts") },
    define: { "import.meta.dirname": JSON.stringify(path.join(repository, folder)) },
    outfile,
    logLevel: "error",
  });
  return outfile;
}
