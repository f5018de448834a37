import type Docker from "dockerode";

import type { Environment } from "../../model/environment.js";
import { PlacementPlan } from "../archive/plan.js";
import { cancelled, within } from "../deadline.js";
import { askedPackages, hashOf, USUAL_PACKAGES, type Recipe } from "../provision.js";
import type { Requirements } from "../requirements.js";
import type { ImageLayer } from "../sandbox.js";
import { installVariables } from "../variables.js";
import { type Build, ensureImage } from "./build.js";
import { hardenedOptions, installNetwork, mounts } from "./container-options.js";
import type { Engine } from "./engine.js";
import { containerRoots, DEFAULT_USER, HOME, LAYER_FOLDER, OWN_FOLDER } from "./layout.js";
import { pruneOwnImages, type OwnImage } from "./own-images.js";
import { pullImage } from "./pull.js";
import { putFiles } from "./put-files.js";

export interface ImageContext {
  readonly engine: Engine;
  readonly environment: Environment;
  readonly recipe: Recipe;
  readonly onProgress: (line: string) => void;
  readonly signal: AbortSignal;
}

/** Changes with what the labels of our images hold, so that releases do not remake each other's. */
const FORMAT = "2";
const NO_LIMITS = { timeoutSeconds: undefined, memoryBytes: undefined, cpus: undefined, pids: undefined };

/** Pulls of this process by engine and image, so that many runs that begin together pull once. */
const pulls = new Map<string, Promise<unknown>>();

/** The image that the environment names; pulled only when it is not there. */
export async function baseImage(context: ImageContext, name: string): Promise<Docker.ImageInspectInfo> {
  const { engine, signal, onProgress } = context;
  const key = `${engine.endpoint.host} ${name}`;
  for (;;) {
    const image = engine.docker.getImage(name);
    const present = await engine.find("looking at an image", image.inspect(), { signal });
    if (present !== undefined) return present;
    const other = pulls.get(key);
    if (other === undefined) break;
    onProgress(`Waiting for ${name}, which is being pulled`);
    // Should it fail or be cancelled, this one pulls itself.
    await within(settled(other), { milliseconds: undefined, onExpiry: cancelled, signal });
  }
  const pull = pullImage(engine, name, onProgress, signal);
  pulls.set(key, pull);
  await pull.finally(() => {
    pulls.delete(key);
  });
  return engine.call("looking at an image", engine.docker.getImage(name).inspect(), { signal });
}

async function settled(promise: Promise<unknown>): Promise<void> {
  await promise.catch(() => undefined);
}

interface Base {
  readonly id: string;
  readonly name: string;
}

/**
 * Base plus the environments of tests and solution. What a problem's tests ask for besides the usual lies in an image
 * of its own on top, so that the usual is installed once for all problems.
 */
export async function derivedImage(
  context: ImageContext,
  base: Base,
  testDependencies: readonly string[],
): Promise<OwnImage> {
  const usual = await testsImage(context, base, USUAL_PACKAGES);
  const asked = askedPackages(testDependencies);
  if (asked.length === 0) return usual;
  const image = await testsImage(context, { ...base, id: usual.id }, { packages: asked, required: asked });
  return { ...image, warnings: [...usual.warnings, ...image.warnings] };
}

async function testsImage(
  context: ImageContext,
  base: Base,
  { packages, required }: { readonly packages: readonly string[]; readonly required: readonly string[] },
): Promise<OwnImage> {
  const { environment, recipe } = context;
  const user = environment.docker?.user ?? DEFAULT_USER;
  const spec = {
    stage: "environments",
    folder: OWN_FOLDER,
    packages,
    required,
    user,
    home: HOME,
    env: installEnvironment(environment),
  } as const;
  const key = hashOf(FORMAT, base.id, recipe.hash, user, ...packages);
  return installedAsRoot(context, {
    kind: "derived",
    key,
    base: base.id,
    subject: `The image ${base.name}`,
    spec,
  });
}

/**
 * The derived image plus what a solution's requirements.txt asks for. Installing runs code that the solution chose, so
 * it happens with the solution's own rights and can change nothing that the tests stand on.
 */
export async function requirementsImage(
  context: ImageContext,
  derived: OwnImage,
  requirements: Requirements,
): Promise<OwnImage> {
  const { engine, environment, recipe, signal } = context;
  const { workspace } = containerRoots(environment);
  const { source } = requirements;
  const spec = {
    stage: "requirements",
    folder: OWN_FOLDER,
    source: source === undefined ? null : workspace,
    requirements: requirements.text,
    pipFrom: null,
    emptySource: true,
    env: { ...installEnvironment(environment), HOME },
  } as const;
  const info = await engine.info(signal);
  const ids = { uid: derived.uid ?? 0, gid: derived.gid ?? 0 };
  const build = {
    kind: "requirements",
    key: hashOf(derived.id, requirements.hash, workspace),
    base: derived.id,
    subject: "The image for requirements.txt",
    script: recipe.script,
    spec,
    user: `${ids.uid}:${ids.gid}`,
    workdir: "/",
    host: {
      ...hardenedOptions(NO_LIMITS, info, environment),
      NetworkMode: installNetwork(environment),
    },
    fill: async (container: Docker.Container): Promise<void> => {
      if (source === undefined) return;
      const placement = {
        source: { path: source },
        root: "workspace",
        target: ".",
        owner: "solution",
      } as const;
      const plan = await PlacementPlan.of([placement], signal);
      await putFiles(container, plan, { ...containerRoots(environment), ...ids, purpose: "agent" }, signal);
    },
  } as const;
  const image = await ensureImage(engine, build, context.onProgress, signal);
  if (isNew(image)) await pruneOwnImages(engine, "requirements");
  return image;
}

/**
 * An image of ours plus what a layer installs. The hidden tests never run in it, so its commands may be root.
 * The key takes in the recipe, because the installer's own steps are part of what a layer is made by.
 */
export async function layerImage(
  context: ImageContext,
  base: OwnImage,
  layer: ImageLayer,
): Promise<OwnImage> {
  const { environment, recipe } = context;
  const spec = {
    stage: "layer",
    folder: OWN_FOLDER,
    target: LAYER_FOLDER,
    name: layer.name,
    commands: layer.commands,
    env: { ...installEnvironment(environment), ...layer.env },
  } as const;
  const key = hashOf(base.id, recipe.hash, layer.name, ...layer.commands, JSON.stringify(layer.env));
  return installedAsRoot(context, {
    kind: "layer",
    key,
    base: base.id,
    subject: `The image for ${layer.name}`,
    spec,
  });
}

type RootBuild = Pick<Build, "kind" | "key" | "base" | "subject" | "spec">;

/** Makes an image by installing as root, with the network and the mounts of the environment. */
async function installedAsRoot(context: ImageContext, build: RootBuild): Promise<OwnImage> {
  const { engine, environment, recipe, onProgress, signal } = context;
  const host = { Init: false, NetworkMode: installNetwork(environment), Mounts: mounts(environment) };
  const whole = { ...build, script: recipe.script, user: "0:0", workdir: "/", host };
  const image = await ensureImage(engine, whole, onProgress, signal);
  if (isNew(image)) await pruneOwnImages(engine, build.kind);
  return image;
}

function installEnvironment(environment: Environment): Record<string, string> {
  // A cache inside an image is only weight.
  return { PIP_NO_CACHE_DIR: "1", PIP_ROOT_USER_ACTION: "ignore", ...installVariables(environment) };
}

function isNew(image: OwnImage): boolean {
  return Date.now() - image.at < 60_000;
}
