/** The compiled parts that a VSIX carries: ast-grep's binding and its grammars, for one platform. */
import { execFile } from "node:child_process";
import { copyFile, mkdir, readFile, rename, rm } from "node:fs/promises";
import path from "node:path";
import process from "node:process";
import { promisify } from "node:util";

const run = promisify(execFile);

/** Grammars to lay, by ast-grep's name of the language; `src/core/analysis/native.ts` registers the same. */
export const grammars = ["python", "go", "rust", "java"];

/** VS Code's name of a platform → how ast-grep's packages call it. */
export const targets = {
  "linux-x64": { binding: "linux-x64-gnu", prebuild: "Linux-X64" },
  "linux-arm64": { binding: "linux-arm64-gnu", prebuild: "Linux-ARM64" },
  "darwin-x64": { binding: "darwin-x64", prebuild: "macOS-X64" },
  "darwin-arm64": { binding: "darwin-arm64", prebuild: "macOS-ARM64" },
  "win32-x64": { binding: "win32-x64-msvc", prebuild: "Windows-X64" },
};

/** A package for every platform: it holds nothing compiled, so that rules which need ast-grep's own library are off. */
export const universal = "universal";

/**
 * @typedef {keyof typeof targets} NativeTarget
 * @typedef {NativeTarget | typeof universal} Target
 */

/**
 * Whether compiled parts exist for the named platform.
 * @param {string} name
 * @returns {name is NativeTarget}
 */
export function isNativeTarget(name) {
  return Object.hasOwn(targets, name);
}

/**
 * The platform of this machine; `universal` where nothing compiled fits it.
 * @returns {Target}
 */
export function hostTarget() {
  const name = `${process.platform}-${process.arch}`;
  return isNativeTarget(name) && !isMusl() ? name : universal;
}

/**
 * The platform that was asked for, or this one.
 * @param {string | undefined} name as on a command line
 * @returns {Target}
 * @throws Error that names the known platforms
 */
export function chosenTarget(name) {
  if (name === undefined) return hostTarget();
  if (name === universal || isNativeTarget(name)) return name;
  throw new Error(`unknown platform ${name}; known: ${[...Object.keys(targets), universal].join(", ")}`);
}

/** musl systems are `linux` too, but what is compiled for glibc does not load there. */
function isMusl() {
  if (process.platform !== "linux") return false;
  const report = /** @type {{ header: { glibcVersionRuntime?: string } }} */ (process.report.getReport());
  return report.header.glibcVersionRuntime === undefined;
}

/**
 * Lays `ast-grep.node` and the grammars of `target` into `folder`, in place of those of another platform.
 * @param {Target} target
 * @param {string} folder
 */
export async function layNative(target, folder) {
  if (target === universal) {
    await rm(folder, { recursive: true, force: true });
    return;
  }
  const { binding, prebuild } = targets[target];
  await mkdir(folder, { recursive: true });
  await replace(await bindingFile(binding), path.join(folder, "ast-grep.node"));
  for (const name of grammars) {
    const library = `node_modules/@ast-grep/lang-${name}/prebuilds/prebuild-${prebuild}/parser.so`;
    await replace(library, path.join(folder, `${name}.so`));
  }
}

/**
 * Copies in one step: a process that has the old file loaded keeps it, and none sees half of the new one.
 * @param {string} source
 * @param {string} target
 */
async function replace(source, target) {
  const copy = `${target}.${process.pid}`;
  await copyFile(source, copy);
  await rename(copy, target);
}

/**
 * The binding of this machine is installed; the others are fetched once, in the version that is installed here.
 * @param {string} binding
 */
async function bindingFile(binding) {
  const file = `ast-grep-napi.${binding}.node`;
  const installed = `node_modules/@ast-grep/napi-${binding}`;
  const version = await packageVersion("node_modules/@ast-grep/napi");
  if ((await packageVersion(installed)) === version) return path.join(installed, file);

  const folder = `.cache/native/${binding}-${version}`;
  if ((await packageVersion(path.join(folder, "package"))) !== version) {
    await mkdir(folder, { recursive: true });
    const name = `@ast-grep/napi-${binding}@${version}`;
    const { stdout } = await run("npm", ["pack", name, "--json", "--pack-destination", folder], {
      shell: process.platform === "win32",
    });
    const packed = /** @type {{ filename: string }[]} */ (JSON.parse(stdout));
    await run("tar", ["-xzf", packed[0]?.filename ?? "", "package"], { cwd: folder });
  }
  return path.join(folder, "package", file);
}

/**
 * @param {string} folder
 * @returns {Promise<string | undefined>} undefined when the package is not there
 */
async function packageVersion(folder) {
  const text = await readFile(path.join(folder, "package.json"), "utf8").catch(() => undefined);
  if (text === undefined) return undefined;
  return /** @type {{ version: string }} */ (JSON.parse(text)).version;
}
