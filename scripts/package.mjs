#!/usr/bin/env node
/**
 * Builds the extension for one platform, packages it as `slop-lens-PLATFORM.vsix` and checks the package.
 *
 *   package.mjs [--target PLATFORM]
 *
 * PLATFORM is linux-x64, linux-arm64, darwin-x64, darwin-arm64, win32-x64, or `universal` (runs everywhere, without ast-grep's library);
 * without it, the platform of this machine.
 */
import { execFileSync } from "node:child_process";
import { stat } from "node:fs/promises";
import process from "node:process";
import { parseArgs } from "node:util";
import { createVSIX } from "@vscode/vsce";
import { checkPackage } from "./check-package.mjs";
import { chosenTarget, hostTarget, layNative, universal } from "./lib/native.mjs";

const { values } = parseArgs({ options: { target: { type: "string" } } });
const target = chosenTarget(values.target);
const file = `slop-lens-${target}.vsix`;
execFileSync(process.execPath, ["esbuild.mjs", "--release", "--target", target], { stdio: "inherit" });
try {
  await createVSIX({
    packagePath: file,
    ...(target === universal ? {} : { target }),
    dependencies: false,
    allowMissingRepository: true,
    rewriteRelativeLinks: false,
  });
} finally {
  // What lies in dist/ is also what this machine runs.
  if (target !== hostTarget()) await layNative(hostTarget(), "dist/native");
}

const faults = await checkPackage(file, target);
for (const fault of faults) console.error(`${file}: ${fault}`);
if (faults.length > 0) process.exit(1);
const { size } = await stat(file);
console.log(`${file}: ${(size / 1e6).toFixed(2)} MB, checked`);
