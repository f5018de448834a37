/** Where the end-to-end tests find the VS Code, the browser and the package under test, and where they leave pictures. */
import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import process from "node:process";

/** The project. */
export const root = path.resolve(import.meta.dirname, "../../..");

/** Pictures and logs of the tests go here. */
export const resultsFolder = path.join(root, "test-results/e2e");

function existing(file: string, remedy: string): string {
  if (!existsSync(file)) throw new Error(`${file} is missing; ${remedy}`);
  return file;
}

/** The Node that runs code-server, and code-server's entry file. */
export function codeServer(): { readonly node: string; readonly entry: string } {
  const folder = process.env["SLOP_LENS_VSCODE_DIR"] ?? path.join(root, ".cache/vscode");
  const remedy = `run scripts/vscode-setup.sh ${folder}`;
  return {
    node: existing(path.join(folder, "node"), remedy),
    entry: existing(path.join(folder, "code-server/out/node/entry.js"), remedy),
  };
}

/** The second number of the release of VS Code under test, 100 for 1.100.3. */
export function codeMinor(): number {
  const manifest = path.join(path.dirname(codeServer().entry), "../../lib/vscode/package.json");
  const { version } = JSON.parse(readFileSync(manifest, "utf8")) as { readonly version: string };
  return Number(version.split(".")[1]);
}

/** The packaged extension. */
export function vsix(): string {
  const name = `slop-lens-${process.platform}-${process.arch}.vsix`;
  return existing(process.env["SLOP_LENS_VSIX"] ?? path.join(root, name), "run npm run package");
}

/** A Chromium; playwright brings none of its own. */
export function chromium(): string {
  return existing(process.env["SLOP_LENS_CHROMIUM"] ?? "/usr/bin/chromium", "install Chromium");
}
