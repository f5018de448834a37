/**
 * Modules of the host are asked for once in a bundle, and only for the names that sources use. The bundler itself would
 * copy every name of such a module for every file that imports it: for VS Code's API in all files of the editor this
 * was most of the time that the extension took to load.
 */
import { readFileSync } from "node:fs";
import { createRequire, isBuiltin } from "node:module";

const require = createRequire(import.meta.url);

/** @type {import("esbuild").Plugin} */
export const hostsOnce = {
  name: "hosts-once",
  setup(build) {
    build.onResolve({ filter: /^(vscode$|node:)/ }, ({ path: module, kind }) =>
      kind === "import-statement" ? { path: module, namespace: "host", sideEffects: false } : undefined,
    );
    build.onLoad({ filter: /.*/, namespace: "host" }, ({ path: module }) => ({
      contents: source(module),
      resolveDir: import.meta.dirname,
    }));
  },
};

/** An ES module with the names of a host's module; what is not used of it, the bundler leaves out. @param {string} module */
function source(module) {
  const names = isBuiltin(module) ? Object.keys(require(module)) : namesOfEditor();
  return [
    `const host = require(${JSON.stringify(module)});`,
    "const pick = (name) => host[name];",
    "export default host;",
    ...names.map((name, index) => `const _${index} = /* @__PURE__ */ pick("${name}");`),
    `export { ${names.map((name, index) => `_${index} as ${name}`).join(", ")} };`,
  ].join("\n");
}

/** What the types of VS Code's API declare that may have a value. */
function namesOfEditor() {
  const types = readFileSync(require.resolve("@types/vscode/index.d.ts"), "utf8");
  const declared = types.matchAll(/^\texport (?:abstract )?(?:class|const|enum|function|namespace) (\w+)/gm);
  return [...new Set([...declared].map(([, name]) => name ?? ""))];
}
