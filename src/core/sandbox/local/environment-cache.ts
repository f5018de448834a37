import { randomUUID } from "node:crypto";
import { mkdir, readdir, readFile, rename, stat, utimes, writeFile } from "node:fs/promises";
import path from "node:path";
import process from "node:process";

import { z } from "zod";

import { copyTree } from "../archive/copy-tree.js";
import {
  askedPackages,
  hashOf,
  ProvisionReader,
  USUAL_PACKAGES,
  type Provisioned,
  type ProvisionSpec,
  type Recipe,
} from "../provision.js";
import type { Requirements } from "../requirements.js";
import { runChild } from "./child.js";
import { withLock } from "./folder-lock.js";
import type { Interpreter } from "./interpreter.js";
import { removeFolder } from "./lay-files.js";

/** How many environments with requirements are kept, and how long an unused one is safe, in milliseconds. */
const KEPT_REQUIREMENTS = 20;
const SAFE_AGE = 24 * 60 * 60 * 1000;
/** Age after which an environment that was made without the package index is made anew, in milliseconds. */
export const OFFLINE_AGE = 60 * 60 * 1000;

const READY = "ready.json";
const readySchema = z.object({
  python: z.string(),
  uid: z.number().nullable(),
  gid: z.number().nullable(),
  offline: z.boolean(),
  warnings: z.array(z.string()),
  made: z.number(),
});

/** A virtual environment in the cache folder. */
export interface CachedEnvironment extends Provisioned {
  /** Holds `tests/` and `solution/`, or only `solution/`. */
  readonly folder: string;
}

export interface CacheContext {
  /** Root of the cache. */
  readonly cache: string;
  readonly interpreter: Interpreter;
  readonly recipe: Recipe;
  /** Variables for the installers. */
  readonly env: Readonly<Record<string, string>>;
  readonly onProgress: (line: string) => void;
  readonly signal: AbortSignal;
}

/** The environments of tests and of a solution without requirements: made once, used again. */
export function testEnvironment(
  context: CacheContext,
  testDependencies: readonly string[],
): Promise<CachedEnvironment> {
  const { interpreter, recipe, env } = context;
  const asked = askedPackages(testDependencies);
  const packages = [...USUAL_PACKAGES.packages, ...asked];
  const required = [...USUAL_PACKAGES.required, ...asked];
  const key = hashOf(interpreter.executable, interpreter.version, recipe.hash, ...packages);
  const folder = path.join(context.cache, "environments", key.slice(0, 24));
  return cached(context, folder, {
    stage: "environments",
    folder,
    packages,
    required,
    user: null,
    home: null,
    env,
  });
}

/** The environment of a solution with requirements; `tests` lends its pip. */
export async function requirementsEnvironment(
  context: CacheContext,
  tests: CachedEnvironment,
  requirements: Requirements,
): Promise<CachedEnvironment> {
  const { interpreter, recipe, env } = context;
  const key = hashOf(interpreter.executable, interpreter.version, recipe.hash, requirements.hash);
  const shelf = path.join(context.cache, "requirements");
  const folder = path.join(shelf, key.slice(0, 24));
  const source = requirements.source === undefined ? null : path.join(folder, "source");
  const spec: ProvisionSpec = {
    stage: "requirements",
    folder,
    source,
    requirements: requirements.text,
    pipFrom: path.join(tests.folder, "tests"),
    emptySource: false,
    env,
  };
  const environment = await cached(context, folder, spec, async () => {
    if (requirements.source === undefined || source === null) return;
    // Installing may write beside the sources, and the snapshot is not ours to write to.
    await copyTree(requirements.source, source, { keep: () => true, signal: context.signal });
  });
  await prune(shelf);
  return environment;
}

async function cached(
  context: CacheContext,
  folder: string,
  spec: ProvisionSpec,
  beforehand?: () => Promise<void>,
): Promise<CachedEnvironment> {
  const present = await readReady(folder);
  if (present !== undefined) return present;
  await mkdir(path.dirname(folder), { recursive: true });
  return withLock(`${folder}.lock`, context.signal, async () => {
    const meanwhile = await readReady(folder);
    if (meanwhile !== undefined) return meanwhile;
    await removeFolder(folder);
    await mkdir(folder);
    try {
      await beforehand?.();
      const provisioned = await provision(context, spec);
      await writeReady(folder, provisioned);
      return { ...provisioned, folder };
    } catch (error) {
      await removeFolder(folder);
      throw error;
    }
  });
}

async function provision(context: CacheContext, spec: ProvisionSpec): Promise<Provisioned> {
  const reader = new ProvisionReader(context.onProgress);
  let words = "";
  await runChild(
    {
      command: [context.interpreter.command, "-I", "-c", context.recipe.script],
      folder: spec.folder,
      env: { ...ownVariables(), ...spec.env },
      mark: randomUUID(),
      timeoutSeconds: undefined,
    },
    {
      stdin: JSON.stringify(spec),
      onStdout: (chunk) => {
        reader.push(chunk);
      },
      onStderr: (chunk) => {
        words = (words + Buffer.from(chunk).toString("utf8")).slice(-2000);
      },
    },
    context.signal,
  );
  return reader.result(`Python ${context.interpreter.version} of this machine`, words);
}

/** Installers need the user's own settings: proxies, certificates, indexes. */
function ownVariables(): Record<string, string> {
  const entries = Object.entries(process.env);
  return Object.fromEntries(entries.filter((entry): entry is [string, string] => entry[1] !== undefined));
}

async function readReady(folder: string): Promise<CachedEnvironment | undefined> {
  const file = path.join(folder, READY);
  const text = await readFile(file, "utf8").catch(() => undefined);
  if (text === undefined) return undefined;
  const ready = readySchema.safeParse(JSON.parse(text));
  if (!ready.success) return undefined;
  if (ready.data.offline && Date.now() - ready.data.made > OFFLINE_AGE) return undefined;
  const now = new Date();
  await utimes(file, now, now).catch(() => undefined);
  return { ...ready.data, folder };
}

async function writeReady(folder: string, provisioned: Provisioned): Promise<void> {
  const file = path.join(folder, READY);
  await writeFile(`${file}.new`, JSON.stringify({ ...provisioned, made: Date.now() }));
  await rename(`${file}.new`, file);
}

/** Removes the longest unused environments above the number that is kept. */
async function prune(shelf: string): Promise<void> {
  const names = (await readdir(shelf)).filter((name) => /^[0-9a-f]{24}$/u.test(name));
  const aged = await Promise.all(
    names.map(async (name) => {
      const used = await stat(path.join(shelf, name, READY)).catch(() => undefined);
      return { folder: path.join(shelf, name), used: used?.mtimeMs };
    }),
  );
  const old = aged
    .filter((entry): entry is { folder: string; used: number } => entry.used !== undefined)
    .sort((a, b) => b.used - a.used)
    .slice(KEPT_REQUIREMENTS)
    .filter((entry) => Date.now() - entry.used > SAFE_AGE);
  for (const entry of old) await removeFolder(entry.folder);
}
